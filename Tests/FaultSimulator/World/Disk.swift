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

    /// The session that the record is of, if there is one.
    var token: TokenName? { records[.session].flatMap(TokenName.init(of:)) }

    /// The access token that the record holds.
    var accessToken: TokenName? { records[.session].flatMap { TokenName(.access, in: $0) } }

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
        if key == .session {
            let isOwed = token.map { Self.isAnswerOwed(in: data) && world.ledger.isNoted($0, for: process) } ?? false
            process.conduct.read(reading, isOwed: isOwed, in: process)
        }
        if key == .session, isNewerForm { process.conduct.storeFailed(key, isReading: false, at: world.ledger.mark()) }
        return .success(StoredRecord(data: data, version: version))
    }

    /// Writes a record, or removes it, unless another write came first.
    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion, by process: AppProcess
    ) -> Result<RecordVersion?, AuthError> {
        guard !isLocked else { return .failure(failed(key, process, .locked)) }
        // A disk may fail before and after it has done something, and a process cannot tell which.
        let fault = failsWrites ? world.chance.below(3) : 2
        guard fault != 0 else { return .failure(failed(key, process, .broken)) }
        guard versions[key] ?? .none == version else {
            process.conduct.storeFailed(key, isReading: false, at: world.ledger.mark())
            return .success(nil)
        }
        guard world.flaw != .forgetfulDisk else { return .success(version) }
        let before = key == .session ? token : nil
        // A sign-out may remove a record that the library cannot read, and a sign-in may replace it.
        if key == .session {
            let isDecision =
                data.flatMap(TokenName.init(of:)).map { isTheirs($0, process) }
                ?? world.ledger.signOuts.contains { $0.process == process.id }
            if isDecision, isNewerForm, let before { world.ledger.lostCopies.insert(before.family) }
            // What a process holds takes the place of a record that is damaged, though it may be older.
            if isDecision || data != nil, let damagedFamily { world.ledger.lostCopies.insert(damagedFamily) }
            damagedFamily = nil
        }
        if key == .pendingProfiles { world.profiles.keeps(data, over: records[key], in: world) }
        records[key] = data
        versions[key] = version.next
        if key == .session { stored(data, over: before, by: process) }
        tell(of: key)
        guard fault != 1 else {
            if key == .session, let token { world.ledger.mayHaveNoted(token) }
            return .failure(failed(key, process, .broken))
        }
        // A removal stores no session, and one sign-in's name is not another's.
        if key == .session ? data != nil : key != .pendingProfiles {
            process.conduct.storeTook(key)
            if key == .session, let token, isTheirs(token, process) {
                world.ledger.lineage.confirmed(token.family, at: world.ledger.mark())
            }
        }
        return .success(version.next)
    }

    /// Whether a process made the sign-in of that token's session.
    private func isTheirs(_ token: TokenName, _ process: AppProcess) -> Bool {
        world.ledger.origins[world.ledger.lineage.root(token.family)] == process.id
    }

    private func stored(_ data: Data?, over before: TokenName?, by process: AppProcess) {
        world.ledger.stored(token, over: before, by: process)
        guard let data else { return }
        if let access = TokenName(.access, in: data) { world.ledger.keeps(access) }
        if let token { world.ledger.noted(token, isOwed: Self.isAnswerOwed(in: data), by: process) }
    }

    static func isAnswerOwed(in data: Data?) -> Bool { data?.range(of: Data(#""isAnswerOwed":true"#.utf8)) != nil }

    private func failed(
        _ key: SessionStoreKey, _ process: AppProcess, _ error: AuthError, isReading: Bool = false
    ) -> AuthError {
        // A locked store is waited for, so that says nothing of what it holds.
        let isUnknown = isReading && error.code != .storageLocked
        // A sign-in counts from where the store fails it.
        for call in process.conduct.calls where key == .session && call.isOpen && call.isSignIn {
            if let family = call.family { world.ledger.lineage.began(family, in: world.ledger.moment) }
        }
        process.conduct.storeFailed(key, isReading: isUnknown, at: world.ledger.mark())
        return error
    }

    /// What a reader of the session's record makes of it.
    private var reading: Conduct.Reading {
        guard records[.session] != nil else { return .empty }
        return isNewerForm ? .unreadable : token.map(Conduct.Reading.record) ?? .unreadable
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

    /// Damages the record. Where no process holds the session, its only copy is lost.
    func damage() {
        guard let before = token, !isNewerForm else { return }
        records[.session] = Self.damaged
        damagedFamily = before.family
        world.ledger.damaged(before)
        tell(of: .session)
    }

    private static let damaged = Data("{".utf8)
    /// Whether the session's record is damaged now.
    var isDamaged: Bool { damagedFamily != nil }
    /// Whose record is damaged now.
    private var damagedFamily: Int?

    /// Writes the session's record in the form of a newer version of the app, or in this version's again.
    func write(inNewerForm isNewer: Bool) {
        let forms = [#""version":1"#, #""version":1001"#]
        guard let data = records[.session], token != nil, isNewerForm != isNewer else { return }
        let text = String(decoding: data, as: UTF8.self)
        let next = text.replacingOccurrences(of: forms[isNewer ? 0 : 1], with: forms[isNewer ? 1 : 0])
        guard next != text else { return }
        world.ledger.writes.append((nil, world.ledger.mark()))
        // A mark in it is now also that of the newer version, which may have sent the token.
        if let token { world.ledger.mayHaveNoted(token) }
        records[.session] = Data(next.utf8)
        versions[.session] = (versions[.session] ?? .none).next
        tell(of: .session)
    }

    private var isNewerForm: Bool { records[.session]?.range(of: Data(#""version":1001"#.utf8)) != nil }

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
