public import Foundation

/// Where a session outlives the process: a few small records, each read and written as a whole.
///
/// A store knows nothing of sessions. What it keeps is opaque and secret.
///
/// Several processes may share a store, so a write says which version of the record it replaces, and is refused if that is
/// no longer the present one. A caller that was refused reads again and decides anew. No lock is needed for that, and a
/// process that the system stopped in the middle can't overwrite what others wrote meanwhile.
///
/// ## What an implementation promises
///
/// - 'Empty', 'locked' and 'failed' are told apart: a record without data, `storageLocked`, `storage`. A store never says
///   empty when it could not read.
/// - A write is atomic: afterwards the record is the old or the new one, whole, also when others read or write meanwhile,
///   and when the process dies in between.
/// - Of the writes that replace one version, one succeeds. Every other is refused, changes nothing, and says so.
/// - A write that succeeded is read back byte for byte, by this and by a later process; so is a removal. A record may be empty
///   or large, and no record touches another.
/// - A cancelled task's write is carried out: it may be the only copy of a token.
/// - A name that ``SessionStoreKey/validate()`` refuses is refused with `storage`; every other is taken.
/// - A lock has one holder at a time, whatever process it is in; the lock of a process that died is free. A lock that its
///   holder lost says so.
/// - Where several processes share a store, ``changes(of:)`` tells of each change that another makes after the call.
/// - Waiting for the unlock ends by the unlock, by the cancellation of the task, and at once where nothing is locked.
///
/// `SessionStoreContract`, of the module AuthStreamsTesting, checks every one of them but the death of the process.
public protocol SessionStore: Sendable {
    /// Reads a record.
    ///
    /// - Returns: The record with its version; without data where there is none.
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`.
    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord

    /// Writes or removes a record, unless another write came first.
    ///
    /// - Parameters:
    ///   - data: The new record; `nil` to remove it. Removing a record that isn't there succeeds.
    ///   - key: Which record.
    ///   - version: The version to replace: of the record as the caller read or wrote it last.
    /// - Returns: The new version; `nil` if the store holds another version by now, in which case nothing was written.
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`. The record may have been written all the same.
    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion?

    /// Waits until a store that was locked may be readable, or until the task is cancelled.
    ///
    /// Called only after `storageLocked`; a store that is never locked returns at once.
    func waitUntilUnlocked() async

    /// Tells when a record may have changed, whether this process or another changed it.
    ///
    /// Elements may be fewer than changes and more: read the record. A store of one process alone need not implement it;
    /// then the stream is over at once.
    func changes(of key: SessionStoreKey) -> AsyncStream<Void>

    /// Takes a lock that all users of this store share, in every process, waiting until it is free.
    ///
    /// It keeps requests apart and not writes: those are kept apart by versions. A store of one owner alone need not
    /// implement it; then it is always free.
    ///
    /// - Parameters:
    ///   - name: Which lock. A record of the same name has nothing to do with it.
    ///   - limit: How long to wait for other processes. One that the system stopped keeps its lock.
    /// - Returns: The lock, held until it is released or its last reference is gone, or until it is lost.
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`; `cancelled` when the task is cancelled first;
    ///   `timedOut` at the limit, where processes share the store.
    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
}

extension SessionStore {
    /// Returns a stream that is over at once: no other process writes.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// Returns a lock that excludes no caller: the store has one owner.
    public func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
    {
        SessionStoreLock {}
    }

    /// Changes a record by what it is at that moment; decides anew where another process wrote in between.
    ///
    /// - Parameter change: Gets the record, `nil` where there is none, and makes the next of it. May be called several
    ///   times. Nothing is written where it changes nothing.
    /// - Returns: What the last call returned.
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`, or what the change throws.
    @discardableResult
    func update<Value>(
        _ key: SessionStoreKey, _ change: (inout Data?) throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        for _ in 0..<StoredRecord.attempts {
            let record = try await read(key)
            var data = record.data
            let value = try change(&data)
            if data == record.data { return value }
            if try await write(data, for: key, replacing: record.version) != nil { return value }
        }
        throw .recordIsBusy(key)
    }
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
    /// The shape of a session's record that could not be read, for diagnosis: its punctuation and the names of its members.
    /// Everything else, tokens included, is an `x` for each byte. The library never reads it.
    public static let damagedSession = Self(rawValue: "session.damaged")
    /// How far the deletion of an account is.
    public static let deletion = Self(rawValue: "deletion")
    /// That what another SDK left behind was taken up once, and is not again.
    public static let adoption = Self(rawValue: "adoption")
    /// Names and e-mails that a provider tells once, kept until the server has them.
    public static let pendingProfiles = Self(rawValue: "pending-profiles")
}
