import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// The Naver app first: what it is opened with, and what follows from each of its answers.
@MainActor
struct NaverAppFlowTests {
    private let page: @MainActor (String) -> PageReader.Reaction = { _ in
        .callbacks(["myapp://authorize?code=page-secret&state=\(NaverFixture.state)"])
    }

    @Test func codeOfTheAppIsTheCredential() async throws {
        let naver = NaverFixture()
        let credential = try await naver.attempt().get()
        #expect(
            credential
                == Credential(
                    provider: .naver, authorizationCode: .init(code: Secret("app-secret")), isBound: false))
        #expect(naver.phone.asked == ["naversearchthirdlogin://"])
        #expect(
            naver.phone.opened.map(\.url) == [
                """
                naversearchthirdlogin://thirdPartyLogin?version=2&callbackScheme=myapp&extOauthConsumerKey=cl_1\
                &response_type=code&extAppName=My%20App
                """
            ])
        #expect(naver.phone.opened.map(\.universalLinksOnly) == [false])
        #expect(naver.steps.steps == [.waitingForOtherApp])
    }

    @Test(arguments: [
        (2, AuthError.Code.cancelled), (6, .misconfigured), (7, .misconfigured), (8, .misconfigured), (9, .server),
        (10, .server), (11, .server), (99, .server),
    ])
    func everyNumberOfTheAppIsAnErrorAndNeverACode(number: Int, code: AuthError.Code) async throws {
        var naver = NaverFixture(app: { _ in
            .answer(["myapp://thirdPartyLoginResult?code=\(number)&error_detail=leak"])
        })
        naver.configuration.mode = .appOnly
        let error = try #require(await naver.failure())
        #expect(error.code == code)
        #expect(error.serverCode == "\(number)")
        #expect(error.step == .waitingForOtherApp)
    }

    @Test(arguments: [
        "code=6&authCode=leak", "authCode=leak&code=6", "code=x%20y", "authCode=", "nothing=here",
        "authCode=leak&authCode=leak",
    ])
    func callbackWithoutExactlyOneCodeOrErrorIsIgnored(query: String) async throws {
        let naver = NaverFixture(app: { _ in
            .answer(["myapp://thirdPartyLoginResult?\(query)", "myapp://thirdPartyLoginResult?authCode=app-secret"])
        })
        #expect(try await naver.attempt().get().authorizationCode?.code == Secret("app-secret"))
        #expect(naver.phone.taken == [false, true])
    }

    @Test func numberZeroIsNoError() async throws {
        let naver = NaverFixture(app: { _ in .answer(["myapp://thirdPartyLoginResult?code=0&authCode=app-secret"]) })
        #expect(try await naver.attempt().get().authorizationCode?.code == Secret("app-secret"))
    }

    @Test func cancelInTheAppIsFinal() async throws {
        let naver = NaverFixture(app: { _ in .answer(["myapp://thirdPartyLoginResult?code=2&error_detail=leak"]) })
        let error = try #require(await naver.failure())
        #expect(error.code == .cancelled)
        #expect(naver.browser.opened.isEmpty)
    }

    @Test(arguments: ["code=6", "code=9", "code=10", "code=77"])
    func failureInTheAppMeansTheBrowser(query: String) async throws {
        let naver = NaverFixture(app: { _ in .answer(["myapp://thirdPartyLoginResult?\(query)"]) }, page: page)
        let code = try await naver.attempt().get().authorizationCode
        #expect(code?.code == Secret("page-secret"))
        #expect(naver.steps.steps == [.waitingForOtherApp, .presenting])
    }

    @Test func absentAppMeansTheBrowser() async throws {
        let naver = NaverFixture(page: page)
        naver.phone.isInstalled = false
        #expect(try await naver.attempt().get().authorizationCode?.code == Secret("page-secret"))
        #expect(naver.phone.opened.isEmpty)
    }

    @Test func appThatDoesNotOpenMeansTheBrowser() async throws {
        let naver = NaverFixture(app: { _ in .refuse }, page: page)
        #expect(try await naver.attempt().get().authorizationCode?.code == Secret("page-secret"))
        #expect(naver.steps.steps == [.presenting])
    }

    @Test(arguments: [true, false])
    func withoutTheBrowserAnAppThatDoesNotOpenIsAnError(isInstalled: Bool) async throws {
        var naver = NaverFixture(app: { _ in .refuse })
        naver.configuration.mode = .appOnly
        naver.phone.isInstalled = isInstalled
        let error = try #require(await naver.failure())
        #expect(error.code == .appUnavailable)
        #expect(error.explanation.contains("LSApplicationQueriesSchemes"))
    }

    @Test func withoutTheAppItIsNotEvenAskedFor() async throws {
        var naver = NaverFixture(page: page)
        naver.configuration.mode = .browserOnly
        _ = try await naver.attempt().get()
        #expect(naver.phone.asked.isEmpty)
        #expect(naver.phone.opened.isEmpty)
    }

    @Test func comingBackWithoutAnAnswerIsAbandonedAfterTheGrace() async throws {
        let naver = NaverFixture(app: { _ in .comeBack })
        async let failure = naver.failure()
        await naver.clock.waitForSleepers(count: 2)
        naver.clock.advance(by: .seconds(1))
        #expect(try #require(await failure).code == .abandoned)
        #expect(naver.browser.opened.isEmpty)
    }

    @Test func callbacksOfOtherPlacesAreLeftAlone() async throws {
        let naver = NaverFixture(app: { _ in
            .answer([
                "other://thirdPartyLoginResult?authCode=leak", "myapp://authorize?code=leak",
                "myapp://thirdPartyLoginResult/x?authCode=leak", "myapp://thirdPartyLoginResult?authCode=app-secret",
                "myapp://thirdPartyLoginResult?authCode=leak",
            ])
        })
        #expect(try await naver.attempt().get().authorizationCode?.code == Secret("app-secret"))
        #expect(naver.phone.taken == [false, false, false, true, true])
        #expect(!naver.callbacks.handle(try url("myapp://thirdPartyLoginResult?authCode=leak")))
    }

    @Test func cancelledWhileInTheApp() async throws {
        let naver = NaverFixture(app: { _ in .stay })
        let attempt = Task { await naver.failure() }
        await naver.clock.waitForSleepers(count: 1)
        attempt.cancel()
        #expect(try #require(await attempt.value).code == .cancelled)
        #expect(naver.browser.opened.isEmpty)
        #expect(!naver.callbacks.handle(try url("myapp://thirdPartyLoginResult?authCode=leak")))
    }

    @Test(arguments: [
        (AuthRequest(prompts: [.consent]), "&authType=reprompt"),
        (AuthRequest(methodKind: .app, prompts: [.login]), "&extAppName=My%20App"),
        (AuthRequest(methodKind: .app, prompts: [.login, .consent]), "&authType=reprompt"),
    ])
    func askingAgainReachesTheApp(request: AuthRequest, ending: String) async throws {
        let naver = NaverFixture()
        _ = try await naver.attempt(request).get()
        #expect(naver.phone.opened.first?.url.hasSuffix(ending) == true)
    }
}
