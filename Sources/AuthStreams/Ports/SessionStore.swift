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
/// - Of those who hold one lock, whatever process they are in, there is one at a time; the lock of a process that died is free.
/// - Where several processes share a store, ``changes(of:)`` tells of each change that another makes after the call.
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
    ///
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`. The record may have been written all the same.
    func write(_ data: Data, for key: SessionStoreKey) async throws(AuthError)

    /// Removes a record. Removing what is not there is fine.
    ///
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`. The record may have been removed all the same.
    func remove(_ key: SessionStoreKey) async throws(AuthError)

    /// Waits until a store that was locked may be readable, or until the task is cancelled.
    ///
    /// Called only after `storageLocked`; a store that is never locked returns at once.
    func waitUntilUnlocked() async

    /// Tells when a record may have changed, by whoever: another process, or this one.
    ///
    /// Elements may be fewer than changes and more: read the record. A store of one process alone need not implement it;
    /// then the stream is over at once.
    func changes(of key: SessionStoreKey) -> AsyncStream<Void>

    /// Takes a lock that all who use this store share, in every process, waiting until it is free.
    ///
    /// It is not what keeps single calls apart; those are whole anyway. A store of one owner alone need not implement it;
    /// then it is always free.
    ///
    /// - Parameter name: Which lock. It may be named like a record and has nothing to do with that.
    /// - Returns: The lock, held until it is released or let go of.
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`, or `cancelled` when the task is cancelled first. A store
    ///   that processes share also throws `timedOut`, after a time that it chooses: a process that was stopped keeps its lock.
    func lock(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock
}

extension SessionStore {
    /// A stream that is over at once: nobody else writes.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// A lock that excludes nobody: there is nobody else.
    public func lock(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock { SessionStoreLock {} }
}

/// A lock of a ``SessionStore``, held until it is released or the last reference to it is gone.
public final class SessionStoreLock: Sendable {
    private let giveBack: OneShot<Void>
    private let action: @Sendable () -> Void

    /// Makes a lock that is held already.
    ///
    /// - Parameter release: Gives it back. Called once.
    public init(release: @escaping @Sendable () -> Void) {
        giveBack = OneShot()
        action = release
    }

    /// Gives the lock back. Later calls do nothing.
    public func release() { if giveBack.resolve(()) { action() } }

    deinit { release() }
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
    /// A record of a session that could not be read, set aside for whoever wants to know why. Never read again.
    public static let damagedSession = Self(rawValue: "session.damaged")
    /// How far the deletion of an account is.
    public static let deletion = Self(rawValue: "deletion")
    /// That what another SDK left behind was taken up once, and is not again.
    public static let adoption = Self(rawValue: "adoption")
    /// Names and e-mails that a provider tells once, kept until the server has them.
    public static let pendingProfiles = Self(rawValue: "pending-profiles")
}
