import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A gate before a session that storage holds at the launch.
@Suite struct GateAtLaunchTests {
    // MARK: When the person is asked

    @Test func sessionIsShownOnceThePersonHasPassed() async throws {
        let scene = try await GateScene()
        var states = scene.auth.states.makeAsyncIterator()
        try await scene.doorkeeper.question(1).pass()
        var known: [AuthState] = []
        while known.last?.user == nil, let state = await states.next() {
            if state != .restoring(.reading) { known.append(state) }
        }
        #expect(known == [GateScene.waiting, .signedIn(GateScene.ada.user, .cached)])
        #expect(scene.doorkeeper.reasons == [.launch])
        #expect(scene.auth.gateState == .open)
    }

    @Test func whereNoSessionIsStoredNoPersonIsAsked() async throws {
        let scene = try await GateScene(stored: nil)
        let story = await scene.states { $0.isSignedOut }
        #expect(story.last == .signedOut(nil) && !story.contains(GateScene.waiting))
        _ = try await scene.auth.signIn(with: .kakao).value
        #expect(try await scene.auth.accessToken() == Secret("access-of-bob"))
        #expect(scene.doorkeeper.reasons.isEmpty && scene.auth.gateState == .open)
    }

    @Test(arguments: [AppActivity.Phase.background, .inactive])
    func personIsAskedOnceTheAppIsActive(phase: AppActivity.Phase) async throws {
        let scene = try await GateScene(phase: phase)
        _ = await scene.states { $0 == GateScene.waiting }
        #expect(scene.auth.gateState == .closed)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        scene.activity.move(to: .inactive)
        #expect(scene.doorkeeper.reasons.isEmpty)
        scene.activity.move(to: .active)
        try await scene.doorkeeper.question(1).pass()
        #expect(await caller.value == .success(Secret("access-of-ada")))
    }

    @Test func oneQuestionIsForAllCallers() async throws {
        let scene = try await GateScene(phase: .inactive)
        _ = await scene.states { $0 == GateScene.waiting }
        let callers = (0..<20).map { _ in scene.askForToken() }
        try await scene.waitForCallers(20)
        scene.activity.move(to: .active)
        try await scene.doorkeeper.question(1).pass()
        for caller in callers { #expect(await caller.value == .success(Secret("access-of-ada"))) }
        #expect(scene.doorkeeper.reasons == [.launch])
    }

    // MARK: Refused

    @Test func refusalReachesCallersAndTheNextCallAsksAgain() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        question.refuse()
        #expect(await caller.value.error?.code == .accessDenied)
        #expect(scene.auth.state == GateScene.waiting && scene.auth.gateState == .closed)
        // The app is not away: the person decides when they are asked again.
        scene.activity.move(to: .inactive)
        scene.activity.move(to: .active)
        #expect(scene.doorkeeper.reasons == [.launch])
        let second = scene.askForToken()
        try await scene.doorkeeper.question(2).pass()
        #expect(await second.value == .success(Secret("access-of-ada")))
        #expect(scene.auth.user?.id == "ada")
        let events = await scene.events.aboutGate(4)
        #expect(events.map(\.kind) == [.gateAsked, .gateRefused, .gateAsked, .gatePassed])
        #expect(events[1].failure?.code == .accessDenied && events[1].elapsed != nil)
    }

    @Test func buttonAsksAgainAndAnOpenGateIsNotAsked() async throws {
        let scene = try await GateScene()
        try await scene.doorkeeper.question(1).refuse(with: CancellationError())
        await scene.waitUntilGateIs(.closed)
        async let opened: Void = scene.auth.openGate()
        let question = try await scene.doorkeeper.question(2)
        #expect(scene.auth.gateState == .asking)
        question.pass()
        try await opened
        try await scene.auth.openGate()
        #expect(scene.doorkeeper.reasons.count == 2)
    }

    @Test func personWhoReturnsToTheAppIsAskedAgain() async throws {
        let scene = try await GateScene()
        try await scene.doorkeeper.question(1).refuse()
        await scene.waitUntilGateIs(.closed)
        scene.beAway(for: .zero)
        try await scene.doorkeeper.question(2).pass()
        _ = await scene.states { $0.user != nil }
        #expect(scene.doorkeeper.reasons == [.launch, .launch])
    }

    private struct OwnError: Error {}

