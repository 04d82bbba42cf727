public import Foundation

/// Persistent storage for sessions: a few small records, each read and written as a whole.
///
/// A store does not interpret its records. They are opaque and secret.
///
/// Several processes may share a store, so a write names the version of the record that it replaces, and is refused if
/// that is not the current one. The caller then reads again and decides anew. This needs no lock, and a process that
/// the system suspended during a write cannot overwrite the writes of others.
///
/// ## What an implementation promises
///
/// - 'Empty', 'locked' and 'failed' are distinguished: a record without data, `storageLocked`, `storage`. A store never
///   reports an empty record when it could not read.
/// - A write is atomic: afterwards the record is the old or the new one as a whole, even if others read or write at the
///   same time or the process dies during the write.
/// - Of the writes that replace one version, one succeeds. Every other returns `nil` and changes nothing.
/// - A successful write is read back byte for byte, by this and by a later process; so is a removal, whose version stays. A
///   record may be empty or large, and no record affects another.
/// - A cancelled task's write is carried out: it may be the only copy of a token.
/// - A name that ``SessionStoreKey/validate()`` refuses is refused with `storage`; every other name is accepted.
/// - A lock has one holder at a time across all processes; the lock of a process that died is free, at once or after a
///   stated time. A lock that its holder lost reports that.
/// - An error in the app's configuration, such as a missing entitlement, is `misconfigured`, and repeats until it is
///   mended.
/// - If several processes share a store, ``changes(of:)`` has an element for each change that another makes after the
///   call.
/// - Waiting for the unlock ends with the unlock, with the cancellation of the task, and at once if nothing is locked.
///
/// `SessionStoreContract`, of the module AuthStreamsTesting, checks each of them except the death of the process.
public protocol SessionStore: Sendable {
    /// Reads a record.
    ///
    /// - Returns: The record with its version; without data if there is none.
    /// - Throws: ``AuthError`` with code `storageLocked`, `storage` or `misconfigured`.
    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord

    /// Writes or removes a record, unless another write came first.
    ///
    /// - Parameters:
    ///   - data: The new record; `nil` to remove it. Removing a record that does not exist succeeds.
    ///   - key: The record's name.
    ///   - version: The version to replace: that of the caller's last read or write.
    /// - Returns: The new version; `nil` if the store holds another version, in which case nothing was written.
    /// - Throws: ``AuthError`` with code `storageLocked`, `storage` or `misconfigured`. The record may have been written
    ///   nevertheless.
    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion?

    /// Waits until a locked store may be readable or the task is cancelled.
    ///
    /// Called only after `storageLocked`; a store that is never locked returns at once.
    func waitUntilUnlocked() async

    /// Returns a stream with an element whenever this or another process may have changed a record.
    ///
    /// There may be fewer or more elements than changes: read the record. A store of a single process need not
    /// implement it; the stream then ends at once.
    func changes(of key: SessionStoreKey) -> AsyncStream<Void>

    /// Takes a lock that all users of this store share, in every process, and waits until it is free.
    ///
    /// The lock separates requests; versions separate writes. A store of a single owner need not implement it; the lock
    /// is then always free.
    ///
    /// - Parameters:
    ///   - name: The lock's name. It is unrelated to a record of the same name.
    ///   - limit: How long to wait for other processes. A process that the system suspended keeps its lock.
    /// - Returns: The lock, held until it is released, its last reference is gone, or it is lost.
    /// - Throws: ``AuthError`` with code `storageLocked`, `storage` or `misconfigured`; `cancelled` if the task is cancelled
    ///   first; `timedOut` at the limit, if processes share the store.
    func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
}

extension SessionStore {
    /// Returns a stream that ends at once: no other process writes.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// Returns a lock that excludes no caller: the store has one owner.
    public func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
    {
        SessionStoreLock {}
    }

