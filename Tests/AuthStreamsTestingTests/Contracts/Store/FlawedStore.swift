import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// A store of a small disk, which breaks one promise, or none.
final class FlawedStore: SessionStore {
    enum Flaw: String, CaseIterable, Sendable {
        case findsWhatNobodyWrote, changesABit, takesEmptyForNothing, refusesLargeRecords, keepsRecordsInMemory
        case forgetsRemovalsAtRestart, overwritesInPlace, keepsOneRecord, forgetsToRemove, refusesToRemoveNothing
        case skipsWritesOfCancelledTasks, mixesWriters, truncatesFirst, takesAnyName, refusesLongNames
        case waitsAlthoughUnlocked, saysEmptyWhenLocked, oversleepsTheUnlock, ignoresCancellation, saysEmptyWhenItFailed
        case locksNothing, forgetsReleases, waitsForLocksWhenCancelled, hasOneLock, locksAnyName
        case tellsNoWrites, tellsOneReader, tellsNoRemovals
        case takesStaleWrites, takesStaleWritesOfRemoved, letsSeveralWin, deniesItsLock, deniesTheLoss

        /// The promise that it breaks.
        var promise: String {
            switch self {
            case .findsWhatNobodyWrote: "what was never written is nil"
            case .changesABit: "a record is read back byte for byte"
            case .takesEmptyForNothing: "an empty record is a record"
            case .refusesLargeRecords: "a record may be large"
            case .keepsRecordsInMemory: "a later process reads what was written"
            case .forgetsRemovalsAtRestart: "a later process does not find what was removed"
            case .overwritesInPlace: "a later record takes the whole place of the one before"
            case .keepsOneRecord: "many records do not touch each other"
            case .forgetsToRemove: "what was removed is gone"
            case .refusesToRemoveNothing: "removing a record that does not exist succeeds"
            case .skipsWritesOfCancelledTasks: "a cancelled task's write is carried out"
            case .mixesWriters: "writers at once leave one of their records, whole"
            case .truncatesFirst: "a reader sees a whole record while others write"
            case .takesAnyName: "a name that no store can keep is refused with storage"
            case .refusesLongNames: "a valid name is accepted up to its full length"
            case .waitsAlthoughUnlocked: "waiting for a store that is not locked returns at once"
            case .saysEmptyWhenLocked: "a locked store says storageLocked, and loses nothing"
            case .oversleepsTheUnlock: "unlocking resumes the tasks that wait for it"
            case .ignoresCancellation: "a cancelled task no longer waits for the unlock"
            case .saysEmptyWhenItFailed: "a store that fails says storage, never 'empty'"
            case .locksNothing, .forgetsReleases: "a lock has one holder, and the next once it is released or dropped"
            case .waitsForLocksWhenCancelled: "a cancelled task no longer waits for a lock"
            case .hasOneLock: "a lock does not block another lock, or a record of its name"
            case .locksAnyName: "a lock's name is valid where a record's is"
            case .tellsNoWrites, .tellsOneReader: "a write of any owner is reported to every reader"
            case .tellsNoRemovals: "a removal by another owner is reported"
            case .takesStaleWrites: "a write that comes too late is refused, and changes nothing"
            case .takesStaleWritesOfRemoved: "what was removed is not brought back by a write that comes too late"
            case .letsSeveralWin: "of the writes that replace one version, one succeeds"
            case .deniesItsLock: "a lock says whether it is held"
            case .deniesTheLoss: "a lock that was lost says so"
            }
        }
    }

