import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import Testing

@testable import AuthStreamsApple

/// What SwiftUI's session does is not known here: the stub is a declaration. A closure stands for it.
@MainActor struct SwiftUIWebAuthenticationAgentTests {
    private let stage = WebStage()

    private func begin(
        _ page: AuthorizationPage? = nil, _ browserSession: WebAuthenticationAgent.BrowserSession = .shared,
        hasCallbacks: Bool = true,
        _ authenticate: @escaping SwiftUIWebAuthenticationAgent.Authenticate
    ) -> Task<AuthorizationAnswer, any Error> {
        let page = page ?? stage.page()
        let clock = stage.time.authClock(startingAt: .distantPast)
        return Task {
            try await SwiftUIWebAuthenticationAgent(
                browserSession, .seconds(600), clock, hasCallbacks: hasCallbacks, authenticate: authenticate
            ).authorize(page)
        }
    }

    @Test(arguments: [WebAuthenticationAgent.BrowserSession.shared, .ephemeral])
    func answerIsTheURLOfTheSession(browserSession: WebAuthenticationAgent.BrowserSession) async throws {
        let answer = try await begin(stage.page(), browserSession) { target, given in
            #expect(target.url == WebStage.address && target.callback == .customScheme("com.example.app"))
            #expect(given == browserSession)
            return URL(literal: "com.example.app:/callback?code=1")
        }.value
        #expect(answer.url.query() == "code=1" && answer.redirectURI == WebStage.customRedirect)
    }

    @Test func closingTheSheetIsThePersonsCancel() async {
        let error = await begin { _, _ in throw ASWebAuthenticationSessionError(.canceledLogin) }.authError
        #expect(error?.code == .cancelled)
    }

    @Test func httpsWithoutTheAssociationIsMisconfigured() async {
        let error = await begin(stage.page(.redirect(WebStage.httpsRedirect))) { _, _ in
            throw ASWebAuthenticationSessionError(.canceledLogin, userInfo: [NSLocalizedFailureReasonErrorKey: "…"])
        }.authError
        #expect(error?.code == .misconfigured && error?.explanation.contains("webcredentials") == true)
    }

    @Test func redirectThatNoSessionEndsWithIsRefusedBeforeAnythingIsShown() async {
        for (redirect, hasCallbacks) in [(.loopback(path: "/"), true), (.redirect(WebStage.httpsRedirect), false)]
            as [(AuthorizationPage.Redirect, Bool)]
        {
            let error = await begin(stage.page(redirect), hasCallbacks: hasCallbacks) { _, _ in
                Issue.record("nothing is shown")
                return WebStage.address
            }.authError
            #expect(error?.code == .misconfigured)
        }
    }

    @Test func withoutAViewNothingIsShown() async {
        let error = await Task { [page = stage.page()] in
            try await SwiftUIWebAuthenticationAgent().authorize(page)
        }.authError
        #expect(error?.code == .presentationUnavailable)
    }

    /// The attempt ends also where the session heeds neither cancellation nor time.
    @Test(arguments: [true, false]) func taskAndTimeLimitEndTheAttempt(isCancelled: Bool) async {
        let (shown, release) = (Promise<Void>(), Promise<Void>())
        let ended = Promise<Bool>()
        let attempt = begin { _, _ in
            shown.resolve(())
            // Not part of the task that is cancelled.
            await Task { _ = await release.value() }.value
            ended.resolve(Task.isCancelled)
            return WebStage.customRedirect
        }
        _ = await shown.value()
        if isCancelled {
            attempt.cancel()
        } else {
            await stage.time.waitForSleepers(count: 1)
            stage.time.advance(by: .seconds(600))
        }
        #expect(await attempt.authError?.code == (isCancelled ? .cancelled : .timedOut))
        release.resolve(())
        #expect(await ended.value() == true, "The session is told.")
    }
}
