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
        #expect(manager.state == .signedOut(.user))
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

    /// The person signed in after they had asked to sign out.
    @Test func whoSignsInMeanwhileStays() {
        var machine = SessionStateMachine()
        let request = machine.signOutBegan()
        let now = clock.authClock(startingAt: Date(timeIntervalSince1970: 0)).moment
        machine.restored(RecordSnapshot(SessionRecord(.sample(user: "ada"))), at: now, since: .zero)
        let operation = machine.began(.google)
        let isCommitted = machine.committed(operation, .sample(user: "bob"), as: "bob", at: now)
        #expect(isCommitted && machine.signedOut(request) == .failure(.superseded))
        #expect(machine.storage.pending?.next?.id == "bob")
    }

    @Test func signInThatBeganMeanwhileContinues() throws {
        var machine = SessionStateMachine()
        let request = machine.signOutBegan()
        let operation = machine.began(.google)
        machine.restored(KeptSession(.sample(user: "ada")))
        let ended = machine.signedOut(request)
        #expect(try ended.get()?.user.id == "ada")
        #expect(machine.operations.signIn?.operation === operation)
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

    @Test func sessionOfAnotherServerIsRemovedAndNotSent() async throws {
        try await signedInBefore()
        let manager = SessionManager(store: store, owning: { _ in false })
        try await AuthSignOut(repository: repository, manager: manager)().value
        #expect(told.isEmpty)
        #expect(try await store.session() == nil)
    }
}
