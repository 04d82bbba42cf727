import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A gate that closes while the app is in the background.
@Suite struct GateOnReturnTests {
    @Test func tokensWaitAndTheUserStays() async throws {
        let scene = try await GateScene.passed()
        let shown = Task { [states = scene.auth.states] in
            await states.reduce(into: [AuthState]()) { $0.append($1) }
        }
        scene.activity.move(to: .background)
        scene.clock.advance(by: GateScene.absence)
        // Before the first frame.
        scene.activity.move(to: .inactive)
        #expect(scene.auth.gateState == .closed && scene.auth.user?.id == "ada")
        let callers = (0..<5).map { _ in scene.askForToken() }
        try await scene.waitForCallers(5)
        scene.activity.move(to: .active)
        let question = try await scene.doorkeeper.question(2)
        #expect(scene.auth.gateState == .asking)
        question.pass()
        for caller in callers { #expect(await caller.value == .success(Secret("access-of-ada"))) }
        #expect(scene.auth.gateState == .open && scene.doorkeeper.reasons == [.launch, .absence])
        scene.auth.manager.finish()
        #expect(await shown.value.allSatisfy { $0.user?.id == "ada" })
    }

    @Test func shortAbsenceDoesNotAsk() async throws {
        let scene = try await GateScene.passed()
        scene.beAway(for: GateScene.absence - .nanoseconds(1))
        #expect(scene.auth.gateState == .open)
        #expect(try await scene.auth.accessToken() == Secret("access-of-ada"))
        #expect(scene.doorkeeper.reasons == [.launch])
    }

    @Test func eachAbsenceIsMeasuredAlone() async throws {
        let scene = try await GateScene.passed()
        for _ in 0..<3 { scene.beAway(for: GateScene.absence / 2) }
        #expect(scene.auth.gateState == .open)
        scene.beAway(for: GateScene.absence)
        try await scene.doorkeeper.question(2).pass()
        await scene.waitUntilGateIs(.open)
        scene.beAway(for: GateScene.absence)
        try await scene.doorkeeper.question(3).pass()
        await scene.waitUntilGateIs(.open)
        #expect(scene.doorkeeper.reasons == [.launch, .absence, .absence])
    }

    @Test func inactiveTimeDoesNotCount() async throws {
        let scene = try await GateScene.passed()
        scene.activity.move(to: .inactive)
        scene.clock.advance(by: GateScene.absence * 2)
        scene.activity.move(to: .active)
        #expect(scene.auth.gateState == .open)
    }

    @Test func callInTheBackgroundGetsTheTokenUntilTheTimeHasPassed() async throws {
        let scene = try await GateScene.passed()
        scene.activity.move(to: .background)
        scene.clock.advance(by: GateScene.absence - .seconds(1))
        #expect(try await scene.auth.accessToken() == Secret("access-of-ada"))
        scene.clock.advance(by: .seconds(1))
        let late = scene.askForToken()
        try await scene.waitForCallers(1)
        #expect(scene.doorkeeper.reasons == [.launch])
        scene.activity.move(to: .active)
        try await scene.doorkeeper.question(2).pass()
        #expect(await late.value == .success(Secret("access-of-ada")))
    }

    @Test func refusalIsThatOfTheCallersAndTheSessionStays() async throws {
        let scene = try await GateScene.passed()
        scene.beAway(for: GateScene.absence)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        try await scene.doorkeeper.question(2).refuse()
        #expect(await caller.value.error?.code == .accessDenied)
        #expect(scene.auth.user?.id == "ada" && scene.auth.gateState == .closed)
        let next = scene.askForToken()
        try await scene.doorkeeper.question(3).pass()
        #expect(await next.value == .success(Secret("access-of-ada")))
    }

    @Test func questionThatTheSystemEndsInTheBackgroundIsAskedAgainOnReturn() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        scene.activity.move(to: .background)
        question.refuse(with: AuthError(.cancelled, "The system cancelled."))
        await scene.waitUntilGateIs(.closed)
        scene.activity.move(to: .active)
        try await scene.doorkeeper.question(2).pass()
        #expect(await scene.states { $0.user != nil }.last?.user?.id == "ada")
        #expect(scene.doorkeeper.reasons == [.launch, .launch])
    }

