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

    private var bobs: AdoptableSession { AdoptableSession(refreshToken: Secret("bob's token"), user: Self.ada.user) }

    private func manager() -> SessionManager {
        SessionManager(store: store, clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_000_000)))
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func everyCallerIsToldTheSameRefusal() async throws {
        let repository = server(.success(.sample(user: "bob")), onceAsked: asked, released: answer)
        let (manager, executor) = (manager(), ManualExecutor())
        let adopt = AdoptSession(repository: repository, manager: manager)
        let first = Task { [bobs] in await outcome(of: adopt(bobs)) }
        _ = await asked.value()
        let others = (0..<2).map { _ in
            Task(executorPreference: executor) { [bobs] in await outcome(of: adopt(bobs)) }
        }
        // Until they wait for the request.
        executor.run()
        answer.resolve(())
        executor.start()
        for caller in [first] + others { #expect(await caller.value?.error?.code == .sessionExpired) }
        #expect(repository.calls == [.adopt, .signOut("bob")])
    }

    /// What another process decides meanwhile must be seen before anything is adopted.
    @Test func nothingIsAdoptedWhileTheRecordCannotBeRead() async throws {
        let closures = SessionAdoption(find: { Self.adas }, discard: {})
        let other = SessionManager(store: store, adoption: closures)
        let manager = SessionManager(
            store: store,
            adoption: SessionAdoption(
                find: { [store] in
                    store.fail(.read, times: 1)
                    return Self.adas
                }, discard: {}))
        await #expect(throws: AuthError.self) { try await manager.restore() }
        #expect(manager.user == nil)
        _ = try await other.restore()
        #expect(other.user == Self.ada.user)
        _ = other.transition { machine, _ in machine.signOut() }
        try await other.persistPending()
        store.heal()
        #expect(try await manager.restore() == nil)
        #expect(try await kept() == nil, "The sign-out is the person's later decision.")
    }

    /// The request outlives the caller that began it.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func callerThatLeavesEndsNoRequest() async throws {
        let repository = server(.success(Self.ada), onceAsked: asked, released: answer)
        let manager = manager()
        let adopt = AdoptSession(repository: repository, manager: manager)
        let first = Task { await outcome(of: adopt(Self.adas)) }
        _ = await asked.value()
        let executor = ManualExecutor()
        let second = Task(executorPreference: executor) { await outcome(of: adopt(Self.adas)) }
        // Until it waits for the request.
        executor.run()
        first.cancel()
        #expect(await first.value?.error?.code == .cancelled)
        answer.resolve(())
        executor.start()
        #expect(await second.value == .success(Self.ada.user))
        #expect(repository.calls == [.adopt])
    }

    /// Nothing holds the order here: whichever of the service's tasks is first, the answer is the same.
    @Test func adoptingRightAfterTheLaunchHasOneAnswer() async throws {
        for _ in 0..<200 {
            let auth = AuthService(
                repository: server(.success(.sample(user: "bob"))), providers: [ScriptedProvider(.kakao)],
                store: MemorySessionStore(), callbacks: CallbackRouter())
            let error = await outcome(of: auth.adopt(refreshToken: Secret("bob's token"), of: Self.ada.user))?.error
            #expect(error?.code == .sessionExpired)
        }
    }

    @Test(arguments: [nameless, adas])
    func tokenIsNotWaitedForWhileTheServerCannotBeReached(adoptable: AdoptableSession) async throws {
        let auth = service(server(failure(.network))) { adoptable }
        // The first request failed, and the next is waited for.
        await clock.waitForSleepers(count: 1)
        let error = await #expect(throws: AuthError.self) { try await auth.accessToken() }
        #expect(error?.code == .network)
    }

    @Test func callsThatNeedTheSessionEndAsTheAdoptionFails() async throws {
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
        let adoption = SessionAdoption(find: { Self.adas })
        let one = SessionManager(store: slow, adoption: adoption)
        let hold = slow.hold(.write, of: .session)
        let restoring = Task { try await one.restore() }
        await hold.reached()
        let two = SessionManager(store: shared, adoption: adoption)
        _ = try await two.restore()
        #expect(two.user?.id == "ada")
        _ = await outcome(of: AuthSignOut(repository: server(failure(.network)), manager: two)())
        hold.release()
        #expect(try await restoring.value == nil)
        #expect(try await shared.session() == nil)
    }

    /// Another process adopts the same session and notes its request, between a write that failed here and its repetition.
    @Test func repeatedWriteKeepsTheNoteOfAnotherProcess() async throws {
        let shared = MemorySessionStore()
        let faulty = FaultySessionStore(shared)
        let manager = SessionManager(store: faulty)
        faulty.fail(.write)
        await manager.beginAdoption(of: Self.adas)
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

    /// Only its answer holds what the server takes from then on.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func signOutEverywhereWaitsForAnAdoptionThatIsUnderWay() async throws {
        let told = Lock<[Secret?]>([])
        var account = ScriptedAccount()
        account.signOutEverywhere = { session in told.withLock { $0.append(session.refreshToken) } }
        let repository = ScriptedRepository(
            adopt: { [asked, answer] _ in
                asked.resolve(())
                _ = await answer.value()
                return Self.ada
            }, account: account)
        let (manager, executor) = (manager(), ManualExecutor())
        let adoption = Task { await outcome(of: AdoptSession(repository: repository, manager: manager)(Self.adas)) }
        _ = await asked.value()
        let signOut = Task(executorPreference: executor) {
            await outcome(of: AuthSignOut(repository: repository, manager: manager).everywhere())
        }
        // Until it waits for the answer.
        executor.run()
        #expect(manager.user?.id == "ada")
        answer.resolve(())
        executor.start()
        #expect(await signOut.value?.error == nil)
        _ = await adoption.value
        #expect(told.withLock { $0 } == [Self.ada.refreshToken] && manager.state == .signedOut(.user))
        #expect(repository.calls.filter { $0 == .adopt }.count == 1)
    }
}
