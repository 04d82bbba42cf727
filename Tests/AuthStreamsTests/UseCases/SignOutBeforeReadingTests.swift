import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A sign-out that comes before the store was read, such as the only call of a command-line tool, ends what the store holds, and
/// tells the server of it.
@Suite struct SignOutBeforeReadingTests {
    private let store = FaultySessionStore()
    private let clock = ManualClock()
    private let repository = ScriptedRepository()

    /// A store that holds the session of an earlier launch.
    private func signedInBefore() async throws {
        let manager = SessionManager(store: store)
        try await manager.restore()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        _ = try await signIn(Credential(provider: .kakao, userID: "1001")).value
    }

    private var told: [ScriptedRepository.Call] { repository.calls }

    @Test func serverIsTold() async throws {
        try await signedInBefore()
        let manager = SessionManager(store: store)
        try await AuthSignOut(repository: repository, manager: manager)().value
        #expect(told == [.signOut("kakao:1001")])
        #expect(manager.state == .signedOut(nil))
        #expect(try await store.session() == nil)
    }

    @Test func serverIsToldForACancelledCaller() async throws {
        try await signedInBefore()
        let manager = SessionManager(store: store)
        let call = AuthSignOut(repository: repository, manager: manager)()
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = await call.body()
        }.value
        await manager.outstanding.waitUntilNone()
        #expect(told == [.signOut("kakao:1001")])
        #expect(try await store.session() == nil)
    }

    /// A restart would restore the session.
    @Test func serverIsToldOnceWhereTheStoreCannotBeWritten() async throws {
        try await signedInBefore()
        for call in [FaultySessionStore.Call.write, .remove] { store.fail(call) }
        let manager = SessionManager(store: store)
        let error = await outcome(of: AuthSignOut(repository: repository, manager: manager)())?.error
        #expect(error?.code == .storage)
        #expect(told == [.signOut("kakao:1001")])
        store.heal()
        try await AuthSignOut(repository: repository, manager: manager)().value
        #expect(told == [.signOut("kakao:1001")])
    }

    /// The process that had seen the record whole writes it again. That is no sign-in that came after the sign-out.
    @Test func sessionOfADamagedRecordStaysEnded() async throws {
        try await signedInBefore()
        let other = SessionManager(store: store)
        try await other.restore()
        store.damage(.session)
        for call in [FaultySessionStore.Call.write, .remove] { store.fail(call, of: .session) }
        let manager = SessionManager(store: store)
        _ = await outcome(of: AuthSignOut(repository: repository, manager: manager)())
        store.heal()
        try await other.synchronize()
        #expect(try await store.session() != nil)
        try await manager.persistPending()
        #expect(try await store.session() == nil && manager.state == .signedOut(nil))
    }

    @Test func sessionIsNeverShown() async throws {
        try await signedInBefore()
        let manager = SessionManager(store: store)
        var reader = manager.states.makeAsyncIterator()
        var states = [await reader.next()]
        try await AuthSignOut(repository: repository, manager: manager)().value
        manager.finish()
        while let state = await reader.next() { states.append(state) }
        #expect(states == [.restoring(.reading), .signedOut(nil)])
    }

    /// The reading of the launch had begun before another process signed in.
    @Test func sessionThatTheLaunchDidNotReadEnds() async throws {
        let manager = SessionManager(store: store)
        let hold = store.hold(.read, .after, of: .session)
        let launch = Task { try await manager.restore() }
        await hold.reached()
        try await signedInBefore()
        let signingOut = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        _ = await manager.states.first { $0 == .signedOut(nil) }
        hold.release()
        try await signingOut.value
        _ = try await launch.value
        #expect(manager.state == .signedOut(nil) && told == [.signOut("kakao:1001")])
        #expect(try await store.session() == nil)
    }

    /// The person signed in after they had asked to sign out.
    @Test func whoSignsInMeanwhileStays() async throws {
        try await signedInBefore()
        let manager = SessionManager(store: store)
        let hold = store.hold(.read, of: .session)
        let signingOut = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        await hold.reached()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let signingIn = Task { try await signIn(Credential(provider: .kakao, userID: "2002")).value.user }
        _ = await manager.states.first { $0 == .signingIn(.kakao, .establishingSession) }
        hold.release()
        try await signingOut.value
        let user = try await signingIn.value
        #expect(manager.user == user && told == [.signOut("kakao:1001")])
    }

    /// The sign-in was decided without knowing what the store holds, and another process wrote before it.
    @Test func signInThatIsBeingWrittenIsNotWrittenAgain() async throws {
        let other = SessionManager(store: store)
        try await other.restore()
        let manager = SessionManager(store: store)
        let hold = store.hold(.write, of: .session)
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        let signingIn = Task { await outcome(of: signIn(Credential(provider: .kakao, userID: "2002")))?.error }
        await hold.reached()
        let others = AuthSignIn(repository: ScriptedRepository(), manager: other)
        _ = try await others(Credential(provider: .kakao, userID: "1001")).value
        let signingOut = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        _ = await manager.states.first { $0 == .signedOut(nil) }
        let before = store.operations.count
        hold.release()
        try await signingOut.value
        #expect(await signingIn.value?.code == .superseded)
        let writes = store.operations.dropFirst(before).filter { $0.call == .write && $0.key == .session }
        #expect(writes.count == 1, "The sign-out alone writes.")
        #expect(try await store.session() == nil && told == [.signOut("kakao:1001")])
    }

    @Test func secondSignOutEndsTheSameSession() async throws {
        try await signedInBefore()
        let manager = SessionManager(store: store)
        let hold = store.hold(.read, of: .session)
        let first = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        await hold.reached()
        let second = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        hold.release()
        try await first.value
        try await second.value
        #expect(manager.state == .signedOut(nil) && told == [.signOut("kakao:1001")])
        #expect(try await store.session() == nil)
    }

    @Test func signInUnderWayEndsAtOnce() async throws {
        let manager = SessionManager(store: store)
        let hold = store.hold(.read, of: .session)
        let operation = manager.transition { $0.signInBegan(with: .google, at: .presenting, $1.uptime) }
        let signingOut = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        #expect(await operation.interruption.value()?.code == .superseded)
        await hold.reached()
        hold.release()
        try await signingOut.value
        #expect(manager.state == .signedOut(nil))
    }

    @Test func storeThatIsLockedIsNotWaitedFor() async throws {
        try await signedInBefore()
        store.lock()
        let auth = AuthService(
            repository: repository, providers: [], store: store, callbacks: CallbackRouter(),
            clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
        let error = await #expect(throws: AuthError.self) { try await auth.signOut() }
        #expect(error?.code == .storageLocked && auth.user == nil)
        store.unlock()
        #expect(await auth.finish())
        #expect(try await store.session() == nil)
        #expect(told.isEmpty)
    }

    /// What was found once the store could be read is ended here alone, also by a later sign-out.
    @Test func sessionThatWasFoundLaterIsNotTold() async throws {
        try await signedInBefore()
        store.lock()
        let manager = SessionManager(store: store)
        let error = await outcome(of: AuthSignOut(repository: repository, manager: manager)())?.error
        #expect(error?.code == .storageLocked)
        store.unlock()
        try await manager.persistPending()
        #expect(try await store.session() == nil)
        try await AuthSignOut(repository: repository, manager: manager)().value
        #expect(told.isEmpty)
    }

    /// Another process has ended the session that the first reading found, and told the server.
    @Test func sessionThatEndedElsewhereIsNotTold() async throws {
        try await signedInBefore()
        let other = SessionManager(store: store)
        try await other.restore()
        let manager = SessionManager(store: store)
        let hold = store.hold(.write, of: .session)
        let signingOut = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        await hold.reached()
        let others = ScriptedRepository()
        try await AuthSignOut(repository: others, manager: other)().value
        hold.release()
        try await signingOut.value
        #expect(told.isEmpty && others.calls == [.signOut("kakao:1001")])
    }

    @Test func sessionOfAnotherSDKThatIsBeingStoredIsTold() async throws {
        let hold = store.hold(.write, of: .session)
        let adoptable = AdoptableSession(refreshToken: Secret("left"), user: AuthUser(id: "ada"), provider: .naver)
        let manager = SessionManager(store: store, adoption: SessionAdoption(find: { adoptable }))
        let launch = Task { try await manager.restore() }
        await hold.reached()
        let signingOut = Task { try await AuthSignOut(repository: repository, manager: manager)().value }
        _ = await manager.states.first { $0 == .signedOut(nil) }
        hold.release()
        try await signingOut.value
        _ = try await launch.value
        #expect(told == [.signOut("ada")])
        #expect(manager.state == .signedOut(nil))
    }

    @Test func sessionOfAnotherServerIsRemovedAndNotSent() async throws {
        try await signedInBefore()
        let manager = SessionManager(store: store, owning: { _ in false })
        try await AuthSignOut(repository: repository, manager: manager)().value
        #expect(told.isEmpty)
        #expect(try await store.session() == nil)
    }
}