    @Test func questionMayLeadThePersonThroughAnotherApp() async throws {
        // The way there and back is no absence, or the gate would ask once more, and so on.
        let scene = try await GateScene(after: .zero)
        let question = try await scene.doorkeeper.question(1)
        scene.activity.move(to: .background)
        scene.clock.advance(by: .seconds(60))
        question.pass()
        _ = await scene.states { $0.user != nil }
        scene.clock.advance(by: .seconds(59))
        scene.activity.move(to: .active)
        #expect(scene.auth.gateState == .open)
        scene.beAway(for: .zero)
        try await scene.doorkeeper.question(2).pass()
        await scene.waitUntilGateIs(.open)
    }

    @Test(arguments: [Duration.zero, GateScene.absence])
    func personWhoPassesInAnotherAppAndDoesNotReturnIsAway(absence: Duration) async throws {
        let scene = try await GateScene(after: absence)
        let question = try await scene.doorkeeper.question(1)
        scene.activity.move(to: .background)
        question.pass()
        _ = await scene.states { $0.user != nil }
        scene.clock.advance(by: max(absence, .seconds(60)))
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        scene.activity.move(to: .inactive)
        #expect(scene.auth.gateState == .closed)
        scene.activity.move(to: .active)
        try await scene.doorkeeper.question(2).pass()
        #expect(await caller.value == .success(Secret("access-of-ada")))
        #expect(scene.doorkeeper.reasons == [.launch, .absence])
    }

    @Test func signInWhileTheAppIsAwayIsAProof() async throws {
        let scene = try await GateScene.passed()
        scene.activity.move(to: .background)
        scene.clock.advance(by: GateScene.absence)
        _ = try await scene.auth.signIn(with: .kakao).value
        scene.clock.advance(by: GateScene.absence - .seconds(1))
        scene.activity.move(to: .active)
        #expect(scene.auth.gateState == .open)
        #expect(try await scene.auth.accessToken() == Secret("access-of-bob"))
        #expect(scene.doorkeeper.reasons == [.launch])
    }

    @Test func signOutAfterAnAbsenceDoesNotAsk() async throws {
        let scene = try await GateScene.passed()
        scene.activity.move(to: .background)
        scene.clock.advance(by: GateScene.absence)
        scene.activity.move(to: .inactive)
        try await scene.auth.signOut()
        scene.activity.move(to: .active)
        #expect(scene.auth.gateState == .open && scene.doorkeeper.reasons == [.launch])
    }

    @Test func changeOfTheDateIsNoAbsence() async throws {
        let shift = Lock(TimeInterval.zero)
        let (manual, doorkeeper, activity) = (ManualClock(), Doorkeeper(), AppActivity(.active))
        let time = AuthClock(manual) { RefreshScene.noon.addingTimeInterval(shift.withLock { $0 }) }
        let store = MemorySessionStore()
        try await store.write(SessionRecord(GateScene.ada).data(), for: .session)
        let auth = AuthService(
            repository: ScriptedRepository(), providers: [], store: store, callbacks: CallbackRouter(), clock: time,
            gate: doorkeeper.gate(after: GateScene.absence), activity: activity)
        try await doorkeeper.question(1).pass()
        _ = await auth.states.prefix { $0.user != nil }
        activity.move(to: .background)
        shift.withLock { $0 = 86_400 }
        activity.move(to: .active)
        #expect(auth.gateState == .open)
        // Set back, and away for long enough.
        activity.move(to: .background)
        shift.withLock { $0 = -86_400 }
        manual.advance(by: GateScene.absence)
        activity.move(to: .active)
        #expect(auth.gateState != .open)
        try await doorkeeper.question(2).pass()
    }

    @Test(arguments: [Duration.seconds(-1), .zero, .seconds(Int64.max)])
    func everyTimeIsPossible(absence: Duration) async throws {
        let scene = try await GateScene.passed(after: absence)
        scene.activity.move(to: .background)
        scene.clock.advance(by: .seconds(3600))
        scene.activity.move(to: .active)
        #expect((scene.auth.gateState == .open) == (absence > .zero))
    }

    // MARK: Refreshes and other processes

    @Test func refreshUnderWayContinuesAndItsCallerWaitsForTheGate() async throws {
        let (begun, answer) = (Promise<Void>(), Promise<Void>())
        var account = ScriptedAccount()
        account.refresh = { session in
            begun.resolve(())
            _ = await answer.value()
            return GateScene.session("ada", token: "next")
        }
        let scene = try await GateScene.passed(account: account)
        let forced = Task { [auth = scene.auth] in try await auth.accessToken(forceRefresh: true) }
        _ = await begun.value()
        scene.activity.move(to: .background)
        scene.clock.advance(by: GateScene.absence)
        scene.activity.move(to: .inactive)
        answer.resolve(())
        // It is stored, and its token handed out to no caller.
        try await scene.waitForCallers(1)
        let stored = try await scene.store.read(.session).data.flatMap(SessionRecord.session(in:))
        #expect(stored?.accessToken == Secret("next-of-ada"))
        scene.activity.move(to: .active)
        try await scene.doorkeeper.question(2).pass()
        #expect(try await forced.value == Secret("next-of-ada"))
        #expect(scene.repository.calls == [.refresh("ada")])
    }

