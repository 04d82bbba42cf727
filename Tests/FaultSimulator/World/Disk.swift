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
    private(set) var lastUnlock: Milliseconds = -1
    var failsWrites = false
    var failsReads = false
    var locks = DiskLocks()
    private var unlockWaiters: [Reply<Void>] = []
    private var watchers: [DiskWatcher] = []

    init(_ world: World) {
        self.world = world
    }

    /// What the session's record says; `nil` where there is none, or it is damaged.
    var content: RecordContent? { isDamaged ? nil : world.ledger.log[world.ledger.log.count - 1].content }

    /// The session that the record is of, if there is one.
    var token: TokenName? { content?.session?.token }

    /// The access token that the record holds.
    var accessToken: TokenName? { content?.session?.access }

    /// How many listen for changes.
    var watcherCount: Int { watchers.count }

    // MARK: What is asked of it, as it takes effect

    func read(_ key: SessionStoreKey, by process: AppProcess) -> Result<StoredRecord, AuthError> {
        let version = versions[key] ?? .none
        guard !isLocked else {
            guard world.flaw == .emptyWhileLocked else {
                return .failure(failed(key, process, .locked, isReading: true))
            }
            return .success(StoredRecord(data: nil, version: version))
        }
        guard !failsReads || !world.chance.oneIn(2) else {
            return .failure(failed(key, process, .broken, isReading: true))
        }
        let data = records[key]
        return .success(StoredRecord(data: data, version: version))
    }

    /// Writes a record, or removes it, unless another write came first.
    ///
    /// - Parameter attempt: What it is for the judgement, if it is the session's.
    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion, _ attempt: WriteAttempt?,
        by process: AppProcess
    ) -> Result<RecordVersion?, AuthError> {
        guard !isLocked else {
            if let attempt { world.ledger.tried(attempt, replacing: version) }
            return .failure(failed(key, process, .locked))
        }
        // A disk may fail before and after it has done something, and a process cannot tell which.
        let fault = failsWrites ? world.chance.below(3) : 2
        guard fault != 0 else {
            if let attempt { world.ledger.tried(attempt, replacing: version) }
            return .failure(failed(key, process, .broken))
        }
        guard versions[key] ?? .none == version else {
            process.conduct.storeRefused(at: world.ledger.mark())
            return .success(nil)
        }
        guard world.flaw != .forgetfulDisk else { return .success(version) }
        if key == .notes { world.profiles.keeps(data, over: records[key], in: world) }
        records[key] = data
        versions[key] = version.next
        if let attempt { stored(attempt, replacing: version, by: process) }
        tell(of: key)
        guard fault != 1 else {
            return .failure(failed(key, process, .broken))
        }
        // A removal stores no session.
        if key != .session || data != nil { process.conduct.storeTook(key) }
        return .success(version.next)
    }

    private func stored(_ attempt: WriteAttempt, replacing version: RecordVersion, by process: AppProcess) {
        world.ledger.tried(attempt, replacing: version)
        world.ledger.stored(attempt, isDamaged: isDamaged)
        isDamaged = false
        guard let session = attempt.content?.session else { return }
        if let access = session.access { world.ledger.keeps(access) }
        if let token = session.token { world.ledger.marked(token, isSent: session.isSent ?? false, by: process) }
    }

    private func failed(
        _ key: SessionStoreKey, _ process: AppProcess, _ error: AuthError, isReading: Bool = false
    ) -> AuthError {
        // A locked store is waited for, so that says nothing of what it holds.
        let isUnknown = isReading && error.code != .storageLocked
        process.conduct.storeFailed(key, isReading: isUnknown, at: world.ledger.mark())
        return error
    }

    // MARK: The lock of the device

    func lockDevice() { isLocked = true }

    func unlockDevice() {
        if isLocked { lastUnlock = world.now }
        isLocked = false
        let waiters = unlockWaiters
        unlockWaiters = []
        for waiter in waiters { waiter.give(()) }
    }

    func waitUntilUnlocked(_ reply: Reply<Void>) {
        if isLocked { unlockWaiters.append(reply) } else { reply.give(()) }
    }

    // MARK: What is done to the session's record

    /// Damages the record. Its version stays.
    func damage() {
        guard let content, !content.isNewer else { return }
        records[.session] = Self.damaged
        isDamaged = true
        tell(of: .session)
    }

    static let damaged = Data("{".utf8)
    /// Whether the session's record is damaged now.
    private(set) var isDamaged = false

    /// Writes the session's record in the form of a newer version of the app, or in this version's again. What both forms know
    /// stays.
    func write(inNewerForm isNewer: Bool) {
        guard let data = records[.session], let content, content.isNewer != isNewer else { return }
        let forms = RecordContent.forms
        let (old, new) = isNewer ? (forms.present, forms.newer) : (forms.newer, forms.present)
        let text = String(decoding: data, as: UTF8.self)
        let next = Data(text.replacingOccurrences(of: "\"version\":\(old)", with: "\"version\":\(new)").utf8)
        world.ledger.rewritten(RecordContent(next))
        records[.session] = next
        versions[.session] = (versions[.session] ?? .none).next
        tell(of: .session)
    }

    /// Nothing fails any more.
    func heal() {
        write(inNewerForm: false)
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

    // MARK: Leases

    /// A lock that was just had may be lost at each step of what it is for.
    func mayLoseLock(of process: AppProcess) {
        guard world.plan.losesLocks, !world.isCalm, world.chance.oneIn(4) else { return }
        world.after(world.chance.pick(0, 500, 1000, 2000)) { self.loseLocks(of: process) }
    }

    /// A process loses the lock that it holds: the system is about to suspend it, or it did not renew its lease.
    func loseLocks(of process: AppProcess) {
        guard process.isAlive, locks.isHeld(.refresh, by: process.id) else { return }
        world.note(process, "loses the lock")
        world.ledger.losesLock(process)
        for next in locks.lost(by: process.id) { world.after(0, of: next.owner) { next.grant() } }
    }
}

extension AuthError {
    static var locked: Self { AuthError(.storageLocked, "The schedule says that the device is locked.") }
    static var lockIsTaken: Self { AuthError(.timedOut, "The schedule says that another process has the lock.") }
    static var broken: Self { AuthError(.storage, "The schedule says that the disk fails.") }
}
