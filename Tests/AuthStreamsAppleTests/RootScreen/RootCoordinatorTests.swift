import AuthStreams
import AuthStreamsApple
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The switches of a scene's root screen.
@Suite @MainActor struct RootCoordinatorTests {
    /// A scene, which shows screens as long as the test lets it.
    @MainActor
    private final class Scene {
        let broadcast = Broadcast<AuthState>(.restoring(.reading))
        var shown: [RootScreen] = []
        var links: [String] = []
        /// Runs during each switch.
        var transition: @MainActor (RootScreen) async -> Void = { _ in }
        private(set) var coordinator: RootCoordinator?

        init() {
            coordinator = RootCoordinator(AuthStates(broadcast)) { [weak self] screen in
                self?.shown.append(screen)
                await self?.transition(screen)
            } openLink: { [weak self] link in
                self?.links.append("\(link.absoluteString) at \(self?.shown.last.map { "\($0)" } ?? "none")")
            }
        }

        /// Publishes a state, and waits until the coordinator has seen it and waits for the next.
        func state(_ state: AuthState) async throws {
            broadcast.send(state)
            try await settle()
        }

        func settle() async throws {
            try await wait(for: "the coordinator to wait for the next state") { broadcast.waitingReaders > 0 }
        }

        func open(_ link: String) throws { coordinator?.open(try #require(URL(string: link))) }

        func disconnect() { coordinator = nil }
    }

    private let scene = Scene()

    private func signedIn(_ id: String, _ freshness: AuthState.Freshness = .verified, name: String? = nil) -> AuthState
    {
        .signedIn(AuthUser(id: id, displayName: name), freshness)
    }

    // MARK: Screens

    @Test(arguments: [
        (AuthState.restoring(.reading), RootScreen.launch), (.restoring(.waitingForUnlock), .launch),
        (.restoring(.adopting), .launch), (.signedOut(nil), .login), (.signedOut(.revoked), .login),
        (.signingIn(.kakao, .waitingForOtherApp), .login), (.signedIn(AuthUser(id: "1"), .cached), .home("1")),
    ])
    func screenOfAState(state: AuthState, screen: RootScreen) {
        #expect(RootScreen(state) == screen)
    }

    @Test func switchesOnceForEachAnswerToWhoIsSignedIn() async throws {
        try await scene.settle()
        #expect(scene.shown == [])
        #expect(scene.coordinator?.screen == .launch)
        try await scene.state(.signedOut(nil))
        #expect(scene.shown == [.login])
        try await scene.state(.signingIn(.kakao, .presenting))
        try await scene.state(.signingIn(.kakao, .waitingForOtherApp))
        try await scene.state(.signedOut(nil))
        try await scene.state(.signingIn(.google, .establishingSession))
        #expect(scene.shown == [.login])
        try await scene.state(signedIn("1"))
        try await scene.state(signedIn("1", .offline(since: .distantPast)))
        try await scene.state(signedIn("1", name: "Minji"))
        #expect(scene.shown == [.login, .home("1")])
        try await scene.state(signedIn("2"))
        try await scene.state(.signedOut(.revoked))
        try await scene.state(.restoring(.adopting))
        #expect(scene.shown == [.login, .home("1"), .home("2"), .login, .launch])
        #expect(scene.coordinator?.screen == .launch)
    }

    @Test func signInOfAServiceSwitchesFromTheLogInScreenToHome() async throws {
        let fixture = ViewModelFixture()
        let shown = Record<RootScreen>()
        let home = Promise<Void>()
        let coordinator = RootCoordinator(fixture.auth.states) { screen in
            shown.elements.append(screen)
            if screen == .login { fixture.answer.resolve(.success(())) }
            if screen == .home("kakao:1001") { home.resolve(()) }
        }
        _ = try await fixture.auth.signIn(with: .kakao).value
        await home.value()
        #expect(shown.elements == [.login, .home("kakao:1001")])
        #expect(coordinator.screen == .home("kakao:1001"))
    }

    // MARK: Changes during a switch

    @Test func changesDuringASwitchWaitAndTheLastOneCounts() async throws {
        let (begun, held) = (Promise<Void>(), Promise<Void>())
        scene.transition = { screen in
            guard screen == .login else { return }
            begun.resolve(())
            await held.value()
        }
        scene.broadcast.send(.signedOut(nil))
        await begun.value()
        scene.broadcast.send(signedIn("1"))
        scene.broadcast.send(.signedOut(.user))
        scene.broadcast.send(signedIn("2"))
        #expect(scene.shown == [.login])
        held.resolve(())
        try await scene.settle()
        #expect(scene.shown == [.login, .home("2")])
    }

    @Test func changesThatLeadBackToTheScreenCauseNoSwitch() async throws {
        let (begun, held) = (Promise<Void>(), Promise<Void>())
        scene.transition = { _ in
            begun.resolve(())
            await held.value()
        }
        scene.broadcast.send(.signedOut(nil))
        await begun.value()
        scene.broadcast.send(signedIn("1"))
        scene.broadcast.send(.signedOut(.user))
        held.resolve(())
        try await scene.settle()
        #expect(scene.shown == [.login])
    }

    @Test func switchMayChangeWhoIsSignedIn() async throws {
        scene.transition = { [scene] screen in
            if screen == .home("1") { scene.broadcast.send(.signedOut(.user)) }
        }
        try await scene.state(signedIn("1"))
        #expect(scene.shown == [.home("1"), .login])
    }

    // MARK: Links

    @Test func linkInTheMiddleOfALogInWaitsForTheHomeScreen() async throws {
        try scene.open("pulseboard://early")
        try await scene.state(.signedOut(nil))
        try await scene.state(.signingIn(.kakao, .presenting))
        try scene.open("pulseboard://post/7")
        #expect(scene.links == [])
        #expect(scene.coordinator?.pendingLink?.absoluteString == "pulseboard://post/7")
        let (begun, held) = (Promise<Void>(), Promise<Void>())
        scene.transition = { _ in
            begun.resolve(())
            await held.value()
        }
        scene.broadcast.send(signedIn("1"))
        await begun.value()
        #expect(scene.links == [])
        held.resolve(())
        try await scene.settle()
        #expect(scene.links == ["pulseboard://post/7 at home(\"1\")"])
        #expect(scene.coordinator?.pendingLink == nil)
    }

    @Test func linkDuringASwitchWaitsForItsEnd() async throws {
        let (begun, held) = (Promise<Void>(), Promise<Void>())
        scene.transition = { _ in
            begun.resolve(())
            await held.value()
        }
        scene.broadcast.send(signedIn("1"))
        await begun.value()
        try scene.open("pulseboard://post/6")
        #expect(scene.links == [])
        held.resolve(())
        try await scene.settle()
        #expect(scene.links == ["pulseboard://post/6 at home(\"1\")"])
    }

    @Test func linkAtHomeIsOpenedAtOnceAndOnlyInItsScene() async throws {
        let other = Scene()
        try await scene.state(signedIn("1"))
        try await other.state(signedIn("1"))
        try scene.open("pulseboard://post/8")
        #expect(scene.links.count == 1)
        #expect(other.links == [])
        try other.open("pulseboard://post/9")
        #expect(scene.links == ["pulseboard://post/8 at home(\"1\")"])
        #expect(other.links == ["pulseboard://post/9 at home(\"1\")"])
    }

    @Test func linkAfterTheSignOutWaitsForTheNextUser() async throws {
        try await scene.state(signedIn("1"))
        try await scene.state(.signedOut(.user))
        try scene.open("pulseboard://post/9")
        #expect(scene.links == [])
        try await scene.state(signedIn("2"))
        #expect(scene.links == ["pulseboard://post/9 at home(\"2\")"])
    }

    /// The coordinator has not seen the sign-out yet.
    @Test func linkIsNotOpenedOnTheHomeScreenOfAUserWhoLeft() async throws {
        try await scene.state(signedIn("1"))
        scene.broadcast.send(.signedOut(.revoked))
        try scene.open("pulseboard://post/3")
        #expect(scene.links == [])
        try await scene.state(signedIn("2"))
        #expect(scene.links == ["pulseboard://post/3 at home(\"2\")"])
    }

    /// The link is the user's whose home screen was being switched to.
    @Test func linkStaysForItsUserIfTheySignOutDuringTheSwitch() async throws {
        scene.transition = { [scene] screen in
            guard screen == .home("1") else { return }
            scene.transition = { _ in }
            scene.broadcast.send(.signedOut(.user))
        }
        try scene.open("pulseboard://post/5")
        try await scene.state(signedIn("1"))
        #expect(scene.shown == [.home("1"), .login])
        #expect(scene.links == [])
        try await scene.state(signedIn("1"))
        #expect(scene.links == ["pulseboard://post/5 at home(\"1\")"])
    }

    @Test func linkOfOneUserIsNeverOpenedForAnother() async throws {
        scene.transition = { [scene] screen in
            if screen == .home("1") { scene.broadcast.send(.signedOut(.user)) }
        }
        try scene.open("pulseboard://post/5")
        try await scene.state(signedIn("1"))
        try await scene.state(signedIn("2"))
        #expect(scene.shown == [.home("1"), .login, .home("2")])
        #expect(scene.links == [] && scene.coordinator?.pendingLink == nil)
    }

    // MARK: Lifetime

    @Test func releasedCoordinatorSwitchesNoMore() async throws {
        try await scene.state(.signedOut(nil))
        weak let coordinator = scene.coordinator
        scene.disconnect()
        #expect(coordinator == nil)
        scene.broadcast.send(signedIn("1"))
        try await wait(for: "the coordinator to stop reading") { scene.broadcast.waitingReaders == 0 }
        #expect(scene.shown == [.login])
    }

    @Test func coordinatorThatIsReleasedDuringASwitchBeginsNoFurtherOne() async throws {
        let (begun, held) = (Promise<Void>(), Promise<Void>())
        scene.transition = { _ in
            begun.resolve(())
            await held.value()
        }
        try scene.open("pulseboard://post/4")
        scene.broadcast.send(signedIn("1"))
        await begun.value()
        weak let coordinator = scene.coordinator
        scene.disconnect()
        #expect(coordinator == nil)
        scene.broadcast.send(signedIn("2"))
        held.resolve(())
        try await wait(for: "the coordinator to stop reading") { scene.broadcast.waitingReaders == 0 }
        #expect(scene.shown == [.home("1")])
        #expect(scene.links == [])
    }

    @Test func coordinatorKeepsNoServiceAlive() async throws {
        var fixture: ViewModelFixture? = ViewModelFixture()
        let shown = Promise<Void>()
        let coordinator = RootCoordinator(try #require(fixture).auth.states) { _ in shown.resolve(()) }
        await shown.value()
        weak let service = fixture?.auth
        fixture = nil
        #expect(service == nil)
        #expect(coordinator.screen == .login)
    }
}
