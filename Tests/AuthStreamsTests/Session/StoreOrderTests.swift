import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Store operations that stand still while the next one is asked for: they must not overtake each other.
@Suite struct StoreOrderTests {
    private let ada = AuthSession.sample(user: "ada")
    private let bob = AuthSession.sample(user: "bob")
    private let store = FaultySessionStore()

    /// The next operation has reached the mutex of the store, where it waits for the one that is held.
    private func nextOperationWaits(at manager: SessionManager) async throws {
        try await wait(for: "the next operation to wait for its turn") { manager.storeMutex.waiting > 0 }
    }

    private func stored() async throws -> AuthSession? {
        try await store.read(.session).data.flatMap(SessionRecord.session(in:))
    }

    private func signedInManager() async throws -> SessionManager {
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        try await manager.commit(ada, by: manager.begin())
        return manager
    }

    @Test func aSlowRemovalCannotUndoALaterSignIn() async throws {
        let manager = try await signedInManager()
        let hold = store.hold(.write)
        let signingOut = Task {
            _ = manager.transition { machine, _ in machine.signOut() }
            try await manager.persistPending()
        }
        await hold.reached()
        let attempt = manager.begin()
        let signingIn = Task { [bob] in try await manager.commit(bob, by: attempt) }
        try await nextOperationWaits(at: manager)
        hold.release()
        try await signingOut.value
        try await signingIn.value
        #expect(try await stored() == bob)
    }

    @Test func slowRetryOfAWriteCannotUndoALaterSignOut() async throws {
        store.fail(.write, times: 1)
        let manager = try await signedInManager()
        let hold = store.hold(.write)
        let restoring = Task { try await manager.restore() }
        await hold.reached()
        let signingOut = Task {
            _ = manager.transition { machine, _ in machine.signOut() }
            try await manager.persistPending()
        }
        try await nextOperationWaits(at: manager)
        hold.release()
        _ = try await restoring.value
        try await signingOut.value
        #expect(try await stored() == nil)
    }

    /// The second sign-out comes after the other process's sign-in, the reading under way before it.
    @Test func aSignOutDuringAReadingReadsAgain() async throws {
        let manager = SessionManager(store: store)
        let hold = store.hold(.read, .after, of: .session)
        _ = manager.transition { machine, _ in machine.signOut() }
        let first = Task { try await manager.persistPending() }
        await hold.reached()
        _ = try await signedInManager()
        _ = manager.transition { machine, _ in machine.signOut() }
        hold.release()
        try await first.value
        try await manager.persistPending()
        #expect(try await stored() == nil)
    }

    @Test func whatIsPendingIsWrittenOnce() async throws {
        store.fail(.write, times: 1)
        let manager = try await signedInManager()
        _ = try await manager.restore()
        #expect(try await stored() == ada)
        let writes = store.operations.count { $0.call == .write }
        _ = try await manager.restore()
        #expect(store.operations.count { $0.call == .write } == writes)
    }

    /// Its retry is due later.
    @Test func writeThatFailsIsNotRepeatedByThoseWhoWaitForIt() async throws {
        store.fail(.write, times: 2)
        let manager = try await signedInManager()
        let hold = store.hold(.write)
        let retrying = Task { try? await manager.persistPending() }
        await hold.reached()
        let waiting = Task { await manager.persistQueued() }
        try await nextOperationWaits(at: manager)
        hold.release()
        _ = await (retrying.value, waiting.value)
        #expect(store.operations.count { $0.call == .write } == 2)
        #expect(try await stored() == nil)
    }

    @Test func profilesOfTwoPeopleAtOnceAreBothKept() async throws {
        let manager = SessionManager(store: store)
        let profiles = PendingProfiles(manager: manager)
        let (first, second) = (apple("001", named: "Ada"), apple("002", named: "Bob"))
        let hold = store.hold(.read, .after)
        let one = Task { await profiles.attach(to: first) }
        await hold.reached()
        _ = await profiles.attach(to: second)
        hold.release()
        _ = await one.value
        #expect(await profiles.attach(to: apple("001")).profile?.name?.givenName == "Ada")
        #expect(await profiles.attach(to: apple("002")).profile?.name?.givenName == "Bob")
    }

    @Test func aProfileThatIsKnownAlreadyIsNotWrittenAgain() async {
        let profiles = PendingProfiles(manager: SessionManager(store: store))
        for _ in 0..<3 { _ = await profiles.attach(to: apple("001", named: "Ada")) }
        #expect(store.operations.count { $0.call == .write } == 1)
    }

    @Test func aProfileThatSaysNothingDoesNotReplaceOne() async {
        let profiles = PendingProfiles(manager: SessionManager(store: store))
        _ = await profiles.attach(to: apple("001", named: "Ada"))
        let again = Credential(provider: .apple, userID: "001", profile: Credential.Profile())
        #expect(await profiles.attach(to: again).profile?.name?.givenName == "Ada")
    }

    @Test func aProfileIsOfOneProviderAndOnePerson() async {
        let profiles = PendingProfiles(manager: SessionManager(store: store))
        _ = await profiles.attach(to: apple("001", named: "Ada"))
        #expect(await profiles.attach(to: Credential(provider: .google, userID: "001")).profile == nil)
        #expect(await profiles.attach(to: apple("002")).profile == nil)
    }

    private func apple(_ user: String, named name: String? = nil) -> Credential {
        Credential(
            provider: .apple, userID: user, profile: name.map { Credential.Profile(name: PersonName(givenName: $0)) })
    }
}

extension SessionManager {
    /// Begins an attempt without a chain.
    func begin() -> SignInOperation {
        transition { $0.signInBegan(with: .kakao, at: .presenting, $1.uptime) }
    }

    /// Begins a refresh without a request.
    func refreshBegan() -> RefreshOperation? {
        if case .start(let refresh) = decide(read { $0.demandOfNewToken }) { refresh } else { nil }
    }
}

extension RefreshSession {
    /// Changes the session of the user who is signed in.
    func change(_ change: (AuthSession) async throws(AuthError) -> AuthSession) async throws(AuthError) -> AuthSession {
        guard let user = try await currentSession()?.user.id else { throw .notSignedIn }
        return try await replaceSession(of: user, showing: .credential, by: change)
    }
}
