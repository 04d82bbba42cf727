import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing
import UIKit

@testable import AuthStreamsApple

/// How a session ends with the page's answer.
@Suite(.appleDevice) @MainActor struct WebAuthenticationAgentTests {
    private let stage = WebStage()

    private func nextSheet() async -> AppleDevice.WebAuthentication.Sheet {
        await AppleDevice.WebAuthentication.nextSheet()
    }

    @Test(arguments: [true, false]) func pageAnswersAtTheAppsScheme(hasCallbacks: Bool) async throws {
        AppleDevice.App.connect()
        let scene = AppleDevice.App.connect()
        let attempt = stage.begin(hasCallbacks: hasCallbacks)
        let sheet = await nextSheet()
        #expect(sheet.url == WebStage.address && !sheet.isEphemeral && sheet.anchor === scene.keyWindow)
        #expect(!sheet.redirect(to: URL(literal: "https://issuer.example/next")))
        #expect(sheet.redirect(to: URL(literal: "com.example.app:/callback?code=1")))
        let answer = try await attempt.value
        #expect(answer.url.absoluteString == "com.example.app:/callback?code=1")
        #expect(answer.redirectURI == WebStage.customRedirect && !sheet.isCancelled)
    }

    @Test func sessionIsEphemeralWhereTheAppSaysSo() async throws {
        AppleDevice.App.connect()
        let attempt = stage.begin(stage.page(), .ephemeral)
        let sheet = await nextSheet()
        #expect(sheet.isEphemeral)
        sheet.redirect(to: WebStage.customRedirect)
        _ = try await attempt.value
    }

    @Test func pageAnswersAtAnAssociatedHost() async throws {
        AppleDevice.App.connect()
        AppleDevice.WebAuthentication.associatedHosts = ["app.example"]
        let attempt = stage.begin(stage.page(.redirect(WebStage.httpsRedirect)))
        let sheet = await nextSheet()
        #expect(!sheet.redirect(to: URL(literal: "https://app.example/elsewhere")))
        #expect(!sheet.redirect(to: URL(literal: "https://other.example/callback")))
        #expect(sheet.redirect(to: URL(literal: "https://app.example/callback?code=1")))
        #expect(try await attempt.value.url.query() == "code=1")
    }

    @Test func givenWindowIsTheAnchor() async throws {
        let window = try #require(AppleDevice.App.connect().keyWindow)
        AppleDevice.App.connect()
        let attempt = stage.begin(stage.page(in: .in(window)))
        let sheet = await nextSheet()
        #expect(sheet.anchor === window)
        sheet.redirect(to: WebStage.customRedirect)
        _ = try await attempt.value
    }

    /// On a phone, code of the main actor that is called from another queue traps.
    @Test(arguments: [AppleDevice.Delivery.main, .elsewhere])
    func secondCallbackIsIgnoredOnAnyQueue(delivery: AppleDevice.Delivery) async throws {
        AppleDevice.App.connect()
        let attempt = stage.begin()
        let sheet = await nextSheet()
        sheet.redirect(to: URL(literal: "com.example.app:/callback?code=1"), times: 2, on: delivery)
        #expect(try await attempt.value.url.query() == "code=1")
        sheet.redirect(to: URL(literal: "com.example.app:/callback?code=2"), on: delivery)
        sheet.close(times: 2, on: delivery)
        let next = stage.begin()
        await nextSheet().redirect(to: URL(literal: "com.example.app:/callback?code=3"), on: delivery)
        #expect(try await next.value.url.query() == "code=3")
    }

    @Test func twoAttemptsHaveASheetAndAnAnswerEach() async throws {
        AppleDevice.App.connect()
        var attempts: [Task<AuthorizationAnswer, any Error>] = []
        var sheets: [AppleDevice.WebAuthentication.Sheet] = []
        for _ in 0..<2 {
            attempts.append(stage.begin())
            sheets.append(await nextSheet())
        }
        sheets[1].redirect(to: URL(literal: "com.example.app:/callback?code=1"))
        #expect(try await attempts[1].value.url.query() == "code=1")
        #expect(!sheets[0].isCancelled, "The other one goes on.")
        sheets[0].redirect(to: URL(literal: "com.example.app:/callback?code=0"))
        #expect(try await attempts[0].value.url.query() == "code=0")
    }

    /// People fetch one-time codes from their mail and messages.
    @Test func backgroundAndLockChangeNothing() async throws {
        let scene = AppleDevice.App.connect()
        let attempt = stage.begin()
        let sheet = await nextSheet()
        AppleDevice.App.move(scene, to: .foregroundInactive)
        AppleDevice.App.move(scene, to: .background)
        AppleDevice.lock()
        await stage.time.waitForSleepers(count: 1)
        stage.time.advance(by: .seconds(599))
        AppleDevice.unlock()
        AppleDevice.App.move(scene, to: .foregroundActive)
        #expect(!sheet.isCancelled)
        sheet.redirect(to: URL(literal: "com.example.app:/callback?code=1"))
        #expect(try await attempt.value.url.query() == "code=1")
    }

    /// Another app has opened this one by a refusal, and the page follows: its URL comes before the scene is active.
    @Test func sheetWaitsUntilTheSceneIsActive() async throws {
        let scene = AppleDevice.App.connect(.foregroundInactive)
        let attempt = stage.begin()
        await stage.time.waitForSleepers(count: 1)
        // A sheet that did not wait would be up by then.
        for _ in 0..<100 { await Task.yield() }
        #expect(AppleDevice.WebAuthentication.started == 0)
        AppleDevice.App.move(scene, to: .foregroundActive)
        await nextSheet().redirect(to: WebStage.customRedirect)
        _ = try await attempt.value
    }
}