    @Test func refreshThatIsDueTakesPlaceBehindAClosedGate() async throws {
        let refreshed = Promise<Void>()
        var account = ScriptedAccount()
        account.refresh = { _ in
            refreshed.resolve(())
            return GateScene.session("ada", token: "next")
        }
        var session = GateScene.ada
        session.expiresAt = RefreshScene.noon
        let scene = try await GateScene(stored: session, phase: .background, account: account)
        _ = await refreshed.value()
        #expect(scene.auth.state == .restoring(.waitingForPerson) || scene.auth.state == .restoring(.reading))
        scene.activity.move(to: .active)
        try await scene.doorkeeper.question(1).pass()
        #expect(try await scene.auth.accessToken() == Secret("next-of-ada"))
    }

    @Test func serverThatEndsTheSessionEndsTheQuestion() async throws {
        let (begun, answer) = (Promise<Void>(), Promise<Void>())
        var account = ScriptedAccount()
        account.refresh = { _ in
            begun.resolve(())
            _ = await answer.value()
            throw AuthError(.sessionExpired, "Revoked.")
        }
        var session = GateScene.ada
        session.expiresAt = RefreshScene.noon
        let scene = try await GateScene(stored: session, account: account)
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        _ = await begun.value()
        answer.resolve(())
        #expect(await caller.value.error?.code == .superseded)
        #expect(await question.wasCancelled.value() != nil)
        #expect(scene.auth.state == .signedOut(.expired))
    }

    @Test func tokensOfAnotherProcessAreTakenOverBehindAClosedGate() async throws {
        var account = ScriptedAccount()
        account.refresh = { _ in GateScene.session("ada", token: "theirs") }
        let scene = try await GateScene.passed(account: account)
        scene.beAway(for: GateScene.absence)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        let other = SessionManager(store: scene.store)
        try await other.restore()
        _ = try await RefreshSession(repository: scene.repository, manager: other).accessToken(forceRefresh: true)
        let manager = scene.auth.manager
        try await wait(for: "the other process's token") {
            manager.read { $0.session?.accessToken == Secret("theirs-of-ada") }
        }
        try await scene.doorkeeper.question(2).pass()
        #expect(await caller.value == .success(Secret("theirs-of-ada")))
    }

    @Test func changeThatWaitedForTheRefreshLockWaitsForAGateThatClosedMeanwhile() async throws {
        let (sending, answer) = (Promise<Void>(), Promise<Void>())
        var account = ScriptedAccount()
        account.reload = { session in
            sending.resolve(())
            _ = await answer.value()
            return session
        }
        account.updateProfile = { _, session in session }
        let scene = try await GateScene.passed(account: account)
        let (auth, manager) = (scene.auth, scene.auth.manager)
        async let reloaded = outcome(of: auth.reload())
        _ = await sending.value()
        async let updated = outcome(of: auth.updateProfile(displayName: .set("Ada")))
        try await wait(for: "a change that waits for the lock") { manager.refreshMutex.waiting == 1 }
        scene.beAway(for: GateScene.absence)
        let question = try await scene.doorkeeper.question(2)
        answer.resolve(())
        #expect(await reloaded?.error == nil)
        try await scene.waitForCallers(1)
        #expect(scene.repository.calls == [.reload("ada")])
        question.pass()
        #expect(await updated?.error == nil)
        #expect(scene.repository.calls.count == 2)
    }

    @Test func changeUnderWayWaitsForTheGateBeforeItsNextRequest() async throws {
        var account = ScriptedAccount()
        account.link = { _, session in session }
        let provider = StandingProvider(id: .naver)
        let scene = try await GateScene.passed(account: account)
        let auth = scene.auth
        let linking = Task {
            await outcome(of: provider.authenticate(AuthRequest()).flatMap(auth.link(credential:)))
        }
        _ = await provider.reached.value()
        scene.beAway(for: GateScene.absence)
        let question = try await scene.doorkeeper.question(2)
        provider.gate.resolve(())
        try await scene.waitForCallers(1)
        #expect(scene.repository.calls.isEmpty)
        question.pass()
        #expect(await linking.value?.error == nil)
        #expect(scene.repository.calls == [.link(.naver)])
    }
}
