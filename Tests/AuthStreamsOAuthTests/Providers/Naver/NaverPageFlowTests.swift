import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

/// Naver's page: its URL, its `state`, and its errors.
@MainActor
struct NaverPageFlowTests {
    @Test func codeStateAndRedirectURITogetherAreTheCredential() async throws {
        let naver = onPage { .callbacks(["myapp://authorize?code=page-secret&state=\(NaverFixture.state)"]) }
        let credential = try await naver.attempt().get()
        #expect(
            credential
                == Credential(
                    provider: .naver,
                    authorizationCode: .init(
                        code: Secret("page-secret"), state: NaverFixture.secrets.state,
                        redirectURI: try url("myapp://authorize")), isBound: true))
        #expect(
            naver.browser.opened == [
                """
                https://nid.naver.com/oauth2.0/authorize?client_id=cl_1&response_type=code&state=\(NaverFixture.state)\
                &redirect_uri=myapp%3A%2F%2Fauthorize
                """
            ])
        #expect(naver.steps.steps == [.presenting])
    }

    @Test func stateIsNewEachTimeAndOf256Bits() throws {
        let states = Set((0..<100).map { _ in AuthorizationSecrets().state })
        #expect(states.count == 100)
        #expect(states.allSatisfy { Base64URL.decode($0.reveal())?.count == 32 })
    }

    @Test func redirectURICanBeAnother() async throws {
        let naver = onPage(redirectURI: try url("https://app.example.com/naver")) {
            .callbacks(["https://app.example.com/naver?code=page-secret&state=\(NaverFixture.state)"])
        }
        let code = try await naver.attempt().get().authorizationCode
        #expect(code?.redirectURI == (try url("https://app.example.com/naver")))
        #expect(naver.browser.opened.first?.hasSuffix("&redirect_uri=https%3A%2F%2Fapp.example.com%2Fnaver") == true)
    }

    @Test func callbacksWithAnotherStateAreIgnored() async throws {
        let naver = onPage {
            .callbacks([
                "myapp://authorize?code=leak", "myapp://authorize?code=leak&state=x", "other://authorize?code=leak",
                "myapp://authorize?error=access_denied",
                "myapp://authorize?code=leak&state=\(NaverFixture.state)&state=\(NaverFixture.state)",
                "myapp://authorize?code=page-secret&state=\(NaverFixture.state)",
            ])
        }
        #expect(try await naver.attempt().get().authorizationCode?.code == Secret("page-secret"))
    }

    @Test(arguments: ["", "&state=wrong", "&state=RIGHT&state=RIGHT"])
    func stateIsCheckedBeforeTheError(suffix: String) async throws {
        let naver = onPage {
            .forced("myapp://authorize?error=access_denied\(suffix.replacing("RIGHT", with: NaverFixture.state))")
        }
        let error = try #require(await naver.failure())
        #expect(error.code == .stateMismatch)
        #expect(error.step == .presenting)
    }

    @Test(arguments: [
        ("access_denied", AuthError.Code.cancelled), ("invalid_request", .misconfigured),
        ("unauthorized_client", .misconfigured), ("unsupported_response_type", .misconfigured),
        ("server_error", .server),
        ("temporarily_unavailable", .server), ("something_new", .accessDenied),
    ])
    func everyWordOfThePageIsMapped(word: String, code: AuthError.Code) async throws {
        let naver = onPage {
            .callbacks(["myapp://authorize?error=\(word)&error_description=said&state=\(NaverFixture.state)"])
        }
        let error = try #require(await naver.failure())
        #expect(error.code == code)
        #expect(error.serverCode == word)
        #expect(error.step == .presenting)
    }

    @Test(arguments: ["", "&code=", "&code=leak&code=leak"])
    func answerWithoutACodeIsInvalid(suffix: String) async throws {
        let naver = onPage { .callbacks(["myapp://authorize?state=\(NaverFixture.state)\(suffix)"]) }
        #expect(try #require(await naver.failure()).code == .invalidResponse)
    }

    @Test func closedPageIsACancel() async throws {
        let error = try #require(await onPage { .callbacks([]) }.failure())
        #expect(error.code == .cancelled)
        #expect(error.step == .presenting)
    }

    @Test func cancelledWhileThePageIsShown() async throws {
        let isShown = Promise<Void>()
        let naver = onPage {
            isShown.resolve(())
            return .stay
        }
        let attempt = Task { await naver.failure() }
        _ = await isShown.value()
        attempt.cancel()
        #expect(try #require(await attempt.value).code == .cancelled)
    }

    @Test(arguments: [
        (AuthRequest(prompts: [.consent]), "&auth_type=reprompt&"),
        (AuthRequest(prompts: [.login]), "&auth_type=reauthenticate&"),
        (AuthRequest(prompts: [.consent, .selectAccount]), "&auth_type=reauthenticate&"),
        (AuthRequest(purpose: .reauthenticate), "&auth_type=reauthenticate&"),
    ])
    func askingAgainReachesThePage(request: AuthRequest, parameter: String) async throws {
        let naver = onPage { .callbacks(["myapp://authorize?code=page-secret&state=\(NaverFixture.state)"]) }
        _ = try await naver.attempt(request).get()
        #expect(naver.browser.opened.first?.contains(parameter) == true)
    }

    @Test func schemeThatMakesNoURLIsSaidBeforeAnythingIsShown() async throws {
        var naver = NaverFixture()
        naver.configuration.urlScheme = "my app"
        naver.configuration.mode = .browserOnly
        #expect(try #require(await naver.failure()).code == .misconfigured)
    }

    @Test func emulatorDiffersByItsBaseAlone() throws {
        #expect(
            NaverProvider.Endpoints.emulator(at: try url("http://127.0.0.1:9099")).authorize.absoluteString
                == "http://127.0.0.1:9099/nid.naver.com/oauth2.0/authorize")
    }

    /// No Naver app, and a page that the test answers.
    private func onPage(
        redirectURI: URL? = nil, _ react: @escaping @MainActor () -> PageReader.Reaction
    ) -> NaverFixture {
        var naver = NaverFixture(page: { _ in react() })
        naver.configuration.redirectURI = redirectURI
        naver.phone.isInstalled = false
        return naver
    }
}
