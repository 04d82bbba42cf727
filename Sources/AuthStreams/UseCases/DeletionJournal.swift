import Foundation

/// A deletion of an account that was begun, and of which nobody knows yet that it is done.
///
/// Show it where your app offers the deletion: deleting again goes on where it was.
public struct PendingDeletion: Hashable, Sendable {
    /// The provider at which the person was asked; `nil` when they were not.
    public var provider: ProviderID?
    /// Whether the app's access at the provider is withdrawn already.
    public var isRevoked: Bool

    /// Describes a deletion.
    public init(provider: ProviderID?, isRevoked: Bool) {
        self.provider = provider
        self.isRevoked = isRevoked
    }
}

/// What a deletion was about to do, on disk before it does it, so that a later one goes on from there. Holds no secret.
///
/// A store that fails costs no deletion: it is reported as an event, and at worst the person is asked once more.
struct DeletionJournal: Sendable {
    /// What was about to be done.
    enum Stage: String, Codable {
        case revoking, deleting
    }

    struct Entry: Codable, Equatable {
        let userID: AuthUser.ID
        /// `nil` when nothing was revoked.
        let provider: ProviderID?
        var stage: Stage
    }

    let keeper: SessionKeeper

    /// How far the deletion of that user is. A record of anybody else, or one that cannot be understood, is removed.
    func entry(of userID: AuthUser.ID) async -> Entry? {
        await operate { store throws(AuthError) in try await entry(of: userID, in: store) } ?? nil
    }

    private func entry(of userID: AuthUser.ID, in store: any SessionStore) async throws(AuthError) -> Entry? {
        guard let data = try await store.read(.deletion) else { return nil }
        let entry = try? JSONDecoder().decode(Entry.self, from: data)
        guard let entry, entry.userID == userID else {
            try await store.remove(.deletion)
            return nil
        }
        return entry
    }

    /// Notes what is about to be done, or to be true again; `nil` for nothing.
    func note(_ entry: Entry?) async {
        guard let entry, let data = try? JSONEncoder().encode(entry) else { return await clear() }
        await operate { store throws(AuthError) in try await store.write(data, for: .deletion) }
    }

    func clear() async {
        await operate { store throws(AuthError) in
            if try await store.read(.deletion) != nil { try await store.remove(.deletion) }
        }
    }

    /// The person agreed at the provider once more, which gives back there what was revoked.
    func accessRenewed(at provider: ProviderID, by userID: AuthUser.ID) async {
        // In one turn at the store: the deletion may be done meanwhile, and leaves no note.
        await operate { store throws(AuthError) in
            guard var entry = try await entry(of: userID, in: store), entry.provider == provider,
                entry.stage == .deleting
            else { return }
            entry.stage = .revoking
            guard let data = try? JSONEncoder().encode(entry) else { return }
            try await store.write(data, for: .deletion)
        }
    }

    @discardableResult
    private func operate<Value: Sendable>(
        _ operation: (any SessionStore) async throws(AuthError) -> Value
    ) async -> Value? {
        do throws(AuthError) {
            return try await keeper.storeGate.run { () async throws(AuthError) in try await operation(keeper.store) }
        } catch {
            keeper.publish(AuthEvent(.storageFailed, error: error.code, change: .deletion))
            return nil
        }
    }
}
