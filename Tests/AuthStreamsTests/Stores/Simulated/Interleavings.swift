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

/// Lets several processes use one record, in every order of their system calls, and notes each promise that the store breaks.
///
/// The record is what the newest version in the folder says. A read returns the record of some moment of the call. A write
/// that succeeds replaces the version that it names, and a refused one leaves no trace. Nothing else changes the record, and
/// its version only grows.
///
/// A process is carried out anew for each of its calls, with the replies that it had before. So every state of the machine
/// is visited once, however many orders of calls lead there.
///
/// Unchecked: the store makes its system calls on the thread that called it, so one thread uses this.
final class Interleavings: @unchecked Sendable {
    enum Operation: Hashable {
        case read
        /// Replaces the version that the process read or wrote last.
        case write(String)
        case removal
    }

    /// What broke; empty while every promise is kept.
    private(set) var broken: Set<String> = []
    /// How many states were visited.
    var states: Int { visited.count }

    /// A call that is left out: it succeeds and does nothing.
    var leavesOut: (FileCall, SimulatedMachine, _ process: Int) -> Bool = { _, _, _ in false }
    /// Whether a process may die between two calls.
    var kills = false
    /// Whether the power may fail in each state.
    var cutsPower = false
    /// How often a process may stand still in the midst of an operation while another continues.
    var stops = Int.max

    private let programs: [[Operation]]
    private var stores: [FileSessionStore] = []
    private var visited: Set<State> = []
    private var powerCuts: Set<PowerCut> = []
    private var histories = Histories()
    private var step: Step

    /// Lets each process carry out its program. Each knows the record that is there at the beginning.
    ///
    /// - Parameters:
    ///   - changes: What was written before, one after the other; `nil` for a removal.
    ///   - isSwept: Whether the versions that were replaced then are removed.
    init(
        _ programs: [[Operation]], after changes: [String?] = [], listing: SimulatedMachine.ListingKind = .late,
        isSwept: Bool = true
    ) throws(AuthError) {
        self.programs = programs
        var machine = SimulatedMachine(SimulatedDisk(folders: []), processes: programs.count)
        machine.listing = listing
        let host = SimulatedHost(machine)
        host.keepsVersions = !isSwept
        var record = StoredRecord(data: nil, version: .none)
        for change in changes {
            let data = change.map { Data($0.utf8) }
            record = .init(data: data, version: try host.write(data, replacing: record.version) ?? .none)
        }
        step = Step(
            State(
                machine: host.machine, records: [Written(record: record, process: nil)],
                processes: programs.map { _ in Progress() }), 0, [], answer: 0)
        stores = programs.map { _ in
            FileSessionStore(folder: SimulatedHost.folder, of: SimulatedFileSystem { [self] in reply(to: $0) })
        }
    }

    /// Visits every state that can be reached, until a promise is broken.
    func visitAll() {
        var rest = [step.state]
        while broken.isEmpty, let state = rest.popLast() {
            guard visited.insert(state).inserted else { continue }
            cutPower(state)
            var isOver = true
            for process in state.processes.indices where !isDone(process, state) {
                isOver = false
                guard mayGoOn(process, state) else { continue }
                var answers = 1
                var answer = 0
                while answer < answers {
                    let next = take(process, from: state, answer: answer)
                    if let next { rest.append(next) }
                    answers = step.answers
                    answer += 1
                }
                if kills, state.processes[process].began != nil {
                    var next = state
                    next.machine.kill(process)
                    next.processes[process].isDead = true
                    rest.append(next)
                }
            }
            if isOver { checkEnd(state) }
        }
    }

    private func isDone(_ process: Int, _ state: State) -> Bool {
        state.processes[process].isDead || state.processes[process].done == programs[process].count
    }

    private func mayGoOn(_ process: Int, _ state: State) -> Bool { state.stops < stops || !stands(state, for: process) }

    /// Whether another process stands still when this one continues.
    private func stands(_ state: State, for process: Int) -> Bool {
        guard let last = state.last, last != process else { return false }
        return !state.processes[last].isDead && state.processes[last].began != nil
    }

