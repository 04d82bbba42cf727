import Foundation

extension SessionManager {
    /// The stored progress of the migration from another SDK.
    enum MigrationStatus: String {
        /// The session was taken over, or is older than one that ended here. The app is not asked for it again.
        case adopted = "taken"
        /// The other SDK has discarded its copy, too.
        case discarded = "released"

        init(reading data: Data) { self = Self(rawValue: String(decoding: data, as: UTF8.self)) ?? .adopted }
    }

    /// Reads the status; `nil` if no session was taken over.
    func migrationStatus() async throws(AuthError) -> MigrationStatus? {
        try await store.read(.adoption).data.map(MigrationStatus.init(reading:))
    }

    /// Stores that the app is not asked for the session of another SDK again.
    func markAdopted() async throws(AuthError) {
        try await store.update(.adoption) { $0 = $0 ?? Data(MigrationStatus.adopted.rawValue.utf8) }
    }

    /// Makes the other SDK discard its copy of a session that is stored here, or is over.
    func discardLegacySession() async {
        guard let migration, !isInsideMigrationClosure else { return }
        await launchMutex.run {
            // A failure is retried at the next launch.
            guard (try? await migrationStatus()) == .adopted, (try? await calling(migration.discard)) != nil else {
                return
            }
            try? await store.update(.adoption) { $0 = Data(MigrationStatus.discarded.rawValue.utf8) }
        }
    }

    // MARK: Calling the app

    /// Whether the calling task runs a closure of `migration`, or was started by one. Restoring waits for those closures, so
    /// they can't wait for it.
    var isInsideMigrationClosure: Bool { SessionMigration.caller == ObjectIdentifier(self) }

    /// Runs a closure of `migration`.
    func calling<Value>(_ closure: @Sendable () async throws -> Value) async throws -> Value {
        try await SessionMigration.$caller.withValue(ObjectIdentifier(self)) { try await closure() }
    }
}

extension LegacySession {
    /// Checks the token's form: visible characters and spaces, at least one visible (RFC 6749 appendix A.17).
    ///
    /// - Throws: `invalidCredential`.
    func validate() throws(AuthError) {
        let bytes = refreshToken.reveal().utf8
        guard bytes.contains(where: { $0 != 0x20 }), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AuthError(
                .invalidCredential,
                "The refresh token to adopt is empty or has characters that no token has. Pass it as the other SDK stored it.",
                provider: provider)
        }
    }
}
