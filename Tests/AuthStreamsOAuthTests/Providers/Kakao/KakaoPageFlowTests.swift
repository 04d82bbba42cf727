import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

/// The account page: its URL, its `state`, and what is asked of the person.
@MainActor
struct KakaoPageFlowTests {
    @Test func pageIsAskedWithAllThatProtectsTheAttempt() async throws {
        let kakao = onPage { .callbacks([KakaoFixture.pageAnswer("code=page-secret")]) }
        let credential = try await kakao.attempt(AuthRequest(loginHint: "a+b@example.com")).get()
        #expect(credential.accessToken == Secret("at-secret"))
        let secrets = kakao.secrets[0]
        #expect(
            kakao.browser.opened == [
                """
                https://kauth.kakao.com/oauth/authorize?client_id=a1b2&response_type=code\
                &state=\(secrets.state.reveal())&nonce=\(secrets.nonce.reveal())\
                &code_challenge=\(secrets.proofKey.challenge)&code_challenge_method=S256\
                &login_hint=a%2Bb%40example.com&redirect_uri=kakaoa1b2%3A%2F%2Foauth
                """
            ])
        #expect(
            kakao.server.requests.first?.contains("&code=page-secret&redirect_uri=kakaoa1b2%3A%2F%2Foauth&") == true)
        #expect(kakao.steps.steps == [.presenting, .exchanging])
    }

    @Test func callbacksWithAnotherStateAreIgnored() async throws {
        let kakao = onPage {
            let right = KakaoFixture.pageAnswer("code=page-secret")
            return .callbacks([
                "kakaoa1b2://oauth?code=leak", "kakaoa1b2://oauth?code=leak&state=",
                "kakaoa1b2://oauth?code=leak&state=x",
                right.replacing("page-secret", with: "leak") + "&state=x", "kakaoother://oauth?code=leak", right,
            ])
        }
        _ = try await kakao.attempt().get()
        #expect(kakao.server.requests.first?.contains("&code=page-secret&") == true)
    }

    @Test(arguments: ["", "&state=wrong", "&state=RIGHT&state=RIGHT", "&state=RIGHT&state=wrong"])
    func agentThatLetsAnotherStateThroughIsNotBelieved(suffix: String) async throws {
        let kakao = onPage {
            .forced(
                "kakaoa1b2://oauth?error=access_denied\(suffix.replacing("RIGHT", with: KakaoFixture.secrets[0].state.reveal()))"
            )
        }
        let error = try #require(await kakao.failure())
        #expect(error.code == .stateMismatch)
        #expect(error.step == .presenting)
        #expect(kakao.server.requests.isEmpty)
    }

    @Test func repeatedCodeIsRefused() async throws {
        let kakao = onPage { .callbacks([KakaoFixture.pageAnswer("code=a&code=b")]) }
        #expect(try #require(await kakao.failure()).code == .invalidResponse)
        #expect(kakao.server.requests.isEmpty)
    }

    @Test(arguments: [
        ("cancelled", AuthError.Code.cancelled), ("access_denied", .accessDenied), ("invalid_request", .misconfigured),
        ("invalid_client", .misconfigured), ("invalid_scope", .misconfigured), ("invalid_grant", .invalidCredential),
        ("misconfigured", .misconfigured), ("unauthorized", .misconfigured), ("unauthorized_client", .misconfigured),
        ("login_required", .requiresRecentSignIn), ("consent_required", .accessDenied),
        ("interaction_required", .requiresRecentSignIn), ("server_error", .server), ("auto_login", .accessDenied),
        ("temporarily_unavailable", .server), ("something_new", .accessDenied),
    ])
    func everyWordOfTheRedirectIsMapped(word: String, code: AuthError.Code) async throws {
        let kakao = onPage { .callbacks([KakaoFixture.pageAnswer("error=\(word)&error_description=said")]) }
        let error = try #require(await kakao.failure())
        #expect(error.code == code)
        #expect(error.serverCode == word)
        #expect(error.step == .presenting)
        #expect(kakao.server.requests.isEmpty)
    }

    /// With the prompt `none` the person was not asked.
    @Test(arguments: ["login_required", "consent_required", "interaction_required"])
    func refusalOfASilentRequestIsNotThePersons(word: String) async throws {
        let kakao = onPage { .callbacks([KakaoFixture.pageAnswer("error=\(word)")]) }
        let error = try #require(await kakao.failure(AuthRequest(prompts: [.none])))
        #expect(error.code == .requiresRecentSignIn && error.serverCode == word)
        #expect(kakao.phone.opened.isEmpty)
    }

    @Test func aPersonUnder14IsToldFromOneWhoRefuses() async throws {
        let query = "error=access_denied&error_description=Not%20allowed%20under%20age%2014"
        let kakao = onPage { .callbacks([KakaoFixture.pageAnswer(query)]) }
        let error = try #require(await kakao.failure())
        #expect(error.code == .accessDenied)
        #expect(error.serverCode == "-406")
    }

    @Test func errorThatIsNoPlainWordIsCleaned() async throws {
        let kakao = onPage { .callbacks([KakaoFixture.pageAnswer("error=a%20%3Cb%3E")]) }
        #expect(try #require(await kakao.failure()).serverCode == "a__b_")
    }

    @Test func closedPageIsACancel() async throws {
        let kakao = onPage { .callbacks([]) }
        let error = try #require(await kakao.failure())
        #expect(error.code == .cancelled)
        #expect(error.step == .presenting)
    }

    @Test func cancelledWhileThePageIsShown() async throws {
        let isShown = Promise<Void>()
        let kakao = onPage {
            isShown.resolve(())
            return .stay
        }
        let attempt = Task { await kakao.failure() }
        _ = await isShown.value()
        attempt.cancel()
        #expect(try #require(await attempt.value).code == .cancelled)
    }

    @Test func whatIsAskedReachesThePage() async throws {
        var kakao = onPage { .callbacks([KakaoFixture.pageAnswer("code=page-secret")]) }
        kakao.configuration.serviceTerms = ["t1", "t2"]
        kakao.configuration.channelIDs = ["_c1", "_c2"]
        kakao.configuration.scopes = ["account_email"]
        _ = try await kakao.attempt(
            AuthRequest(
                purpose: .reauthenticate, prompts: [.selectAccount, .consent, .login],
                extraScopes: ["friends", "account_email", "openid"])
        ).get()
        let page = try #require(kakao.browser.opened.first)
        #expect(page.contains("&prompt=login%2Cselect_account&service_terms=t1%2Ct2&channel_public_id=_c1%2C_c2&"))
        #expect(page.contains("&scope=openid%20account_email%20friends&"))
    }

    @Test func whatIsAskedReachesTalk() async throws {
        var kakao = KakaoFixture()
        kakao.configuration.serviceTerms = ["t1", "t2"]
        kakao.configuration.channelIDs = ["_c1"]
        _ = try await kakao.attempt(AuthRequest(prompts: [.login])).get()
        let link = try #require(kakao.phone.opened.first?.url.removingPercentEncoding?.removingPercentEncoding)
        #expect(link.contains(#""channel_public_id":"_c1""#))
        #expect(link.contains(#""prompt":"login","service_terms":"t1,t2""#))
    }

    @Test func scopesAreAskedOnThePageBecauseTalkKnowsNone() async throws {
        let kakao = onPage { .callbacks([KakaoFixture.pageAnswer("code=page-secret")]) }
        kakao.phone.isInstalled = true
        _ = try await kakao.attempt(AuthRequest(extraScopes: ["friends"])).get()
        #expect(kakao.phone.opened.isEmpty)
        #expect(kakao.browser.opened.count == 1)
    }

    @Test func withoutOpenIDConnectThereIsNoNonce() async throws {
        var kakao = onPage { .callbacks([KakaoFixture.pageAnswer("code=page-secret")]) }
        kakao.configuration.usesOpenIDConnect = false
        kakao.configuration.bundleID = nil
        _ = try await kakao.attempt(AuthRequest(extraScopes: ["friends"])).get()
        let page = try #require(kakao.browser.opened.first)
        #expect(!page.contains("nonce"))
        #expect(page.contains("&scope=friends&"))
        #expect(kakao.server.requests.first?.contains("ios_bundle_id") == false)
    }

    @Test func keyThatMakesNoURLIsSaidBeforeAnythingIsShown() async throws {
        var kakao = KakaoFixture()
        kakao.configuration.nativeAppKey = "not a key"
        #expect(try #require(await kakao.failure()).code == .misconfigured)
        #expect(kakao.phone.opened.isEmpty)
    }

    /// No KakaoTalk, and a page that the test answers.
    private func onPage(_ react: @escaping @MainActor () -> PageReader.Reaction) -> KakaoFixture {
        let kakao = KakaoFixture(page: { _ in react() })
        kakao.phone.isInstalled = false
        return kakao
    }
}
