import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Sign-ins, sign-outs and resumed attempts while the gate is closed since the launch.
@Suite struct GateAndSignInsTests {
    @Test func signInOpensTheGate() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        let bob = try await scene.auth.signIn(with: .kakao).value.user
        #expect(bob.id == "bob" && scene.auth.user?.id == "bob" && scene.auth.gateState == .open)
        // The caller was ada's.
        #expect(await caller.value.error?.code == .superseded)
        #expect(await question.wasCancelled.value() != nil)
        question.pass()
        #expect(try await scene.auth.accessToken() == Secret("access-of-bob"))
        #expect(scene.doorkeeper.reasons == [.launch])
    }

    @Test func signInAsTheSamePersonOpensTheGateForItsCallers() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        let ada = Credential(provider: .kakao, userID: "ada", isBound: true)
        _ = try await scene.auth.signIn(credential: ada).value
        #expect(await caller.value == .success(Secret("access-of-ada")))
        #expect(await question.wasCancelled.value() != nil)
        #expect(scene.auth.gateState == .open && scene.doorkeeper.reasons == [.launch])
    }

    @Test func signOutDoesNotAsk() async throws {
        let scene = try await GateScene(phase: .inactive)
        _ = await scene.states { $0 == GateScene.waiting }
        try await scene.auth.signOut()
        scene.activity.move(to: .active)
        #expect(scene.auth.state == .signedOut(.user) && scene.doorkeeper.reasons.isEmpty)
        #expect(scene.repository.calls == [.signOut("ada")])
        #expect(try await scene.store.read(.session).data.flatMap(SessionRecord.session(in:)) == nil)
    }

    @Test func signOutEndsTheQuestion() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        try await scene.auth.signOut()
        #expect(await caller.value.error?.code == .superseded)
        #expect(await question.wasCancelled.value() != nil)
        #expect(scene.auth.gateState == .open)
    }

    @Test func signOutOfAnotherProcessEndsTheQuestion() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        let other = SessionManager(store: scene.store)
        try await other.restore()
        try await AuthSignOut(repository: scene.repository, manager: other)().value
        _ = await scene.states { $0 == .signedOut(.elsewhere) }
        #expect(await caller.value.error?.code == .superseded)
        #expect(await question.wasCancelled.value() != nil)
    }

    @Test func answerThatComesAfterASignOutOpensNothing() async throws {
        let scene = try await GateScene(doorkeeper: Doorkeeper(ignoresCancellation: true))
        let question = try await scene.doorkeeper.question(1)
        try await scene.auth.signOut()
        question.pass()
        #expect(scene.auth.state == .signedOut(.user))
        #expect(await outcome(of: AuthStream { try await scene.auth.accessToken() })?.error?.code == .notSignedIn)
    }

    // MARK: Attempts

    @Test func attemptThatBeginsOnTheLockedScreenReplacesTheHiddenUserAtTheNextLaunch() async throws {
        let page = PageInAnotherApp()
        let scene = try await GateScene(providers: [page])
        _ = try await scene.doorkeeper.question(1)
        let attempt = Task { [auth = scene.auth] in await auth.signIn(with: page.id).result }
        _ = await page.isShown.value()
        let next = SessionManager(store: scene.store)
        #expect(try await PendingAttempts(manager: next).take { _ in true }?.intent.user == "ada")
        attempt.cancel()
        _ = await attempt.value
    }

    @Test(arguments: [AuthRequest.Purpose.link, .reauthenticate])
    func resumedChangeThatTheGateRefusesIsAbandoned(purpose: AuthRequest.Purpose) async throws {
        let page = PageInAnotherApp()
        let scene = try await GateScene(providers: [page])
        let question = try await scene.doorkeeper.question(1)
        var events = scene.auth.events.makeAsyncIterator()
        let intent = PendingAttempts.Intent(provider: page.id, purpose: purpose, user: "ada")
        let earlier = SessionManager(store: scene.store, clock: scene.auth.manager.clock)
        _ = await PendingAttempts(manager: earlier).keep(PageInAnotherApp.attempt, for: intent)
        #expect(scene.auth.handle(PageInAnotherApp.answer))
        try await scene.waitForCallers(1)
        question.refuse()
        while let event = await events.next(), event.kind != .gateRefused {}
        let end = await events.next()
        #expect(end?.kind == .attemptAbandoned && end?.provider == page.id && end?.failure?.code == .abandoned)
        #expect(scene.repository.calls.isEmpty)
    }

    @Test(arguments: [AuthRequest.Purpose.link, .reauthenticate])
    func resumedChangeThatDoesNotBeginIsAbandoned(purpose: AuthRequest.Purpose) async throws {
        let page = PageInAnotherApp()
        let scene = try await GateScene(stored: GateScene.ada, providers: [page], routes: [.naver])
        try await scene.doorkeeper.question(1).pass()
        var events = scene.auth.events.makeAsyncIterator()
        let intent = PendingAttempts.Intent(provider: page.id, purpose: purpose, user: "ada")
        let earlier = SessionManager(store: scene.store, clock: scene.auth.manager.clock)
        _ = await PendingAttempts(manager: earlier).keep(PageInAnotherApp.attempt, for: intent)
        #expect(scene.auth.handle(PageInAnotherApp.answer))
        while let event = await events.next(), event.kind != .attemptAbandoned { #expect(event.kind != .changeStarted) }
        #expect(scene.repository.calls.isEmpty)
    }

    @Test func quietQuestionIsNotAskedBesideTheGate() async throws {
        let asked = Lock(0)
        let passkeys = ScriptedProvider(.passkey, methodKinds: [.sheet, .immediate]) { _ in
            asked.withLock { $0 += 1 }
            return .assertion(["id": "AQ"])
        }
        let scene = try await GateScene(providers: [passkeys])
        let question = try await scene.doorkeeper.question(1)
        #expect(await outcome(of: scene.auth.signIn(with: .passkey, using: .immediate))?.error?.code == .superseded)
        #expect(asked.withLock { $0 } == 0)
        #expect(question.wasCancelled.current == nil && scene.auth.gateState == .asking)
    }

    @Test func gateEndsAQuietQuestionOfTheLaunch() async throws {
        let asked = Promise<Void>()
        let passkeys = ScriptedProvider(.passkey, methodKinds: [.sheet, .immediate]) { _ in
            asked.resolve(())
            _ = await Promise<Void>().value()
            throw CancellationError()
        }
        let store = FaultySessionStore()
        try await store.write(SessionRecord(GateScene.ada).data(), for: .session)
        let reading = store.hold(.read, of: .session)
        let scene = try await GateScene(stored: nil, providers: [passkeys], store: store)
        await reading.reached()
        let attempt = Task { [auth = scene.auth] in await outcome(of: auth.signIn(with: .passkey, using: .immediate)) }
        _ = await asked.value()
        reading.release()
        #expect(await attempt.value?.error?.code == .superseded)
        #expect(scene.auth.state == GateScene.waiting)
    }
}
