import AuthStreams
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@Suite(.appleDevice) @MainActor struct WebAuthenticationTests {
    @MainActor private final class Context: NSObject, ASWebAuthenticationPresentationContextProviding {
        var window = UIWindow()

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
    }

    /// What a completion handler is called with.
    private final class Outcome: Sendable {
        let calls = Calls()
        let texts = Lock<[String]>([])

        @Sendable func handle(_ url: URL?, _ error: (any Error)?) {
            texts.withLock { $0.append(url?.absoluteString ?? "\(error.map { ($0 as NSError).code } ?? 0)") }
            calls.add()
        }

        func next() async -> String? {
            _ = await calls.next()
            return texts.withLock { $0.last }
        }
    }

    private let context = Context()
    private let outcome = Outcome()
    private let page = URL(literal: "https://issuer.example/authorize")

    private func session(_ callback: ASWebAuthenticationSession.Callback = .customScheme("app"))
        -> ASWebAuthenticationSession
    {
        let session = ASWebAuthenticationSession(url: page, callback: callback, completionHandler: outcome.handle)
        session.presentationContextProvider = context
        return session
    }

    private func connect() throws { context.window = try #require(AppleDevice.App.connect().keyWindow) }

    @Test func redirectThatFitsEndsTheSession() async throws {
        try connect()
        let session = session()
        session.prefersEphemeralWebBrowserSession = true
        #expect(session.canStart && session.start() && !session.canStart && !session.start())
        let sheet = await AppleDevice.WebAuthentication.nextSheet()
        #expect(sheet.isEphemeral && sheet.url == page && sheet.anchor === context.window)
        #expect(!sheet.redirect(to: URL(literal: "other://callback")))
        #expect(sheet.redirect(to: URL(literal: "app://callback?code=1"), times: 2))
        #expect(await outcome.next() == "app://callback?code=1")
        _ = await outcome.calls.next()
        sheet.close(on: .elsewhere)
        #expect(await outcome.calls.next() == .elsewhere)
        #expect(outcome.texts.withLock { $0.last } == "1")
    }

    @Test func oldInitializerTakesTheScheme() async throws {
        try connect()
        let session = ASWebAuthenticationSession(
            url: page, callbackURLScheme: "app", completionHandler: outcome.handle)
        session.presentationContextProvider = context
        #expect(session.start())
        #expect(await AppleDevice.WebAuthentication.nextSheet().redirect(to: URL(literal: "APP://x")))
        #expect(await outcome.next() == "APP://x")
    }

    @Test func startIsFalseInGuidedAccess() throws {
        try connect()
        AppleDevice.WebAuthentication.canStart = false
        let session = session()
        #expect(!session.canStart && !session.start())
        #expect(outcome.calls.count == 0)
    }

    @Test func startNeedsAWindowOfASceneInTheForeground() async throws {
        let session = session()
        #expect(!session.start())
        #expect(await outcome.next() == "3")
        session.presentationContextProvider = nil
        #expect(!session.start())
        #expect(await outcome.next() == "2")
        let scene = AppleDevice.App.connect()
        context.window = try #require(scene.keyWindow)
        session.presentationContextProvider = context
        AppleDevice.App.disconnect(scene)
        #expect(!session.start())
        #expect(await outcome.next() == "3")
    }

    @Test func httpsCallbackNeedsTheAssociation() async throws {
        try connect()
        #expect(session(.https(host: "app.example", path: "/callback")).start())
        #expect(await outcome.next() == "1")
        AppleDevice.WebAuthentication.associatedHosts = ["app.example"]
        #expect(session(.https(host: "app.example", path: "/callback")).start())
        let sheet = await AppleDevice.WebAuthentication.nextSheet()
        #expect(!sheet.redirect(to: URL(literal: "https://app.example/other")))
        #expect(sheet.redirect(to: URL(literal: "https://app.example/callback?code=1")))
    }

    @Test(arguments: [true, false]) func cancelClosesTheSheet(callsHandler: Bool) async throws {
        try connect()
        AppleDevice.WebAuthentication.cancelCallsHandler = callsHandler
        let session = session()
        #expect(session.start())
        let sheet = await AppleDevice.WebAuthentication.nextSheet()
        session.cancel()
        session.cancel()
        #expect(sheet.isCancelled && !session.start())
        if callsHandler { #expect(await outcome.next() == "1") }
        #expect(outcome.calls.count == (callsHandler ? 1 : 0))
    }
}