    /// Carries out the next call of a process, and those after it that no other process can notice.
    ///
    /// - Returns: `nil` when the process has to wait.
    private func take(_ process: Int, from state: State, answer: Int) -> State? {
        let history = histories[state.processes[process].history]
        step = Step(state, process, history, answer: answer)
        let store = stores[process]
        var known = state.records[0].record.version
        for (number, operation) in programs[process].enumerated() {
            var outcome: Outcome
            do throws(AuthError) {
                switch operation {
                case .read:
                    let record = try store.readBlocking(.session)
                    known = record.version
                    outcome = .read(record)
                case .write, .removal:
                    var data: Data?
                    if case .write(let words) = operation { data = Data(words.utf8) }
                    let version = try store.writeBlocking(data, for: .session, replacing: known)
                    outcome = .wrote(data, version, replacing: known)
                    known = version ?? known
                }
            } catch {
                outcome = .failed(error.explanation)
            }
            if step.isOver { break }
            if number >= state.processes[process].done { check(outcome) }
        }
        guard !step.made.isEmpty else { return nil }
        step.state.processes[process].history = histories.number(of: history + step.made)
        if stops < .max {
            if stands(state, for: process) { step.state.stops += 1 }
            step.state.last = process
        }
        return step.state
    }

    private func reply(to call: FileCall) -> FileReply {
        if step.isOver { return .result(-EIO) }
        if let reply = step.history.popFirst() { return reply }
        let process = step.process
        guard step.made.isEmpty || isUnnoticed(call), !step.state.machine.mustWait(call, by: process) else {
            step.isOver = true
            return .result(-EIO)
        }
        if step.made.isEmpty { step.answers = step.state.machine.answers(to: call, by: process) }
        if step.state.processes[process].began == nil {
            step.state.processes[process].began = step.state.records.count - 1
        }
        var reply = FileReply.result(0)
        if !leavesOut(call, step.state.machine, process) {
            reply = step.state.machine.perform(call, by: process, answer: step.made.isEmpty ? step.answer : 0)
        }
        step.made.append(reply)
        noteRecord()
        return reply
    }

    /// Whether it makes no difference to any process when this call is made.
    private func isUnnoticed(_ call: FileCall) -> Bool {
        let machine = step.state.machine
        switch call {
        // Temporary files are read and written by their makers alone, and records are never written.
        case .read, .write, .order, .close, .random: return true
        case .endListing: return machine.listing == .atOnce
        case .flush(let file): return !cutsPower || !machine.isFolder(file, step.process)
        case .status(let file): return machine.isFolder(file, step.process)
        // The store's folder and those above it stay where they are.
        case .open(let name, AT_FDCWD, _, _), .makeFolder(let name, AT_FDCWD, _), .statusOfName(let name, AT_FDCWD):
            return machine.disk.holds(name)
        default: return false
        }
    }

    /// Notes the record that a call made.
    private func noteRecord() {
        let (last, newest) = (step.state.records[step.state.records.count - 1].record, step.state.machine.disk.record)
        guard newest != last else { return }
        if newest.version != last.version.next { note("\(last) became \(newest)") }
        step.state.records.append(Written(record: newest, process: step.process))
    }

    private func check(_ outcome: Outcome) {
        let process = step.process
        let records = step.state.records
        let began = step.state.processes[process].began ?? 0
        step.state.processes[process].began = nil
        step.state.processes[process].done += 1
        switch outcome {
        case .failed(let words): note("failed: \(words)")
        case .read(let record):
            if !records[began...].contains(where: { $0.record == record }) { note("read \(record), which it was not") }
        case .wrote(let data, nil, let version):
            if records[(began + 1)...].contains(where: { $0.process == process }) {
                note("a write that took effect was refused")
            }
            if !records[began...].contains(where: { $0.record.version != version }) {
                note("a write of \(String(describing: data)) was refused, although the version was the present one")
            }
        case .wrote(let data, let written?, let version):
            let record = StoredRecord(data: data, version: written)
            guard let index = records.lastIndex(where: { $0.record == record }), index >= began else {
                return note("wrote \(record), which there never was")
            }
            if written != version, records[index].process != process || written != version.next {
                note("\(record) is another's")
            }
            step.state.told = max(step.state.told, index)
            guard data == nil else { return }
            let secrets = records[..<index].compactMap { $0.record.data.map(Array.init) }
            if !step.state.machine.disk.bytesAfterPowerCut.isDisjoint(with: secrets) {
                note("a record outlives its removal")
            }
        }
    }