    /// What outlives the process, and what the device does to it.
    final class Disk: Sendable {
        struct State {
            var records: [SessionStoreKey: Data] = [:]
            var removed: [SessionStoreKey: Data] = [:]
            var versions: [SessionStoreKey: RecordVersion] = [:]
            /// Writers that were let in over one version.
            var rivals = 0
            var areLocksLost = false
            var unlocked: Promise<Void>?
            var isBroken = false
            var writes = 0
            var writers = 0
            var reads = 0
            var lockWaiters = 0
            var lockNames: Set<SessionStoreKey> = []
            /// Locks that no task gets any more.
            var lostLocks: [SessionStoreLock] = []
            var readers = 0
            var unheard: [AsyncStream<Void>.Continuation] = []
        }
        let state = Lock(State())
        /// The promise that is checked on it.
        let promise: String?
        /// Keeps no records: only whose the locks are, and who follows what.
        let sharing = MemorySessionStore()

        init(_ promise: String?) { self.promise = promise }
    }

    let flaw: Flaw?
    let disk: Disk
    let hang: Hang
    private let memory = Lock([SessionStoreKey: Data]())
    private let isLater: Bool

    init(_ flaw: Flaw?, on disk: Disk, hang: Hang, isLater: Bool = false) {
        (self.flaw, self.disk, self.hang, self.isLater) = (flaw, disk, hang, isLater)
    }

