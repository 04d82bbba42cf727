import Foundation
import TestSupport

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Changes records on a simulated disk, cuts the power at every system call, and notes each promise that the store breaks.
///
/// After a power cut, and after a failed call, the record is the one before or the one after the call that was under way;
/// after a call that returned, the one after it. A version is never used for two records. The next write succeeds. Once a
/// removal has returned, the disk holds no byte of a record.
///
/// Unchecked: the store makes its system calls on the thread that called it, so one thread uses this.
final class PowerCuts: @unchecked Sendable {
    enum Change: CaseIterable {
        case write
        case removal
    }
    /// What broke; empty while every promise is kept.
    private(set) var broken: [String] = []
    /// How many different disks a power cut left.
    var disks: Int { seen.count }

    /// Calls that are left out of the changes: they succeed and do nothing.
    var leavesOut: (FileCall, SimulatedMachine) -> Bool = { _, _ in false }
    /// How many disks to look at for each power cut.
    var limit = 64

    private struct Case: Hashable {
        let contents: [String: [UInt8]?]
        let allowed: Set<StoredRecord>
    }
    private var seen: Set<Case> = []
    private struct World {
        var machine: SimulatedMachine
        var record = StoredRecord(data: nil, version: .none)
        /// What a power cut may bring back: what the last call that returned has written, and what came after it.
        var possible: Set<StoredRecord> = [StoredRecord(data: nil, version: .none)]
        var written = 0
    }
    private var world: World
    private var onCall: (FileCall) -> FileReply? = { _ in nil }
    private var generator: SeededGenerator

    /// Begins with an empty disk.
    init(seed: UInt64 = 1) {
        world = World(machine: SimulatedMachine(SimulatedDisk(folders: [])))
        generator = SeededGenerator(seed: seed)
    }

    /// Carries out every sequence of so many changes.
    func tryAll(ofLength length: Int) {
        guard length > 0 else { return }
        for change in Change.allCases {
            let world = world
            make(change)
            tryAll(ofLength: length - 1)
            self.world = world
        }
    }

