import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing

/// The links of the app that a scene of SwiftUI receives, and the user on whose content they are opened.
@Suite @MainActor struct OpenLinkTests {
    /// Shows the link that it opened last.
    struct Home: View {
        let user: AuthUser
        let opened: Record<String>
        @Environment(\.pendingLink) private var link

        var body: some View {
            Text(verbatim: link == nil ? user.id : "a link waits").onOpenLink { [opened, user] in
                opened.elements.append("\($0.absoluteString) for \(user.id)")
            }
        }
    }

    struct Login: View {
        @Environment(\.pendingLink) private var link
        var body: some View { Text(verbatim: link == nil ? "log in" : "log in to open the link") }
    }

    let fixture = ViewModelFixture()
    let opened = Record<String>()

    private func scene(_ auth: AuthService, onOtherURL: (@MainActor (URL) -> Void)? = nil) -> ViewHost {
        ViewHost(
            AuthGate { [opened] user in
                Home(user: user, opened: opened)
            } signedOut: {
                Login()
            }
            .authService(auth, onOtherURL: onOtherURL))
    }

    private let post = URL(literal: "pulseboard://posts/7")

    /// Waits until what was opened is as wished.
    private func wait(for links: [String]) async throws {
        try await TestSupport.wait(for: "the links to be opened") { opened.elements == links }
    }

    @Test func linkInTheMiddleOfALoginIsOpenedOnceOnTheContentOfItsUser() async throws {
        let host = scene(fixture.auth)
        await host.wait { $0.texts == ["log in"] }
        let attempt = Task { await fixture.auth.signIn(with: .kakao).result }
        await fixture.asked.value()
        host.open(post)
        await host.wait { $0.texts == ["log in to open the link"] }
        #expect(opened.elements.isEmpty)
        fixture.answer.resolve(.success(()))
        _ = await attempt.value
        try await wait(for: ["pulseboard://posts/7 for kakao:1001"])
        host.drawNow()
        try await fixture.auth.signOut()
        await host.wait { $0.texts == ["log in"] }
        _ = try await fixture.auth.signIn(with: .google).value
        await host.wait { $0.texts == ["google.com:1001"] }
        // What is opened after it.
        host.open(URL(literal: "pulseboard://posts/8"))
        try await wait(for: ["pulseboard://posts/7 for kakao:1001", "pulseboard://posts/8 for google.com:1001"])
    }

    @Test func linkBeforeTheStoreWasReadIsOpened() async throws {
        let auth = AuthService.preview(.restoring)
        let host = scene(auth)
        host.open(post)
        _ = try await auth.signIn(with: .kakao).value
        try await wait(for: ["pulseboard://posts/7 for preview"])
    }

    @Test func linkOnTheContentOfAUserIsOpenedAtOnceAndOnlyInItsScene() async throws {
        let auth = AuthService.preview(.signedIn)
        let others = Record<String>()
        let other = ViewHost(
            AuthGate { user in
                Home(user: user, opened: others)
            } signedOut: {
                Login()
            }
            .authService(auth))
        let scenes = [scene(auth), other]
        scenes[0].open(post)
        try await wait(for: ["pulseboard://posts/7 for preview"])
        // The same link a second time.
        scenes[0].open(post)
        try await wait(for: ["pulseboard://posts/7 for preview", "pulseboard://posts/7 for preview"])
        scenes[0].open(post)
        try await wait(for: Array(repeating: "pulseboard://posts/7 for preview", count: 3))
        #expect(others.elements.isEmpty)
        withExtendedLifetime(scenes) {}
    }

    /// It arrived while the first user was signed in, and their content had no place for it.
    @Test func linkOfOneUserIsNeverOpenedForAnother() async throws {
        struct Content: View {
            let user: AuthUser
            let opened: Record<String>
            var body: some View {
                if user.id == "kakao:1001" { Text(verbatim: "loading") } else { Home(user: user, opened: opened) }
            }
        }
        fixture.answer.resolve(.success(()))
        let host = ViewHost(
            AuthGate { [opened] user in
                Content(user: user, opened: opened)
            } signedOut: {
                Login()
            }
            .authService(fixture.auth))
        // For the next user, who is the one at Kakao.
        host.open(post)
        _ = try await fixture.auth.signIn(with: .kakao).value
        await host.wait { $0.texts == ["loading"] }
        _ = try await fixture.auth.signIn(with: .google).value
        await host.wait { $0.texts == ["google.com:1001"] }
        // What is opened after it.
        host.open(URL(literal: "pulseboard://posts/8"))
        try await wait(for: ["pulseboard://posts/8 for google.com:1001"])
    }

    @Test func linkForTheUsersOfAnotherServiceIsDropped() async throws {
        let (first, second) = (AuthService.preview(), AuthService.preview(.signedIn))
        struct Root: View {
            let auth: AuthService
            let opened: Record<String>
            var body: some View {
                AuthGate {
                    Home(user: $0, opened: opened)
                } signedOut: {
                    Login()
                }.authService(auth)
            }
        }
        let host = ViewHost(Root(auth: first, opened: opened))
        host.open(post)
        host.show(Root(auth: second, opened: opened))
        await host.wait { $0.texts == ["preview"] }
        // What is opened after it.
        host.open(URL(literal: "pulseboard://posts/8"))
        try await wait(for: ["pulseboard://posts/8 for preview"])
    }

    @Test func closureReceivesTheAppsLinksAtOnceAndNoneIsKept() async {
        let others = Record<URL>()
        let host = scene(.preview()) { others.elements.append($0) }
        await host.wait { $0.texts == ["log in"] }
        host.open(post)
        #expect(others.elements == [post])
        host.drawNow()
        #expect(host.root.texts == ["log in"])
    }

    @Test func contentOutsideOfAGateOpensNothing() async throws {
        let user = AuthUser(id: "1")
        let host = ViewHost(
            VStack {
                Home(user: user, opened: opened)
                AuthGate { [opened] in
                    Home(user: $0, opened: opened)
                } signedOut: {
                    EmptyView()
                }
            }
            .authService(.preview(.signedIn)))
        host.open(post)
        try await wait(for: ["pulseboard://posts/7 for preview"])
    }
}
