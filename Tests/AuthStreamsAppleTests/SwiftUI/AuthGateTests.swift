import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import SwiftUI
import TestSupport
import Testing

/// Which of its contents a gate shows, and when it makes a new one.
@Suite @MainActor struct AuthGateTests {
    /// A content that counts how often it began to be shown.
    struct Home: View {
        let user: AuthUser
        let appearances: Record<String>
        @State private var visit = UUID()

        var body: some View {
            Text(verbatim: user.displayName ?? user.id)
                .onAppear { appearances.elements.append("+\(user.id)") }
                .onDisappear { appearances.elements.append("-\(user.id)") }
        }
    }

    struct SignIn: View {
        let appearances: Record<String>
        var body: some View { Text(verbatim: "sign in").onAppear { appearances.elements.append("+signIn") } }
    }

    let appearances = Record<String>()

    private func gate() -> some View {
        AuthGate { [appearances] user in
            Home(user: user, appearances: appearances)
        } signedOut: { [appearances] in
            SignIn(appearances: appearances)
        } restoring: {
            Text(verbatim: "launch")
        }
    }

    @Test(arguments: [
        (AuthPreview.restoring, "launch"), (.signedOut, "sign in"), (.signingIn(.kakao), "sign in"),
        (.signedIn, "Minji Kim"),
    ])
    func contentFollowsTheStateFromTheFirstDrawing(preview: AuthPreview, text: String) {
        #expect(ViewHost(gate(), auth: .preview(preview)).root.texts == [text])
    }

    /// The state is followed also while there is nothing to show.
    @Test func restoringShowsNothingUnlessGivenUntilTheStoreWasRead() async throws {
        let gate = AuthGate { user in
            Text(verbatim: user.id)
        } signedOut: {
            Text(verbatim: "sign in")
        }
        let auth = AuthService.preview(.restoring)
        let host = ViewHost(gate, auth: auth)
        #expect(host.root.texts.isEmpty)
        _ = try await auth.signIn(with: .kakao).value
        await host.wait { $0.texts == ["preview"] }
    }

    @Test func signInContentStaysDuringTheSignInAndTheUserGetsANewOne() async {
        let fixture = ViewModelFixture()
        let host = ViewHost(gate(), auth: fixture.auth)
        await host.wait { $0.texts == ["sign in"] }
        let attempt = Task { await fixture.auth.signIn(with: .kakao).result }
        await fixture.asked.value()
        host.drawNow()
        #expect(host.root.texts == ["sign in"])
        fixture.answer.resolve(.success(()))
        _ = await attempt.value
        await host.wait { $0.texts == ["kakao:1001"] }
        #expect(appearances.elements == ["+signIn", "+kakao:1001"])
    }

    @Test func anotherUserIsANewContentAndTheSignOutEndsIt() async throws {
        let fixture = ViewModelFixture()
        fixture.answer.resolve(.success(()))
        let host = ViewHost(gate(), auth: fixture.auth)
        _ = try await fixture.auth.signIn(with: .kakao).value
        await host.wait { $0.texts == ["kakao:1001"] }
        appearances.elements = []
        _ = try await fixture.auth.signIn(with: .google).value
        await host.wait { $0.texts == ["google.com:1001"] }
        #expect(appearances.elements == ["-kakao:1001", "+google.com:1001"])
        try await fixture.auth.signOut()
        await host.wait { $0.texts == ["sign in"] }
        #expect(appearances.elements == ["-kakao:1001", "+google.com:1001", "-google.com:1001", "+signIn"])
    }

    @Test func changedUserUpdatesTheContentThatIsShown() async throws {
        let fixture = ViewModelFixture()
        let host = ViewHost(gate(), auth: fixture.auth)
        _ = try await fixture.auth.signIn(with: .google).value
        await host.wait { $0.texts == ["google.com:1001"] }
        appearances.elements = []
        _ = try await fixture.auth.updateProfile(displayName: .set("Seoyeon")).value
        await host.wait { $0.texts == ["Seoyeon"] }
        #expect(appearances.elements.isEmpty)
    }

    @Test func refreshReplacesNothing() async throws {
        let fixture = ViewModelFixture()
        let host = ViewHost(gate(), auth: fixture.auth)
        _ = try await fixture.auth.signIn(with: .google).value
        await host.wait { $0.texts == ["google.com:1001"] }
        appearances.elements = []
        _ = try await fixture.auth.accessToken(forceRefresh: true)
        // What is seen after it.
        _ = try await fixture.auth.updateProfile(displayName: .set("Seoyeon")).value
        await host.wait { $0.texts == ["Seoyeon"] }
        #expect(appearances.elements.isEmpty)
    }

    @Test func anotherServiceIsShownAtOnce() async throws {
        let first = AuthService.preview()
        let host = ViewHost(gate(), auth: first)
        _ = try await first.signIn(with: .kakao).value
        await host.wait { $0.texts == ["Minji Kim"] }
        let other = AuthUser(id: "other", displayName: "Jiho")
        for (preview, text) in [(AuthPreview.signedOut, "sign in"), (.signedIn(as: other), "Jiho")] {
            host.change { $0.auth = .preview(preview) }
            #expect(host.root.texts == [text])
        }
    }

    /// The state of the first service, which is still read when the second is there, changes nothing.
    @Test func serviceThatWasReplacedIsNoLongerFollowed() async throws {
        let (first, second) = (AuthService.preview(), AuthService.preview())
        let host = ViewHost(gate(), auth: first)
        host.change { $0.auth = second }
        _ = try await first.signIn(with: .kakao).value
        _ = try await second.signIn(with: .kakao).value
        await host.wait { $0.texts == ["Minji Kim"] }
        try await first.signOut()
        // What is seen after it.
        _ = try await second.updateProfile(displayName: .set("Jiho")).value
        await host.wait { $0.texts != ["Minji Kim"] }
        #expect(host.root.texts == ["Jiho"])
    }
}
