import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// How a session ends without the page's answer, and what the error says.
@Suite(.appleDevice) @MainActor struct WebAuthenticationEndTests {
    private let stage = WebStage()

    private func nextSheet() async -> AppleDevice.WebAuthentication.Sheet {
        await AppleDevice.WebAuthentication.nextSheet()
    }

    @Test(arguments: [AppleDevice.Delivery.main, .elsewhere])
    func closingTheSheetIsThePersonsCancel(delivery: AppleDevice.Delivery) async throws {
        AppleDevice.App.connect()
        let attempt = stage.begin()
        await nextSheet().close(times: 2, on: delivery)
        #expect(await attempt.authError?.code == .cancelled)
    }

    @Test(arguments: [true, false]) func cancellingTheTaskClosesTheSheet(callsHandler: Bool) async throws {
        AppleDevice.App.connect()
        AppleDevice.WebAuthentication.cancelCallsHandler = callsHandler
        let attempt = stage.begin()
        let sheet = await nextSheet()
        attempt.cancel()
        #expect(await attempt.authError?.code == .cancelled)
        #expect(sheet.isCancelled)
        sheet.redirect(to: WebStage.customRedirect, on: .elsewhere)
    }

    @Test func sheetThatIsNeverAnsweredClosesAtTheTimeLimit() async throws {
        AppleDevice.App.connect()
        let attempt = stage.begin()
        let sheet = await nextSheet()
        await stage.time.waitForSleepers(count: 1)
        stage.time.advance(by: .seconds(600))
        let error = await attempt.authError
        #expect(error?.code == .timedOut && error?.explanation.contains("com.example.app:/callback") == true)
        #expect(sheet.isCancelled)
    }

    @Test func disconnectedSceneClosesTheSheet() async throws {
        AppleDevice.App.connect()
        let scene = AppleDevice.App.connect()
        let attempt = stage.begin()
        let sheet = await nextSheet()
        AppleDevice.App.disconnect(scene)
        #expect(await attempt.authError == PresentationFailure.sceneDisconnected.error)
        #expect(sheet.isCancelled && AppleDevice.WebAuthentication.started == 1)
    }

    @Test func withoutAWindowNothingIsShown() async throws {
        #expect(await stage.begin().authError == PresentationFailure.noSceneInForeground.error)
        let scene = AppleDevice.App.connect()
        let window = try #require(scene.keyWindow)
        AppleDevice.App.connect()
        AppleDevice.App.disconnect(scene)
        let page = stage.page(in: .in(window))
        #expect(await stage.begin(page).authError == PresentationFailure.windowHasNoScene.error)
        #expect(AppleDevice.WebAuthentication.started == 0)
    }

    @Test func waitForTheSceneEndsWithTheSceneOrTheTask() async throws {
        let scene = AppleDevice.App.connect(.foregroundInactive)
        let window = try #require(scene.keyWindow)
        let cancelled = Task { try await window.waitUntilActive() }
        let attempt = Task { try await window.waitUntilActive() }
        // What was put on the main actor before has run by then, and both wait.
        await Task {}.value
        cancelled.cancel()
        #expect(await cancelled.authError?.code == .cancelled)
        AppleDevice.App.disconnect(scene)
        #expect(await attempt.authError == PresentationFailure.sceneDisconnected.error)
    }

    @Test func sessionThatDoesNotStartNamesGuidedAccessAndManagedDevices() async throws {
        AppleDevice.App.connect()
        AppleDevice.WebAuthentication.canStart = false
        let error = await stage.begin().authError
        #expect(error?.code == .presentationUnavailable && error?.isUserCancellation == false)
        #expect(error?.explanation.contains("Guided Access") == true)
        #expect(error?.explanation.contains("managed device") == true)
    }

    /// There the system starts the session, shows nothing, and reports what it reports when the person closes the sheet.
    @Test func cancelInGuidedAccessIsNotThePersons() async throws {
        AppleDevice.App.connect()
        AppleDevice.App.isGuidedAccessEnabled = true
        let attempt = stage.begin()
        await nextSheet().close()
        #expect(await attempt.authError == WebAuthenticationFailure.cannotStart)
    }

    @Test func httpsWithoutTheAssociationIsMisconfigured() async throws {
        AppleDevice.App.connect()
        let error = await stage.begin(stage.page(.redirect(WebStage.httpsRedirect))).authError
        #expect(error?.code == .misconfigured && error?.isUserCancellation == false)
        #expect(error?.explanation.contains("webcredentials:app.example") == true)
    }

    @Test func closingTheSheetOfAnAssociatedHostIsThePersonsCancel() async throws {
        AppleDevice.App.connect()
        AppleDevice.WebAuthentication.associatedHosts = ["app.example"]
        let attempt = stage.begin(stage.page(.redirect(WebStage.httpsRedirect)))
        await nextSheet().close()
        #expect(await attempt.authError?.code == .cancelled)
    }

    @Test func httpsBeforeTheSystemKnowsItIsMisconfigured() async throws {
        AppleDevice.App.connect()
        AppleDevice.WebAuthentication.associatedHosts = ["app.example"]
        let error = await stage.begin(stage.page(.redirect(WebStage.httpsRedirect)), hasCallbacks: false).authError
        #expect(error?.code == .misconfigured && error?.explanation.contains("iOS 17.4") == true)
        #expect(AppleDevice.WebAuthentication.started == 0)
    }

    @Test(arguments: [
        AuthorizationPage.Redirect.loopback(path: "/callback"),
        .redirect(URL(literal: "http://127.0.0.1:8080/callback")),
        .redirect(URL(literal: "/relative")),
    ])
    func listenerIsRefusedWithTheRightRedirect(redirect: AuthorizationPage.Redirect) async throws {
        AppleDevice.App.connect()
        let error = await stage.begin(stage.page(redirect)).authError
        #expect(error?.code == .misconfigured && error?.explanation.contains("reversedClientID") == true)
        #expect(error?.explanation.contains(".redirect(_:)") == true)
        #expect(AppleDevice.WebAuthentication.started == 0)
    }

    @Test func pageOutsideTheWebIsMisconfigured() async throws {
        AppleDevice.App.connect()
        let error = await stage.begin(stage.page(at: URL(literal: "file:///page"))).authError
        #expect(error?.code == .misconfigured)
    }

    @Test func whatTheSystemSaysOtherwiseIsNotThePersonsCancel() async throws {
        AppleDevice.App.connect()
        let info: [String: Any] = [NSLocalizedFailureReasonErrorKey: "code=secret"]
        let cases: [((any Error)?, AuthError.Code)] = [
            (nil, .unexpected), (URLError(.cancelled), .unexpected),
            (ASWebAuthenticationSessionError(.canceledLogin, userInfo: info), .unexpected),
            (ASWebAuthenticationSessionError(.presentationContextInvalid), .presentationUnavailable),
            (ASWebAuthenticationSessionError(.presentationContextNotProvided), .presentationUnavailable),
            (NSError(domain: ASWebAuthenticationSessionErrorDomain, code: 99), .unexpected),
        ]
        for (error, code) in cases {
            let attempt = stage.begin()
            await nextSheet().finish(nil, error)
            let outcome = await attempt.authError
            #expect(outcome?.code == code)
            #expect(outcome?.debugDescription.contains("secret") == false)
        }
    }
}
