import AuthStreams
import Foundation

/// The device's disk, which all processes share: records that are written whole, locks that die with their owner, and
/// news of changes.
///
/// Confined: only the thread that plays the schedule touches it, hence unchecked.
final class Disk: @unchecked Sendable {
    private unowned let world: World
    private(set) var records: [SessionStoreKey: Data] = [:]
    private var versions: [SessionStoreKey: RecordVersion] = [:]
    /// Whether the device is locked, so that nothing can be read or written.
    private(set) var isLocked = false
    var failsWrites = false
    var failsReads = false
    var locks = DiskLocks()
    private var unlockWaiters: [Reply<Void>] = []
    private var watchers: [DiskWatcher] = []

    init(_ world: World) {
        self.world = world
    }

    /// The session that the record is of, if there is one.
    var token: TokenName? { records[.session].flatMap { TokenName(.refresh, in: $0) } }

    /// How many listen for changes.
    var watcherCount: Int { watchers.count }

    // MARK: What is asked of it, as it takes effect

    func read(_ key: SessionStoreKey, by process: AppProcess) -> Result<StoredRecord, AuthError> {
        let version = versions[key] ?? .none
        guard !isLocked else {
            world.ledger.hasDiskFailed = true
            if key == .session { world.ledger.storeFailed(process) }
            return world.flaw == .emptyWhileLocked
                ? .success(StoredRecord(data: nil, version: version)) : .failure(.locked)
        }
        guard !failsReads || !world.chance.oneIn(2) else {
            world.ledger.hasDiskFailed = true
            if key == .session {
                process.conduct.readFailed()
                world.ledger.storeFailed(process)
            }
            return .failure(.broken)
        }
        let data = records[key]
        if key == .session { process.conduct.read(data.flatMap { TokenName(.refresh, in: $0) }, in: world) }
        return .success(StoredRecord(data: data, version: version))
    }

    /// Writes a record, or removes it, unless another write came first.
    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion, by process: AppProcess
    ) -> Result<RecordVersion?, AuthError> {
        guard !isLocked else { return failed(key, process, .locked) }
        // A disk may fail before and after it has done something, and nobody can tell which.
        let fault = failsWrites ? world.chance.below(3) : 2
        guard fault != 0 else { return failed(key, process, .broken) }
        guard versions[key] ?? .none == version else { return .success(nil) }
        guard world.flaw != .forgetfulDisk else { return .success(version) }
        let before = key == .session ? token : nil
        if key == .session { process.conduct.wrote() }
        records[key] = data
        versions[key] = version.next
        if key == .session { world.ledger.stored(token, over: before, by: process) }
        if key == .session, let data, let token = TokenName(.access, in: data) { world.ledger.keeps(token) }
        tell(of: key)
        return fault == 1 ? failed(key, process, .broken) : .success(version.next)
    }

    private func failed(
        _ key: SessionStoreKey, _ process: AppProcess, _ error: AuthError
    ) -> Result<RecordVersion?, AuthError> {
        world.ledger.hasDiskFailed = true
        if key == .session { world.ledger.storeFailed(process) }
        return .failure(error)
    }

    // MARK: The lock of the device

    func lockDevice() { isLocked = true }

    func unlockDevice() {
        isLocked = false
        let waiters = unlockWaiters
        unlockWaiters = []
        for waiter in waiters { waiter.give(()) }
    }

    func waitUntilUnlocked(_ reply: Reply<Void>) {
        if isLocked { unlockWaiters.append(reply) } else { reply.give(()) }
    }

    /// Nothing fails any more.
    func heal() {
        failsWrites = false
        failsReads = false
        unlockDevice()
    }

    // MARK: News

    func watch(_ watcher: DiskWatcher) { watchers.append(watcher) }

    func unwatch(_ watcher: DiskWatcher) { watchers.removeAll { $0 === watcher } }

    private func tell(of key: SessionStoreKey) {
        for watcher in watchers where watcher.key == key { watcher.tell(in: world) }
    }

    // MARK: The end of a process

    func left(by process: AppProcess) {
        watchers.removeAll { $0.process === process }
        for next in locks.left(by: process.id) { world.after(0, of: next.owner) { next.grant() } }
    }
}

extension AuthError {
    static var locked: Self { AuthError(.storageLocked, "The schedule says that the device is locked.") }
    static var lockIsTaken: Self { AuthError(.timedOut, "The schedule says that somebody else has the lock.") }
    static var broken: Self { AuthError(.storage, "The schedule says that the disk fails.") }
}
