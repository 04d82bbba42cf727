import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the article 'The session in the keychain' shows of a store is between the marks.

// KeychainSession: unlocked by the person
/// Locks a session that it finds until the person has unlocked it.
struct PersonallyUnlockedStore: SessionStore {
    let base: any SessionStore
    let isUnlocked: Broadcast<Bool>

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        let record = try await base.read(key)
        guard key != .session || record.data == nil || isUnlocked.value == true else {
            throw AuthError(.storageLocked, "The person has not unlocked the app yet.")
        }
        return record
    }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        let written = try await base.write(data, for: key, replacing: version)
        if key == .session, written != nil { isUnlocked.send(true) }  // a sign-in unlocks as well
        return written
    }

    func waitUntilUnlocked() async {
        for await isUnlocked in isUnlocked where isUnlocked { break }
        await base.waitUntilUnlocked()
    }

    func changes(of key: SessionStoreKey) -> AsyncStream<Void> { base.changes(of: key) }

    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock {
        try await base.lock(name, waitingAtMost: limit)
    }
}
// KeychainSession end

/// The article's store, around one that is never locked.
@Suite struct KeychainSessionSnippets {
    private func service(_ store: PersonallyUnlockedStore) -> AuthService {
        AuthService(
            .repository(ScriptedRepository()), providers: [.provider(ScriptedProvider(.kakao))],
            platform: .isolated(store: store))
    }

    @Test func sessionIsShownOnceThePersonHasUnlockedIt() async throws {
        let base = MemorySessionStore()
        let user: AuthUser
        do {
            let auth = service(PersonallyUnlockedStore(base: base, isUnlocked: Broadcast(false)))
            user = try await auth.signIn(with: .kakao).value.user
            // The sign-in has unlocked it.
            _ = try await auth.accessToken(forceRefresh: true)
        }
        let isUnlocked = Broadcast(false)
        let auth = service(PersonallyUnlockedStore(base: base, isUnlocked: isUnlocked))
        let locked = await auth.states.prefix { $0 == .restoring(.waitingForUnlock) }
        #expect(locked.allSatisfy { $0.user == nil })
        isUnlocked.send(true)
        let unlocked = await auth.states.prefix { $0.user != nil || $0 == .signedOut(nil) }
        #expect(unlocked.last?.user?.id == user.id)
    }

    @Test func whereNoOneIsSignedInNothingIsLocked() async throws {
        let auth = service(PersonallyUnlockedStore(base: MemorySessionStore(), isUnlocked: Broadcast(false)))
        let seen = await auth.states.prefix { $0 == .signedOut(nil) || $0 == .restoring(.waitingForUnlock) }
        #expect(seen.last == .signedOut(nil))
    }
}
