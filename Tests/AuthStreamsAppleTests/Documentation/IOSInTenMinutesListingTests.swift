import AuthStreams
import AuthStreamsApple
import Foundation
import SwiftUI
import Testing

/// The listings of the article 'iOS in ten minutes' and of the README, with a service that needs no network.
@Suite @MainActor struct IOSInTenMinutesListingTests {
    private let buttons = ["Login with Kakao", "Log in with NAVER", "Sign in with Google", "Sign in with Apple"]

    @Test func personSignsInSeesTheirNameAndSignsOut() async {
        let host = ViewHost(ContentView(), auth: .preview())
        #expect(buttons.allSatisfy { host.root.labeled($0).count == 1 })
        host.tap("Login with Kakao")
        await host.wait { $0.texts == ["Hello, Minji Kim", "Sign out"] }
        host.root.all("Button")[0].tap()
        await host.wait { $0.labeled("Login with Kakao").count == 1 }
    }

    @Test func personSeesWhyASignInFailed() async throws {
        var error = AuthError(.network, "", provider: .kakao)
        error.operation = .signIn
        let message = try #require(AuthMessage(error, locale: Locale(identifier: "en")))
        let host = ViewHost(ContentView(), auth: .preview(failing: .network))
        host.tap("Login with Kakao")
        await host.wait { $0.texts.contains(message.text) }
    }

    @Test func cancelledSignInShowsNoMessage() async {
        let host = ViewHost(ContentView(), auth: .preview(failing: .cancelled))
        let texts = host.root.texts
        host.tap("Login with Kakao")
        await host.waitUntilIdle()
        #expect(host.root.texts == texts)
    }

    @Test func launchShowsProgress() {
        let host = ViewHost(ContentView(), auth: .preview(.restoring))
        #expect(host.root.all("ProgressView").count == 1)
    }
}