    /// Changes a record by its current data, again after each write of another process in between.
    ///
    /// - Parameter change: Receives the record, `nil` if there is none, and changes it. May be called several times.
    ///   Nothing is written if it changes nothing.
    /// - Returns: The result of the last call.
    /// - Throws: ``AuthError`` with code `storageLocked` or `storage`, or the error of `change`.
    @discardableResult
    package func update<Value>(
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

    /// Makes a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The session.
    public static let session = Self(rawValue: "session")
    /// The shape of a session's record that could not be read, for diagnosis: its punctuation and the names of its members.
    /// Everything else, tokens included, is an `x` for each byte. The library never reads it.
    public static let damagedSession = Self(rawValue: "session.damaged")
    /// What is remembered beside the session: the method of the last sign-in on this device with a hash of its user's identifier;
    /// names and e-mails that a provider returns only once, until the server has them; the progress of an account's deletion; and
    /// the attempt that the person is away for, with its secrets, until it ends. Holds no token.
    public static let notes = Self(rawValue: "notes")
    /// The key that a session's tokens are bound to (RFC 9449), where the repository binds them: a private key, or what the Secure
    /// Enclave returned for one. It is written before the first token is bound to it, and stays after the session.
    public static let dpopKey = Self(rawValue: "dpop-key")
}

/// A record of a ``SessionStore`` at one moment.
public struct StoredRecord: Hashable, Sendable {
    /// The bytes; `nil` if there is no record.
    public var data: Data?
    /// The version that a write names to replace this record.
    public var version: RecordVersion

    /// Makes a record.
    public init(data: Data?, version: RecordVersion) {
        self.data = data
        self.version = version
    }

    /// The maximum number of reads after refused writes. Each refusal means that another process wrote, so a store that
    /// refuses more often is broken.
    static let attempts = 100
}

extension StoredRecord: DescriptionOnly {
    /// The version, without the bytes, which hold tokens.
    public var description: String { "\(data == nil ? "no record" : "a record") of version \(version.rawValue)" }
}

/// The version of a record. Versions are ordered by their writes.
public struct RecordVersion: RawRepresentable, Hashable, Comparable, Sendable {
    /// Increases with every write and removal; 0 for a record that was never written.
    public let rawValue: UInt64

    /// Makes a version.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The version of a record that was never written.
    public static let none = Self(rawValue: 0)

    /// The version that replaces this one.
    public var next: Self { Self(rawValue: rawValue &+ 1) }

    /// Whether one version was written before another.
    public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

extension AuthError {
    static func recordIsBusy(_ key: SessionStoreKey) -> Self {
        AuthError(
            .storage,
            """
            The record '\(key.rawValue)' was refused \(StoredRecord.attempts) times, because it changed between reading and \
            writing. Check that the store accepts the version that its `read` returned last.
            """)
    }
}

/// A lock of a ``SessionStore``, held until it is released, its last reference is gone, or it is lost.
///
/// A lock is lost when it expires, or when the system takes it from a process that it suspended. The holder checks
/// ``isHeld`` before each step that the lock protects.
public final class SessionStoreLock: Sendable {
    private let released = Promise<Void>()
    private let check: @Sendable () -> Bool
    private let action: @Sendable () -> Void

    /// Makes a lock that is already held.
    ///
    /// - Parameters:
    ///   - isHeld: Returns whether the lock is not lost. Not called after the release.
    ///   - release: Releases the underlying lock. Called once.
    public init(isHeld: @escaping @Sendable () -> Bool = { true }, release: @escaping @Sendable () -> Void) {
        check = isHeld
        action = release
    }

    /// Whether the lock is neither released nor lost.
    public var isHeld: Bool { released.current == nil && check() }

    /// Releases the lock. Later calls do nothing.
    @inline(never)  // Not repeated in each of its callers.
    public func release() { if released.resolve(()) { action() } }

    deinit { release() }
}

extension SessionStoreLock: Hashable {
    /// Whether both are the same lock.
    public static func == (first: SessionStoreLock, second: SessionStoreLock) -> Bool { first === second }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
