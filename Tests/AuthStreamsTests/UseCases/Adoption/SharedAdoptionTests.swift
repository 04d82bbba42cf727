import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// An adoption has one outcome, which every caller is given.
@Suite struct SharedAdoptionTests: AdoptionSuite {
    let store = FaultySessionStore()
    let clock = ManualClock()
    private let asked = Promise<Void>()
    private let answer = Promise<Void>()

    private var bobs: LegacySession { LegacySession(refreshToken: Secret("bob's token"), user: Self.ada.user) }

    private func manager() -> SessionManager {
        SessionManager(store: store, clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_000_000)))
    }

    @Test func everyCallerIsToldTheSameRefusal() async throws {
        let repository = server(.success(.sample(user: "bob")), onceAsked: asked, released: answer)
        let manager = manager()
        let adopt = AdoptSession(repository: repository, manager: manager)
        let callers = (0..<3).map { _ in Task { [bobs] in await outcome(of: adopt(bobs)) } }
        _ = await asked.value()
        try await wait(for: "the two other callers to wait for the adoption") {
            manager.transition { machine, _ in machine.sharedMigration() }?.waiting == 2
        }
        answer.resolve(())
        for caller in callers { #expect(await caller.value?.error?.code == .invalidCredential) }
        #expect(repository.calls == [.adopt, .signOut("bob")])
    }

    /// What another process decides meanwhile must be seen before anything is taken over.
    @Test func nothingIsTakenOverWhileTheRecordCannotBeRead() async throws {
        let closures = SessionMigration(find: { Self.adas }, discard: {})
        let other = SessionManager(store: store, migration: closures)
        let manager = SessionManager(
            store: store,
            migration: SessionMigration(
                find: { [store] in
                    store.fail(.read, times: 1)
                    return Self.adas
                }, discard: {}))
        await #expect(throws: AuthError.self) { try await manager.restore() }
        #expect(manager.session == nil)
        _ = try await other.restore()
        #expect(other.session?.user == Self.ada.user)
        _ = other.transition { machine, _ in machine.signedOut() }
        try await other.persistPending()
        store.heal()
        #expect(try await manager.restore() == nil)
        #expect(try await kept() == nil, "The sign-out is the person's later decision.")
    }

    /// The task of the launch asks before the caller that began the adoption comes to it.
    @Test func callerThatBeganItIsToldWhatAnotherFoundOut() async throws {
        let repository = server(.success(.sample(user: "bob")))
        let manager = manager()
        _ = try await manager.restore()
        let shared = try #require(await manager.beginMigration(of: bobs))
        let adopt = AdoptSession(repository: repository, manager: manager)
        #expect(await outcome(of: adopt())?.error?.code == .invalidCredential)
        let late = await shared.result {
            Issue.record("It is asked again, although there is an outcome.")
            return .success(nil)
        }
        #expect(late.error?.code == .invalidCredential)
    }

    @Test func whatOneCallerCancelsAnotherGoesOnWith() async throws {
        let again = Promise<Void>()
        let count = Lock(0)
        let repository = ScriptedRepository(adopt: { [asked, answer] _ in
            guard
                count.withLock({
                    $0 += 1
                    return $0
                }) == 1
            else {
                again.resolve(())
                return Self.ada
            }
            asked.resolve(())
            guard await answer.value() != nil else { throw CancellationError() }
            return Self.ada
        })
        let manager = manager()
        let adopt = AdoptSession(repository: repository, manager: manager)
        let first = Task { await outcome(of: adopt(Self.adas)) }
        _ = await asked.value()
        let second = Task { await outcome(of: adopt(Self.adas)) }
        try await wait(for: "the second caller to wait for the adoption") {
            manager.transition { machine, _ in machine.sharedMigration() }?.waiting == 1
        }
        first.cancel()
        #expect(await first.value?.error?.code == .cancelled)
        _ = await again.value()
        #expect(await second.value?.error == nil)
        #expect(manager.session?.user.id == "ada")
    }

    /// Nothing holds the order here: whichever of the service's tasks is first, the answer is the same.
    @Test func adoptingRightAfterTheLaunchHasOneAnswer() async throws {
        for _ in 0..<200 {
            let auth = AuthService(
                repository: server(.success(.sample(user: "bob"))), providers: [ScriptedProvider(.kakao)],
                store: MemorySessionStore(), callbacks: CallbackRouter())
            let error = await outcome(of: auth.adopt(refreshToken: Secret("bob's token"), of: Self.ada.user))?.error
            #expect(error?.code == .invalidCredential)
        }
    }

    @Test(arguments: [nameless, adas])
    func tokenIsNotWaitedForWhileTheServerCannotBeReached(left: LegacySession) async throws {
        let auth = service(server(failure(.network))) { left }
        // The first request failed, and the next is waited for.
        await clock.waitForSleepers(count: 1)
        let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
        #expect(error?.code == .network)
    }

    @Test func callsThatWaitForWhoIsSignedInEndWhenTheServerCannotBeReached() async throws {
        let auth = service(server(failure(.network), onceAsked: asked, released: answer)) { Self.nameless }
        _ = await asked.value()
        #expect(auth.state == .restoring(.adopting))
        let link = Task { await outcome(of: auth.link(with: .kakao)) }
        let anonymous = Task { await outcome(of: auth.signInAnonymously()) }
        answer.resolve(())
        #expect(await link.value?.error?.code == .network)
        #expect(await anonymous.value?.error?.code == .network)
        #expect(auth.state == .restoring(.adopting))
    }

    /// Another process signs out between this one's look at the mark and its write.
    @Test func whatAnotherProcessSignedOutOfIsNotAdoptedAgain() async throws {
        let shared = MemorySessionStore()
        let slow = FaultySessionStore(shared)
        let left = SessionMigration(find: { Self.adas })
        let one = SessionManager(store: slow, migration: left)
        let hold = slow.hold(.write, of: .session)
        let restoring = Task { try await one.restore() }
        await hold.reached()
        let two = SessionManager(store: shared, migration: left)
        _ = try await two.restore()
        #expect(two.session?.user.id == "ada")
        _ = await outcome(of: SignOut(repository: server(failure(.network)), manager: two)())
        hold.release()
        #expect(try await restoring.value == nil)
        #expect(try await shared.session() == nil)
    }

    /// Another process takes over the same session and notes its request, between a write that failed here and its repetition.
    @Test func repeatedWriteKeepsTheNoteOfAnotherProcess() async throws {
        let shared = MemorySessionStore()
        let faulty = FaultySessionStore(shared)
        let manager = SessionManager(store: faulty)
        faulty.fail(.write)
        _ = await manager.beginMigration(of: Self.adas)
        faulty.heal()
        let noted = SessionRecord(KeptSession(Self.adas, isSent: true))
        try await shared.write(noted.data(), for: .session)
        try await manager.persistPending()
        let stored = try #require(try await shared.read(.session).data)
        #expect(try SessionRecord(reading: stored).isSent)
    }

    @Test func tokenOfAnAdoptionThatCouldNotBeStoredIsNotHandedOut() async throws {
        let manager = manager()
        let repository = server(.success(Self.ada), onceAsked: asked, released: answer)
        let adopt = AdoptSession(repository: repository, manager: manager)
        let call = Task { await outcome(of: adopt(Self.adas)) }
        _ = await asked.value()
        store.fail(.write)
        answer.resolve(())
        #expect(await call.value?.error == nil)
        let refreshing = RefreshSession(repository: repository, manager: manager)
        let error = await #expect(throws: AuthError.self) { try await refreshing.accessToken() }
        #expect(error?.code == .storage)
        store.heal()
        #expect(try await refreshing.accessToken() == Self.ada.accessToken)
    }

    @Test func signOutEverywhereSendsNoTokenThatAnAdoptionHasSent() async throws {
        let requests = Lock<[String]>([])
        var account = ScriptedAccount()
        account.refresh = { session in
            requests.withLock { $0.append("refresh") }
            return session
        }
        let repository = ScriptedRepository(
            adopt: { [asked, answer] _ in
                asked.resolve(())
                _ = await answer.value()
                return Self.ada
            }, account: account)
        let manager = manager()
        let adoption = Task { await outcome(of: AdoptSession(repository: repository, manager: manager)(Self.adas)) }
        _ = await asked.value()
        let signOut = Task { await outcome(of: SignOut(repository: repository, manager: manager).everywhere()) }
        try await wait(for: "the sign-out to remove the session") { manager.session == nil }
        answer.resolve(())
        #expect(await signOut.value?.error?.code == .network)
        _ = await adoption.value
        #expect(requests.withLock { $0 } == [])
    }
}
