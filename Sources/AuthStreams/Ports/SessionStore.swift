public import Foundation

/// Where a session outlives the process: a few small records, each written whole.
///
/// A store knows nothing of sessions; what it keeps is opaque and secret.
///
/// ## What an implementation promises
///
/// - 'Empty', 'locked' and 'failed' are told apart: `nil`, `storageLocked`, `storage`. It never says empty when it could
///   not read.
/// - A write is atomic: afterwards the record is the old or the new one, whole, also when others read or write meanwhile,
///   and when the process dies in between.
/// - A write that returned is read back byte for byte, by this and by a later process; so is a removal. A record may be empty
///   or large, and no record touches another.
/// - A cancelled task's write is carried out: it may be the only copy of a token.
/// - A name that ``SessionStoreKey/validate()`` refuses is refused with `storage`; every other is taken.
/// - Waiting for the unlock ends by the unlock, by the cancellation of the task, and at once where nothing is locked.
///
/// `SessionStoreContract`, of the module AuthStreamsTesting, checks every one of them but the death of the process.
public protocol SessionStore: Sendable {
    /// Reads a record.
    ///
    /// - Returns: `nil` when there is none.
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`.
    func read(_ key: SessionStoreKey) async throws(AuthError) -> Data?

    /// Writes a record, in place of the one before.
    func write(_ data: Data, for key: SessionStoreKey) async throws(AuthError)

    /// Removes a record. Removing what is not there is fine.
    func remove(_ key: SessionStoreKey) async throws(AuthError)

    /// Waits until a store that was locked may be readable, or until the task is cancelled.
    ///
    /// Called only after `storageLocked`; a store that is never locked returns at once.
    func waitUntilUnlocked() async
}

/// The name of a record in a ``SessionStore``: lower-case letters, digits, dots and hyphens, so that it can name a file.
public struct SessionStoreKey: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Names a record.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The session.
    public static let session = Self(rawValue: "session")
    /// That what another SDK left behind was taken up once, and is not again.
    public static let adoption = Self(rawValue: "adoption")
    /// Names and e-mails that a provider tells once, kept until the server has them.
    public static let pendingProfiles = Self(rawValue: "pending-profiles")
}