    func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        let version = disk.state.withLock { $0.versions[key] ?? RecordVersion.none }
        return StoredRecord(data: try contents(of: key), version: version)
    }

    private func contents(of key: SessionStoreKey) throws(AuthError) -> Data? {
        if try gate(key) != nil { return nil }
        return disk.state.withLock { state in
            state.reads += 1
            if flaw == .keepsRecordsInMemory, !isLater, let kept = memory.withLock({ $0[key] }) { return kept }
            if flaw == .forgetsRemovalsAtRestart, isLater { return state.records[key] ?? state.removed[key] }
            let record = state.records[key]
            switch flaw {
            case .findsWhatNobodyWrote where state.writes == 0: return Data()
            case .takesEmptyForNothing where record?.isEmpty == true: return nil
            case .changesABit where record?.count == 40_000: return record.map { $0.dropLast() + [0] }
            default: return record
            }
        }
    }

    func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        if try gate(key) != nil { return version.next }
        guard await claim(version, of: key, isRemoval: data == nil) else { return nil }
        if let data { try await store(data, key) } else { try await clear(key) }
        return disk.state.withLock { $0.versions[key] ?? RecordVersion.none }
    }

    /// - Returns: Whether that version is the one to be replaced.
    private func claim(_ version: RecordVersion, of key: SessionStoreKey, isRemoval: Bool) async -> Bool {
        if flaw == .letsSeveralWin, hasCompany, version != .none {
            disk.state.withLock { $0.rivals += 1 }
            await yield { $0.rivals > 1 }
        }
        return disk.state.withLock { state in
            let present = state.versions[key] ?? .none
            let isEmpty = state.records[key] == nil && memory.withLock { $0[key] } == nil
            let isTaken =
                switch flaw {
                case .takesStaleWrites: version != .none && isRemoval
                case .takesStaleWritesOfRemoved: isEmpty && !isRemoval
                case .letsSeveralWin: state.rivals > 1
                default: false
                }
            guard present == version || isTaken else { return false }
            // Removing nothing leaves it as it was.
            if !isRemoval || !isEmpty { state.versions[key] = present.next }
            return true
        }
    }

    private func store(_ data: Data, _ key: SessionStoreKey) async throws(AuthError) {
        disk.state.withLock { $0.writes += 1 }
        try await put(data, key)
        try await tellChange(of: key, unless: .tellsNoWrites)
    }

    private func put(_ data: Data, _ key: SessionStoreKey) async throws(AuthError) {
        switch flaw {
        case .keepsRecordsInMemory: return memory.withLock { $0[key] = data }
        case .refusesLargeRecords where data.count > 100_000: throw AuthError(.storage, "Too large.")
        case .skipsWritesOfCancelledTasks where Task.isCancelled: return
        case .overwritesInPlace:
            return disk.state.withLock { $0.records[key] = data + ($0.records[key] ?? Data()).dropFirst(data.count) }
        case .keepsOneRecord: return disk.state.withLock { $0.records = [key: data] }
        case .mixesWriters where hasCompany:
            disk.state.withLock { $0.writers += 1 }
            await yield { $0.writers > 1 }
            return disk.state.withLock { $0.records[key] = data.dropLast() + [99] }
        case .truncatesFirst where hasCompany && disk.state.withLock { $0.records[key] != nil }:
            disk.state.withLock {
                $0.reads = 0
                $0.records[key] = data.dropLast()
            }
            await yield { $0.reads > 0 }
        default: break
        }
        disk.state.withLock { $0.records[key] = data }
    }

    /// Whether others write or read at the same time, so that one can wait for them: in the check of the broken promise.
    private var hasCompany: Bool { disk.promise == flaw?.promise }

    /// Lets others in until it is so.
    private func yield(until isSo: (Disk.State) -> Bool) async {
        try? await wait(for: "other owners of the disk") { disk.state.withLock { isSo($0) } }
    }

    private func clear(_ key: SessionStoreKey) async throws(AuthError) {
        let removed = disk.state.withLock { state in
            if flaw == .forgetsRemovalsAtRestart { state.removed[key] = state.records[key] }
            if flaw == .forgetsToRemove { return state.records[key] }
            return state.records.removeValue(forKey: key)
        }
        memory.withLock { $0[key] = nil }
        if removed == nil, flaw == .refusesToRemoveNothing { throw AuthError(.storage, "There is none.") }
        try await tellChange(of: key, unless: .tellsNoRemovals)
    }

    func waitUntilUnlocked() async {
        if flaw == .waitsAlthoughUnlocked, disk.state.withLock({ $0.unlocked == nil }) { await hang.forever() }
        guard let unlocked = disk.state.withLock({ $0.unlocked }) else { return }
        if flaw == .ignoresCancellation {
            if await unlocked.value() == nil { await hang.forever() }
        } else if flaw == .oversleepsTheUnlock {
            if await unlocked.value() != nil { await hang.forever() }
        } else {
            _ = await unlocked.value()
        }
    }

    /// What comes before every call: the name, the lock, the disk. Not `nil` when the call is to do nothing.
    private func gate(_ key: SessionStoreKey) throws(AuthError) -> Nothing? {
        if flaw != .takesAnyName { try key.validate() }
        if flaw == .refusesLongNames, key.rawValue.count > 32 { throw AuthError(.storage, "Too long.") }
        let (isLocked, isBroken) = disk.state.withLock { ($0.unlocked != nil, $0.isBroken) }
        if isLocked {
            if flaw == .saysEmptyWhenLocked { return Nothing() }
            throw AuthError(.storageLocked, "Locked.")
        }
        if isBroken {
            if flaw == .saysEmptyWhenItFailed { return Nothing() }
            throw AuthError(.storage, "Broken.")
        }
        return nil
    }

    private struct Nothing {}
}

extension FlawedStore {
    static func contract(_ flaw: Flaw?) -> SessionStoreContract {
        let anyCheck = Hang()
        // The contract makes a place for each check, in order.
        let promises = Lock(SessionStoreContract.checks.map(\.name)[...])
        var contract = SessionStoreContract {
            let (disk, hang) = (Disk(promises.withLock { $0.popFirst() }), anyCheck.ofThisCheck)
            return .init(
                store: FlawedStore(flaw, on: disk, hang: hang),
                laterProcess: .can { FlawedStore(flaw, on: disk, hang: hang, isLater: true) },
                otherOwner: .can { FlawedStore(flaw, on: disk, hang: hang) },
                losingLocks: .can { _ in disk.state.withLock { $0.areLocksLost = true } },
                locking: .can(
                    .init(
                        lock: { disk.state.withLock { $0.unlocked = Promise() } },
                        unlock: { disk.state.withLock { $0.unlocked.take() }?.resolve(()) })),
                failing: .can { disk.state.withLock { $0.isBroken = true } })
        }
        contract.hangDetection = anyCheck.detection
        return contract
    }
}