    @Test(arguments: [
        (AuthError(.deviceOwnerUnavailable, "No passcode.") as any Error, AuthError.Code.deviceOwnerUnavailable),
        (CancellationError(), .cancelled), (OwnError(), .unexpected),
    ])
    func errorOfTheClosureIsThatOfTheCallers(error: any Error, code: AuthError.Code) async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        async let opened = outcome(of: AuthStream { try await scene.auth.openGate() })
        try await scene.waitForCallers(1)
        question.refuse(with: error)
        let refusal = await opened?.error
        #expect(refusal?.code == code && refusal?.operation == .unlock)
        #expect(scene.auth.state == GateScene.waiting)
    }

    // MARK: What is hidden

    @Test func nothingOfTheUserIsSeenBeforeThePersonHasPassed() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        #expect(scene.auth.user == nil && scene.auth.session == nil)
        async let user = scene.auth.restoredUser()
        try await scene.waitForCallers(1)
        question.pass()
        #expect(try await user?.id == "ada")
        #expect(scene.auth.session?.user.id == "ada")
    }

    @Test func interruptedDeletionIsToldOnceThePersonHasPassed() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        await DeletionJournal(manager: SessionManager(store: scene.store))
            .note(.init(userID: "ada", provider: .kakao, stage: .deleting))
        #expect(await scene.auth.pendingDeletion == nil)
        question.pass()
        _ = await scene.states { $0.user != nil }
        #expect(await scene.auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: true))
    }

    @Test func everyCallThatNeedsTheSessionWaits() async throws {
        var account = ScriptedAccount()
        account.reload = { $0 }
        account.updateProfile = { _, session in session }
        let scene = try await GateScene(account: account, api: ["https://api.example.com"])
        let question = try await scene.doorkeeper.question(1)
        let auth = scene.auth
        let request = AuthHTTPRequest(.get, URL(string: "https://api.example.com/feed")!)
        let calls: [@Sendable () async -> AuthError.Code?] = [
            { await outcome(of: AuthStream { try await auth.accessToken() })?.error?.code },
            { await outcome(of: AuthStream { try await auth.withAccessToken { $0 } })?.error?.code },
            { await outcome(of: AuthStream { try await auth.data(for: request) })?.error?.code },
            { await outcome(of: auth.reload())?.error?.code },
            { await outcome(of: auth.updateProfile(displayName: .set("Ada")))?.error?.code },
            { await outcome(of: auth.unlink(.naver))?.error?.code },
            { await outcome(of: auth.deleteAccount())?.error?.code },
            { await outcome(of: auth.signInAnonymously())?.error?.code },
            { await outcome(of: auth.adopt(refreshToken: Secret("old")))?.error?.code },
        ]
        let tasks = calls.map { call in Task { await call() } }
        try await scene.waitForCallers(calls.count)
        #expect(scene.repository.calls.isEmpty)
        question.refuse()
        for task in tasks { #expect(await task.value == .accessDenied) }
        #expect(scene.repository.calls.isEmpty)
    }

    // MARK: A closure that does not return

    @Test func cancelledCallerLeavesAlone() async throws {
        let scene = try await GateScene()
        try await scene.doorkeeper.question(1).refuse()
        await scene.waitUntilGateIs(.closed)
        let (first, second) = (scene.askForToken(), scene.askForToken())
        try await scene.waitForCallers(2)
        let question = try await scene.doorkeeper.question(2)
        first.cancel()
        #expect(await first.value.error?.code == .cancelled)
        #expect(question.wasCancelled.current == nil)
        question.pass()
        #expect(await second.value == .success(Secret("access-of-ada")))
    }

    @Test(arguments: [false, true])
    func questionEndsOnceAllCallersHaveLeft(ignoresCancellation: Bool) async throws {
        let scene = try await GateScene(doorkeeper: Doorkeeper(ignoresCancellation: ignoresCancellation))
        try await scene.doorkeeper.question(1).refuse()
        await scene.waitUntilGateIs(.closed)
        let callers = [scene.askForToken(), scene.askForToken()]
        try await scene.waitForCallers(2)
        let question = try await scene.doorkeeper.question(2)
        for caller in callers { caller.cancel() }
        for caller in callers { #expect(await caller.value.error?.code == .cancelled) }
        #expect(await question.wasCancelled.value() != nil)
        #expect(scene.auth.gateState == .closed)
        // A late answer to it opens nothing, and the next call asks anew.
        question.pass()
        let next = scene.askForToken()
        try await scene.doorkeeper.question(3).pass()
        #expect(await next.value == .success(Secret("access-of-ada")))
    }

    @Test func questionOfTheServiceStaysWhereItsCallersLeave() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        caller.cancel()
        #expect(await caller.value.error?.code == .cancelled)
        #expect(question.wasCancelled.current == nil && scene.auth.gateState == .asking)
        question.pass()
        _ = await scene.states { $0.user != nil }
    }

    @Test func cancelledCallerDoesNotAsk() async throws {
        let scene = try await GateScene()
        try await scene.doorkeeper.question(1).refuse()
        await scene.waitUntilGateIs(.closed)
        let manager = scene.auth.manager
        let refreshing = RefreshSession(repository: scene.repository, manager: manager)
        let code = await inCancelledTask { () -> AuthError.Code? in
            do throws(AuthError) { _ = try await refreshing.accessToken() } catch { return error.code }
            return nil
        }
        #expect(code == .cancelled)
        let next = scene.askForToken()
        try await scene.doorkeeper.question(2).pass()
        #expect(await next.value == .success(Secret("access-of-ada")))
        #expect(await scene.events.aboutGate(4).map(\.kind) == [.gateAsked, .gateRefused, .gateAsked, .gatePassed])
    }

    @Test func closureThatAsksForTheSessionIsTold() async throws {
        let auth = Lock<AuthService?>(nil)
        let asked = Promise<AuthError.Code?>()
        let store = MemorySessionStore()
        try await store.write(SessionRecord(GateScene.ada).data(), for: .session)
        let gate = SessionGate(after: .zero) { _ in
            let auth = try #require(auth.withLock { $0 })
            asked.resolve(await outcome(of: AuthStream { try await auth.accessToken() })?.error?.code)
        }
        let activity = AppActivity()
        let service = AuthService(
            repository: ScriptedRepository(), providers: [], store: store, callbacks: CallbackRouter(), gate: gate,
            activity: activity)
        auth.withLock { $0 = service }
        activity.move(to: .active)
        #expect(await asked.value() == .misconfigured)
        _ = await service.states.prefix { $0.user != nil }
        auth.withLock { $0 = nil }
    }

    @Test func releasedServiceAsksNoFurther() async throws {
        let doorkeeper = Doorkeeper()
        let states: Broadcast<SessionGate.State>.Latest
        do {
            let scene = try await GateScene(doorkeeper: doorkeeper)
            states = scene.auth.gateStates
            _ = try await doorkeeper.question(1)
        }
        #expect(try await doorkeeper.question(1).wasCancelled.value() != nil)
        for await _ in states {}
    }

    // MARK: Another session

    @Test func answerAboutOneUserIsNoneAboutTheNext() async throws {
        let scene = try await GateScene()
        let question = try await scene.doorkeeper.question(1)
        let caller = scene.askForToken()
        try await scene.waitForCallers(1)
        let other = SessionManager(store: scene.store)
        try await other.restore()
        let bob = Credential(provider: .kakao, userID: "bob")
        _ = try await AuthSignIn(repository: scene.repository, manager: other)(bob).value
        let second = try await scene.doorkeeper.question(2)
        #expect(await question.wasCancelled.value() != nil)
        #expect(await caller.value.error?.code == .superseded)
        #expect(scene.auth.state == GateScene.waiting)
        second.pass()
        #expect(await scene.states { $0.user != nil }.last?.user?.id == "bob")
    }

    @Test(arguments: [true, false])
    func adoptedSessionPassesTheGateOnceItsUserIsKnown(isUserKnown: Bool) async throws {
        let adoptable = AdoptableSession(refreshToken: Secret("old"), user: isUserKnown ? AuthUser(id: "ada") : nil)
        let scene = try await GateScene(stored: nil, adoption: SessionAdoption(find: { adoptable }))
        if !isUserKnown {
            _ = await scene.states { $0 == .restoring(.adopting) }
            #expect(scene.doorkeeper.reasons.isEmpty && scene.auth.gateState == .open)
        }
        scene.adoption.resolve(())
        let question = try await scene.doorkeeper.question(1)
        #expect(scene.auth.state == GateScene.waiting)
        question.pass()
        #expect(await scene.states { $0.user != nil }.last?.user?.id == "ada")
    }
}
