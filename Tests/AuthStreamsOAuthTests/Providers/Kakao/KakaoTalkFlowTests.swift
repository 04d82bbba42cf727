import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// KakaoTalk first: what it is opened with, and what follows from each of its answers.
@MainActor
struct KakaoTalkFlowTests {
    @Test func talkIsOpenedByItsUniversalLinkAndItsCodeRedeemed() async throws {
        let kakao = KakaoFixture()
        let credential = try await kakao.attempt().get()
        #expect(credential.accessToken == Secret("at-secret") && credential.isBound && credential.userID == "1001")
        #expect(credential.idToken != nil && credential.rawNonce == kakao.secrets[0].nonce)
        #expect(kakao.phone.asked == ["kakaokompassauth://authorize"])
        #expect(
            kakao.phone.opened.map(\.url) == [
                "https://talk-apps.kakao.com/scheme/\(escaped(scheme(kakao, "universal_link")))"
            ])
        #expect(kakao.phone.opened.map(\.universalLinksOnly) == [true])
        #expect(
            kakao.server.requests.first == """
                POST https://kauth.kakao.com/oauth/token grant_type=authorization_code&client_id=a1b2&code=talk-secret\
                &redirect_uri=kakaoa1b2%3A%2F%2Foauth&code_verifier=\(kakao.secrets[0].proofKey.verifier.reveal())\
                &ios_bundle_id=com.example.app
                """)
        #expect(kakao.steps.steps == [.waitingForOtherApp, .exchanging])
    }

    @Test func customSchemeIsTriedWhenTheUniversalLinkDoesNotOpen() async throws {
        var kakao = KakaoFixture(talk: { $0 == 1 ? .refuse : .answer(["kakaoa1b2://oauth?code=talk-secret"]) })
        kakao.configuration.allowsCustomScheme = true
        _ = try await kakao.attempt().get()
        #expect(kakao.phone.opened.map(\.universalLinksOnly) == [true, false])
        #expect(kakao.phone.opened.last?.url == scheme(kakao, "universal_link%2Curi_scheme"))
    }

    @Test func absentTalkMeansThePage() async throws {
        let kakao = KakaoFixture(page: page(answering: 1))
        kakao.phone.isInstalled = false
        _ = try await kakao.attempt().get()
        #expect(kakao.phone.opened.isEmpty)
        #expect(kakao.steps.steps == [.presenting, .exchanging])
    }

    @Test func talkThatDoesNotOpenMeansThePage() async throws {
        let kakao = KakaoFixture(talk: { _ in .refuse }, page: page(answering: 2))
        _ = try await kakao.attempt().get()
        #expect(kakao.phone.opened.map(\.universalLinksOnly) == [true])
        #expect(kakao.steps.steps == [.presenting, .exchanging])
    }

    @Test(arguments: [
        "error=login_required", "error=server_error&error_description=said", "error=misconfigured", "error=auto_login",
        "error=something_new",
    ])
    func failureInTalkMeansThePageWithSecretsOfItsOwn(answer: String) async throws {
        let kakao = KakaoFixture(talk: { _ in .answer(["kakaoa1b2://oauth?\(answer)"]) }, page: page(answering: 2))
        let credential = try await kakao.attempt().get()
        #expect(credential.accessToken == Secret("at-secret"))
        #expect(kakao.steps.steps == [.waitingForOtherApp, .presenting, .exchanging])
        #expect(kakao.server.requests.first?.contains(kakao.secrets[1].proofKey.verifier.reveal()) == true)
    }

    @Test(arguments: [
        "", "nothing=here", "code=", "error=", "code=a&code=b", "code=a&error=server_error", "code=a%20b",
    ])
    func callbackWithoutExactlyOneCodeOrErrorIsIgnored(query: String) async throws {
        let kakao = KakaoFixture(talk: { _ in
            .answer(["kakaoa1b2://oauth?\(query)", "kakaoa1b2://oauth?code=talk-secret"])
        })
        #expect(try await kakao.attempt().get().accessToken == Secret("at-secret"))
        #expect(kakao.phone.taken == [false, true])
    }

    @Test(arguments: [
        ("cancelled", AuthError.Code.cancelled), ("access_denied", .accessDenied), ("consent_required", .accessDenied),
    ])
    func decisionInTalkIsFinal(answer: String, code: AuthError.Code) async throws {
        let kakao = KakaoFixture(talk: { _ in .answer(["kakaoa1b2://oauth?error=\(answer)&error_description=said"]) })
        let error = try #require(await kakao.failure())
        #expect(error.code == code)
        #expect(error.serverCode == answer)
        #expect(error.step == .waitingForOtherApp)
        #expect(kakao.server.requests.isEmpty)
    }

    /// The page would refuse them as well.
    @Test func aPersonUnder14IsNotAskedOnThePage() async throws {
        let answer = "kakaoa1b2://oauth?error=access_denied&error_description=Not%20allowed%20under%20age%2014"
        let kakao = KakaoFixture(talk: { _ in .answer([answer]) })
        let error = try #require(await kakao.failure())
        #expect(error.code == .accessDenied)
        #expect(error.serverCode == "-406")
        #expect(kakao.browser.opened.isEmpty)
    }

    @Test func comingBackWithoutAnAnswerIsAbandonedAfterTheGrace() async throws {
        let kakao = KakaoFixture(talk: { _ in .comeBack })
        async let failure = kakao.failure()
        await kakao.clock.waitForSleepers(count: 2)
        kakao.clock.advance(by: .milliseconds(999))
        #expect(kakao.clock.sleeperCount == 2)
        kakao.clock.advance(by: .milliseconds(1))
        let error = try #require(await failure)
        #expect(error.code == .abandoned)
        #expect(error.step == .waitingForOtherApp)
        #expect(kakao.browser.opened.isEmpty)
    }

    @Test func callbackWithinTheGraceCounts() async throws {
        let kakao = KakaoFixture(talk: { _ in .comeBack })
        async let result = kakao.attempt()
        await kakao.clock.waitForSleepers(count: 2)
        #expect(kakao.callbacks.handle(try url("kakaoa1b2://oauth?code=talk-secret")))
        #expect(try await result.get().accessToken == Secret("at-secret"))
    }

    @Test func callbacksOfOtherPlacesAreLeftAlone() async throws {
        let kakao = KakaoFixture(talk: { _ in
            .answer([
                "kakaoother://oauth?code=leak", "kakaoa1b2://kakaolink?code=leak", "kakaoa1b2://oauth/deeper?code=leak",
                "kakaoa1b2://oauth?code=talk-secret", "kakaoa1b2://oauth?code=leak",
            ])
        })
        _ = try await kakao.attempt().get()
        #expect(kakao.phone.taken == [false, false, false, true, true])
        #expect(kakao.server.requests.first?.contains("&code=talk-secret&") == true)
    }

    @Test func callbackThatNobodyWaitsForIsLeftAlone() async throws {
        let kakao = KakaoFixture()
        #expect(!kakao.callbacks.handle(try url("kakaoa1b2://oauth?code=leak")))
        _ = try await kakao.attempt().get()
        #expect(!kakao.callbacks.handle(try url("kakaoa1b2://oauth?code=leak")))
    }

    @Test func cancelledWhileInTalk() async throws {
        let kakao = KakaoFixture(talk: { _ in .stay })
        let attempt = Task { await kakao.failure() }
        await kakao.clock.waitForSleepers(count: 1)
        attempt.cancel()
        #expect(try #require(await attempt.value).code == .cancelled)
        #expect(kakao.browser.opened.isEmpty)
        #expect(!kakao.callbacks.handle(try url("kakaoa1b2://oauth?code=leak")))
    }

    /// What KakaoTalk is opened with at the first request, written out.
    private func scheme(_ kakao: KakaoFixture, _ method: String) -> String {
        let secrets = kakao.secrets[0]
        return """
            kakaokompassauth://authorize?client_id=a1b2&redirect_uri=kakaoa1b2%3A%2F%2Foauth&response_type=code\
            &headers=%7B%22KA%22%3A%22sdk%2F1.0.0%20os%2Ftest%22%7D\
            &params=%7B%22code_challenge%22%3A%22\(secrets.proofKey.challenge)%22%2C\
            %22code_challenge_method%22%3A%22S256%22%2C%22nonce%22%3A%22\(secrets.nonce.reveal())%22%7D\
            &deep_link_method=\(method)
            """
    }

    private func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? ""
    }

    /// A page that answers with a code, asked by the request numbered so.
    private func page(answering request: Int) -> @MainActor (String) -> PageReader.Reaction {
        { _ in .callbacks([KakaoFixture.pageAnswer("code=page-secret", request: request)]) }
    }

    /// Kakao leaves the ID token out where the console has OpenID Connect off, and for a request that names scopes without
    /// `openid`, such as another app's own.
    @Test(arguments: [nil, SignInMethod.Kind.web])
    func answerWithoutAnIDTokenIsRefused(kind: SignInMethod.Kind?) async throws {
        let kakao = KakaoFixture(server: TokenServer(KakaoFixture.accessTokenOnly), page: page(answering: 1))
        let error = try #require(await kakao.failure(AuthRequest(methodKind: kind)))
        #expect(error.code == .misconfigured && error.step == .exchanging)
        #expect(error.explanation.contains("usesOpenIDConnect"))
        #expect(kakao.browser.opened.count == (kind == nil ? 0 : 1), "The page would give no ID token either.")
    }

    @Test func withoutOpenIDConnectTalkProvesNothing() async throws {
        var kakao = KakaoFixture(page: page(answering: 1))
        kakao.configuration.usesOpenIDConnect = false
        #expect(try await kakao.attempt(AuthRequest(purpose: .link)).get().isBound)
        #expect(kakao.phone.opened.isEmpty)
        let error = try #require(await kakao.failure(AuthRequest(purpose: .link, methodKind: .app)))
        #expect(error.code == .misconfigured && error.explanation.contains("OpenID Connect"))
    }

    @Test(arguments: ["KOE320", "KOE303"]) func codeOfAnotherRequestDoesNotEndTheAttempt(koe: String) async throws {
        let server = TokenServer(status: 400, #"{"error":"invalid_grant","error_code":"\#(koe)"}"#)
        let error = try #require(await KakaoFixture(server: server).failure())
        #expect(error.serverCode == koe && error.step == .exchanging)
    }
}