    /// Carries out a drawn sequence of changes. Now and then the power fails or a call does, and the store continues with what
    /// is left.
    func tryDrawn(length: Int) {
        for _ in 0..<length {
            let change = Change.allCases.randomElement(using: &generator) ?? .write
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: make(change, endingAt: .random(in: 0..<30, using: &generator))
            case 1: make(change, failingAt: .random(in: 0..<30, using: &generator), .drawn(&generator))
            default: make(change)
            }
        }
    }

    /// Carries out a change whose calls fail, one in each attempt, then the same change undisturbed.
    func tryFailures(of change: Change, with failure: Failure) {
        let world = world
        for number in 0... {
            let isOver = !make(change, failingAt: number, failure)
            make(change)
            self.world = world
            if isOver { return }
        }
    }

    /// How a call fails.
    struct Failure {
        let code: Int32
        /// Whether the call was carried out all the same.
        var isDone = false
        /// Whether every call after it fails, too.
        var lasts = false

        static func drawn(_ generator: inout SeededGenerator) -> Failure {
            Failure(
                code: Bool.random(using: &generator) ? EIO : ENOSPC, isDone: .random(using: &generator),
                lasts: .random(using: &generator))
        }
    }

    /// Carries out a change; the power may fail at each call.
    func make(_ change: Change) {
        let next = next(change)
        onCall = { [self] call in
            cutPower(world.possible.union([next]))
            return leavesOut(call, world.machine) ? .result(0) : nil
        }
        do throws(AuthError) {
            let version = try write(next.data)
            if version != next.version { note("\(change) returned \(String(describing: version)) for \(next)") }
        } catch {
            note("\(change) failed: \(error.explanation)")
        }
        onCall = { _ in nil }
        (world.record, world.possible) = (next, [next])
        cutPower(world.possible)
        if change == .removal, !world.machine.disk.bytesAfterPowerCut.isEmpty {
            note("bytes of a record outlive its removal")
        }
        if read() != next { note("the record is not what was written") }
    }

    /// Carries out a change with a call that fails.
    ///
    /// - Returns: Whether it came to that call.
    @discardableResult
    private func make(_ change: Change, failingAt number: Int, _ failure: Failure) -> Bool {
        let next = next(change)
        var rest = number
        onCall = { [self] call in
            rest -= 1
            switch call {
            case .close, .random: return nil
            default: break
            }
            guard rest == -1 || failure.lasts && rest < 0 else { return nil }
            if failure.isDone { _ = world.machine.perform(call, by: 0) }
            return .result(-failure.code)
        }
        let hasReturned = (try? write(next.data)) != nil
        onCall = { _ in nil }
        world.machine.kill(0)
        world.possible = hasReturned ? [next] : world.possible.union([next])
        cutPower(world.possible)
        let found = read()
        if found != next, hasReturned || found != world.record { note("after a failure the record is \(found)") }
        world.record = found
        return rest < 0
    }

    /// Carries out a change, in the midst of which the power fails, and continues with one of the disks that are left.
    private func make(_ change: Change, endingAt number: Int) {
        let next = next(change)
        var rest = number
        var left: SimulatedDisk?
        onCall = { [self] _ in
            rest -= 1
            if rest == -1 { left = world.machine.disk.afterPowerCut(atMost: 1, &generator).first }
            return rest < 0 ? .result(-EIO) : nil
        }
        _ = try? write(next.data)
        onCall = { _ in nil }
        guard let left else {
            (world.record, world.possible) = (next, [next])
            return
        }
        world.machine = SimulatedMachine(left)
        world.record = read()
        if !world.possible.union([next]).contains(world.record) {
            note("after a power cut the record is \(world.record)")
        }
        world.possible = [world.record]
    }

    private func next(_ change: Change) -> StoredRecord {
        if change == .removal, world.record.data == nil { return world.record }
        world.written += 1
        return StoredRecord(
            data: change == .write ? Data("record \(world.written)".utf8) : nil, version: world.record.version.next)
    }

    /// Looks at each disk that a power cut may leave now.
    private func cutPower(_ allowed: Set<StoredRecord>) {
        for disk in world.machine.disk.afterPowerCut(atMost: limit, &generator) {
            guard seen.insert(Case(contents: disk.contents, allowed: allowed)).inserted else { continue }
            let (world, onCall) = (world, onCall)
            self.world = World(machine: SimulatedMachine(disk))
            self.onCall = { _ in nil }
            lookAround(allowed)
            (self.world, self.onCall) = (world, onCall)
        }
    }

    private func lookAround(_ allowed: Set<StoredRecord>) {
        world.record = read()
        guard allowed.contains(world.record) else {
            return note("after a power cut the record is \(world.record), not one of \(allowed)")
        }
        for data in [Data("next".utf8), nil] {
            let next = StoredRecord(data: data, version: world.record.version.next)
            do throws(AuthError) {
                if try write(data) != next.version { note("the write after a power cut is refused") }
            } catch {
                note("the write after a power cut failed: \(error.explanation)")
            }
            if read() != next { note("the write after a power cut is not read back") }
            world.record = next
        }
        if !world.machine.disk.bytesAfterPowerCut.isEmpty { note("a record outlives a power cut and its removal") }
    }

    private func read() -> StoredRecord {
        do throws(AuthError) { return try store.readBlocking(.session) } catch {
            note("reading failed: \(error.explanation)")
            return StoredRecord(data: nil, version: .none)
        }
    }

    private func write(_ data: Data?) throws(AuthError) -> RecordVersion? {
        try store.writeBlocking(data, for: .session, replacing: world.record.version)
    }

    private var store: FileSessionStore {
        FileSessionStore(
            folder: SimulatedHost.folder,
            of: SimulatedFileSystem { [self] call in onCall(call) ?? world.machine.perform(call, by: 0) })
    }

    private func note(_ words: String) { broken.append(words) }
}