    /// Looks at each disk that a power cut may leave.
    private func cutPower(_ state: State) {
        guard cutsPower else { return }
        let allowed = state.records[state.told...].map(\.record)
        var generator = SeededGenerator(seed: 1)
        for disk in state.machine.disk.afterPowerCut(atMost: 64, &generator)
        where powerCuts.insert(PowerCut(contents: disk.contents, allowed: allowed)).inserted {
            let found = try? SimulatedHost(SimulatedMachine(disk)).read()
            if let found, allowed.contains(found) { continue }
            note("after a power cut the record is \(String(describing: found)), not one of \(allowed)")
        }
    }

    /// When all are done, nothing but the record is left; after a death, with the next change.
    private func checkEnd(_ state: State) {
        guard let last = state.records.last?.record, state.records.count > 1 else { return }
        let host = SimulatedHost(state.machine)
        if state.processes.contains(where: \.isDead) {
            for data in [Data("next".utf8), nil] {
                let version = try? host.write(data, replacing: host.read().version)
                if version == nil { note("the write after a death failed") }
            }
        }
        let names = host.machine.disk.contents.keys.filter { $0.hasPrefix("/state/store/") }
        if names.count > 1 { note("\(names.sorted()) are left at \(last)") }
    }

    private func note(_ words: String) { broken.insert(words) }
}

extension Interleavings {
    /// A state of the machine, and of what led there as much as matters.
    private struct State: Hashable {
        var machine: SimulatedMachine
        /// The records that there were, each with the process that wrote it.
        var records: [Written]
        /// The last of them of which a call that returned has told.
        var told = 0
        var processes: [Progress]
        /// Which process made the last call, and how often one was stopped; only where that is limited.
        var last: Int?
        var stops = 0
    }

    private struct Written: Hashable {
        let record: StoredRecord
        let process: Int?
    }

    private struct Progress: Hashable {
        /// The replies that it had, as a number.
        var history = 0
        /// How many operations it has carried out.
        var done = 0
        /// Which record there was at the first call of the operation that is under way.
        var began: Int?
        var isDead = false
    }

    private struct PowerCut: Hashable {
        let contents: [String: [UInt8]?]
        let allowed: [StoredRecord]
    }

    private enum Outcome {
        case read(StoredRecord)
        case wrote(Data?, RecordVersion?, replacing: RecordVersion)
        case failed(String)
    }

    /// One process, on its way through what it did before to its next call.
    private struct Step {
        var state: State
        let process: Int
        var history: ArraySlice<FileReply>
        let answer: Int
        /// How many replies the call may have.
        var answers = 1
        var made: [FileReply] = []
        var isOver = false

        init(_ state: State, _ process: Int, _ history: [FileReply], answer: Int) {
            self.state = state
            self.process = process
            self.history = history[...]
            self.answer = answer
        }
    }

    /// Numbers for lists of replies, so that a state is small.
    private struct Histories {
        private var numbers: [[FileReply]: Int] = [[]: 0]
        private var replies: [[FileReply]] = [[]]

        subscript(number: Int) -> [FileReply] { replies[number] }

        mutating func number(of history: [FileReply]) -> Int {
            if let number = numbers[history] { return number }
            replies.append(history)
            numbers[history] = replies.count - 1
            return replies.count - 1
        }
    }
}

extension SimulatedDisk {
    fileprivate func holds(_ path: String) -> Bool {
        guard case .success(let place) = place(of: path, from: Self.root) else { return false }
        return node(at: place) != nil
    }

    /// The record, as the newest version in the folder has it.
    fileprivate var record: StoredRecord {
        guard case .success(let place) = place(of: "/state/store", from: Self.root), let folder = node(at: place) else {
            return StoredRecord(data: nil, version: .none)
        }
        let versions = (nodes[folder]?.names ?? [:]).compactMap { name, number -> (version: UInt64, number: Int)? in
            guard name.hasPrefix("session@"), let version = UInt64(name.dropFirst(8)) else { return nil }
            return (version, number)
        }
        guard let newest = versions.max(by: { $0.version < $1.version }), let node = nodes[newest.number] else {
            return StoredRecord(data: nil, version: .none)
        }
        let isRemoval = node.mode == 0o400
        return StoredRecord(data: isRemoval ? nil : Data(node.bytes), version: .init(rawValue: newest.version))
    }
}

extension SimulatedMachine {
    fileprivate func isFolder(_ file: Int32, _ process: Int) -> Bool {
        guard let node = processes[process].files[file]?.node else { return false }
        return disk.nodes[node]?.isFolder == true
    }
}
