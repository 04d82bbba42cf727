import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A gate before a session that storage holds at the launch.
@Suite struct GateAtLaunchTests {
    private static let waiting = AuthState.restoring(.waitingForPerson)

    // MARK: When the person is asked

    @Test func sessionIsShownOnceThePersonHasPassed() async throws {
        let scene = try await GateScene()
        async let story = scene.states { $0.user != nil }
        try await scene.doorkeeper.question(1).pass()
        let known = await story.filter { $0 != .restoring(.reading) }
        #expect(known == [Self.waiting, .signedIn(GateScene.ada.user, .cached)])
        #expect(scene.doorkeeper.reasons == [.launch])
        #expect(scene.auth.gateState == .open)
    }

    @Test func whereNoSessionIsStoredNoPersonIsAsked() async throws {
        let scene = try await GateScene(stored: nil)
        let story = await scene.states { $0.isSignedOut }
        #expect(story.last == .signedOut(nil) && !story.contains(Self.waiting))
        _ = try await scene.auth.signIn(with: .kakao).value
        #expect(try await scene.auth.accessToken() == Secret("access-of-bob"))
        #expect(scene.doorkeeper.reasons.isEmpty && scene.auth.gateState == .open)
    }

    @Test(arguments: [AppActivity.Phase.background, .inactive])
    func personIsAskedOnceTheAppIsActive(phase: AppActivity.Phase) async throws {
        let scene = try await GateScene(phase: phase)
        _ = await scene.states { $0 == Self.waiting }
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
        _ = await scene.states { $0 == Self.waiting }
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
        #expect(scene.auth.state == Self.waiting && scene.auth.gateState == .closed)
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
        #expect(scene.auth.state == Self.waiting)
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

    // MARK: Meanwhile

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
        _ = await scene.states { $0 == Self.waiting }
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
        #expect(scene.auth.state == Self.waiting)
        second.pass()
        #expect(await scene.states { $0.user != nil }.last?.user?.id == "bob")
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
        #expect(scene.auth.state == Self.waiting)
    }

    // MARK: A session of another SDK

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
        #expect(scene.auth.state == Self.waiting)
        question.pass()
        #expect(await scene.states { $0.user != nil }.last?.user?.id == "ada")
    }
}
