import AuthStreams
import Foundation

/// Walks every order of facts in a world of two processes, breadth-first, and checks the invariants in each state.
///
/// A state is three numbers: of each process and of what they share. Each process in each shared world is evaluated once, so the real
/// state machine runs once for what many states have in common.
final class Explorer {
    /// A state.
    struct State: Hashable {
        let first: UInt32
        let second: UInt32
        let world: UInt32
    }

    /// How a state was reached.
    private struct Origin {
        let parent: UInt32
        let action: Action
        /// Whether it was the first of the two processes, in the order of the parent.
        let isFirst: Bool
        /// Whether the processes changed places.
        let isSwapped: Bool
    }

    /// What a transition of one process leads to.
    private struct Transition {
        let action: Action
        let process: UInt32
        let world: UInt32
        let hasWritten: Bool
        let broken: String?
    }

    struct Result {
        let states: Int
        let transitions: Int
        let depth: Int
        /// Whether there was no state left to look at.
        let isWhole: Bool
        let processes: Int
        /// How many states were played to rest.
        let rested: Int
        /// How often the state machine ran: processes in worlds.
        let evaluated: Int
        let seconds: Double
        /// The invariant that broke, and the way there.
        let failure: (broken: String, way: [String])?
    }

    private let records = RecordTable()
    private var processes = Numbering<ExploredProcess>()
    /// Of each process.
    private var traits: [ProcessTraits] = []
    private var worlds = Numbering<SharedWorld>()
    private var transitions: [UInt64: Range<Int32>] = [:]
    private var allTransitions: [Transition] = []
    private var changed: [UInt32: UInt32] = [:]
    private var visited = StateTable()
    private var origins: [Origin] = []
    private var beginningCount = 0
    private var count = 0
    private var rested = 0
    private let limit: Int

    /// - Parameter limit: How many states are looked at.
    init(limit: Int) { self.limit = limit }

    func explore(_ beginnings: [Beginning], _ budget: SharedWorld.Budget) -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let idle = number(of: ExploredProcess())
        for beginning in beginnings {
            let world = worlds.number(of: SharedWorld(beginning, budget, records))
            _ = insert(State(first: idle, second: idle, world: world), from: nil)
        }
        beginningCount = beginnings.count
        var depth = 0
        var level = 0..<beginnings.count
        var failure: (String, UInt32)?
        search: while !level.isEmpty {
            for index in level {
                if visited.states.count >= limit { break search }
                if let broken = expand(UInt32(index)) {
                    failure = (broken, UInt32(index))
                    break search
                }
            }
            level = level.upperBound..<visited.states.count
            if !level.isEmpty { depth += 1 }
        }
        return Result(
            states: visited.states.count, transitions: count, depth: depth, isWhole: level.isEmpty,
            processes: processes.values.count, rested: rested, evaluated: transitions.count,
            seconds: start.duration(to: clock.now) / .seconds(1), failure: failure.map { ($0.0, way(to: $0.1)) })
    }

    /// - Returns: The invariant that a transition from this state breaks.
    private func expand(_ index: UInt32) -> String? {
        let state = visited.states[Int(index)]
        let (first, second) = (traits[Int(state.first)], traits[Int(state.second)])
        if let broken = first.broken(beside: second) { return broken }
        // What happens in memory is not noticed by the other process, so that its order with the other's steps does not matter.
        if !second.isInMemory, let broken = expand(index, state, isFirst: true) { return broken }
        if !first.isInMemory, state.first != state.second, let broken = expand(index, state, isFirst: false) {
            return broken
        }
        if !first.isInMemory, !second.isInMemory {
            if !isUnderWay(state), let broken = brokenAtRest(state) { return broken }
            for (action, world) in worldSteps(state.world) {
                let isDamage = action == .recordIsDamaged
                let next = isDamage ? [state.first, state.second].map(damaged) : [state.first, state.second]
                reach(State(first: next[0], second: next[1], world: world), index, action, isFirst: true)
            }
        }
        // Every 1024th state, by its number.
        if index % 1024 == 0, let broken = playToRest(state) { return broken }
        return nil
    }

    private func expand(_ index: UInt32, _ state: State, isFirst: Bool) -> String? {
        let (own, other) = isFirst ? (state.first, state.second) : (state.second, state.first)
        let isLockTaken = traits[Int(other)].holdsLock
        for number in steps(of: own, in: state.world, isLockTaken: isLockTaken) {
            let step = allTransitions[Int(number)]
            let otherNow = step.hasWritten ? changed(other) : other
            let next =
                isFirst
                ? State(first: step.process, second: otherNow, world: step.world)
                : State(first: otherNow, second: step.process, world: step.world)
            reach(next, index, step.action, isFirst: isFirst)
            if let broken = step.broken { return broken + " (\(step.action))" }
        }
        return nil
    }

    private func reach(_ state: State, _ parent: UInt32, _ action: Action, isFirst: Bool) {
        count += 1
        // The processes are alike, so their order does not matter.
        let isSwapped = state.first > state.second
        let ordered =
            isSwapped ? State(first: state.second, second: state.first, world: state.world) : state
        _ = insert(ordered, from: Origin(parent: parent, action: action, isFirst: isFirst, isSwapped: isSwapped))
    }

    private func insert(_ state: State, from origin: Origin?) -> Bool {
        guard visited.insert(state) else { return false }
        origins.append(origin ?? Origin(parent: 0, action: .launches, isFirst: true, isSwapped: false))
        return true
    }

    private func number(of process: ExploredProcess) -> UInt32 {
        let number = processes.number(of: process)
        if traits.count < processes.values.count { traits.append(ProcessTraits(of: process)) }
        return number
    }

    private func steps(of process: UInt32, in world: UInt32, isLockTaken: Bool) -> Range<Int32> {
        let key = UInt64(process) << 32 | UInt64(world) << 1 | (isLockTaken ? 1 : 0)
        if let known = transitions[key] { return known }
        let begin = Int32(allTransitions.count)
        let list = StepList(
            of: processes.values[Int(process)], in: worlds.values[Int(world)], isLockTaken: isLockTaken,
            records: records)
        for step in list.steps {
            allTransitions.append(
                Transition(
                    action: step.action, process: number(of: step.process),
                    world: worlds.number(of: step.world), hasWritten: step.hasWritten, broken: step.broken))
        }
        let range = begin..<Int32(allTransitions.count)
        transitions[key] = range
        return range
    }

    /// The process after the other one wrote.
    private func changed(_ process: UInt32) -> UInt32 {
        if let known = changed[process] { return known }
        var value = processes.values[Int(process)]
        value.recordChanged()
        let number = number(of: value)
        changed[process] = number
        return number
    }

    /// The process after the record became unreadable.
    private func damaged(_ process: UInt32) -> UInt32 {
        var value = processes.values[Int(process)]
        value.recordWasDamaged()
        return number(of: value)
    }

    /// Whether one of the processes continues without an input.
    private func isUnderWay(_ state: State) -> Bool {
        [(state.first, state.second), (state.second, state.first)].contains { own, other in
            processes.values[Int(own)].isRunning
                && steps(of: own, in: state.world, isLockTaken: traits[Int(other)].holdsLock)
                    .contains { allTransitions[Int($0)].action.isProgress }
        }
    }

    private func brokenAtRest(_ state: State) -> String? {
        Invariants.brokenAtRest(
            [processes.values[Int(state.first)], processes.values[Int(state.second)]],
            in: worlds.values[Int(state.world)], records)
    }

    // MARK: What is shown

    /// A change of the state that readers in a process see.
    struct ShownChange: Hashable {
        let before: AuthState
        let after: AuthState
    }

    /// The changes by the steps of processes, each once. The end of a process, and its launch, are none.
    var shownChanges: Set<ShownChange> {
        var changes: Set<ShownChange> = []
        for (key, range) in transitions {
            let process = processes.values[Int(key >> 32)]
            guard process.isRunning else { continue }
            let before = process.machine.authState
            for transition in allTransitions[Int(range.lowerBound)..<Int(range.upperBound)] {
                let next = processes.values[Int(transition.process)]
                let after = next.machine.authState
                guard next.isRunning, after != before else { continue }
                var states = [before, after]
                // Where the answer to a refresh could not be written, readers see in between that the server confirmed it.
                let endsWrite = transition.action == .learnsThatItWrote || transition.action == .learnsThatItRemoved
                if endsWrite, case .signedIn(let user, .offline) = after {
                    states.insert(.signedIn(user, .verified), at: 1)
                }
                for (before, after) in zip(states, states.dropFirst()) where before != after {
                    changes.insert(ShownChange(before: before, after: after))
                }
            }
        }
        return changes
    }

    // MARK: What happens to both

    private var knownWorldSteps: [UInt32: [(Action, UInt32)]] = [:]

    private func worldSteps(_ number: UInt32) -> [(Action, UInt32)] {
        if let known = knownWorldSteps[number] { return known }
        let world = worlds.values[Int(number)]
        let steps = world.steps(records).map { ($0.0, worlds.number(of: $0.1)) }
        knownWorldSteps[number] = steps
        return steps
    }

    // MARK: Rest

    /// Plays a state on without a fault until nothing is under way, and looks at what is left.
    private func playToRest(_ state: State) -> String? {
        var way: [String] = []
        let broken = playToRest(state, &way)
        return broken.map { "\($0)\n  after:\n" + way.joined(separator: "\n") }
    }

    private func playToRest(_ state: State, _ way: inout [String]) -> String? {
        rested += 1
        var pair = [processes.values[Int(state.first)], processes.values[Int(state.second)]]
        var world = worlds.values[Int(state.world)]
        for _ in 0..<200 {
            let next = [0, 1].lazy.compactMap { index -> (Int, ExploredStep)? in
                guard pair[index].isRunning, !pair[1 - index].isInMemory else { return nil }
                return StepList.progress(
                    of: pair[index], in: world, isLockTaken: pair[1 - index].lock == .held, records: self.records
                ).map { (index, $0) }
            }.first
            if let (index, step) = next {
                way.append(
                    "\(index)  \(step.action)  \(step.process.summary) disk \(records.summary(of: step.world.disk))")
                if let broken = step.broken { return broken }
                (pair[index], world) = (step.process, step.world)
                if step.hasWritten { pair[1 - index].recordChanged() }
            } else {
                return Invariants.brokenAtRest(pair, in: world, records)
            }
        }
        return "It does not come to rest."
    }

    // MARK: The way to a state

    private func way(to index: UInt32) -> [String] {
        var path: [UInt32] = []
        var index = index
        while index >= beginningCount {
            path.append(index)
            index = origins[Int(index)].parent
        }
        var isSwapped = false
        return path.reversed().map { index in
            let (origin, state) = (origins[Int(index)], visited.states[Int(index)])
            let number = origin.isFirst != isSwapped ? 1 : 2
            let process = origin.isFirst != origin.isSwapped ? state.first : state.second
            isSwapped = isSwapped != origin.isSwapped
            return "\(number)  \(origin.action)".padding(toLength: 34, withPad: " ", startingAt: 0)
                + processes.values[Int(process)].summary + "   disk "
                + records.summary(of: worlds.values[Int(state.world)].disk)
        }
    }
}

extension SharedWorld {
    /// What happens to both processes.
    func steps(_ records: RecordTable) -> [(Action, SharedWorld)] {
        var steps: [(Action, SharedWorld)] = []
        func add(_ action: Action, _ change: (inout SharedWorld) -> Void) {
            var next = self
            change(&next)
            steps.append((action, next))
        }
        if budget.hours > 0 {
            add(.hourPasses) {
                $0.budget.hours -= 1
                $0.hours += 1
            }
        }
        if budget.damages > 0, disk > RecordTable.damaged {
            add(.recordIsDamaged) { $0.damage(hiding: records.tokens[Int(disk)]?.family) }
        }
        if budget.revocations > 0 {
            for family in families.indices where !families[family].isRevoked && !families[family].isGone {
                add(.serverRevokes) {
                    $0.budget.revocations -= 1
                    $0.families[family].isRevoked = true
                }
            }
        }
        return steps
    }
}

/// Gives each value a number. Values are large, so they are never copied to be compared.
struct Numbering<Value: Hashable> {
    private(set) var values = ContiguousArray<Value>()
    private var hashes: [Int] = []
    private var slots = [UInt32](repeating: .max, count: 1 << 12)

    mutating func number(of value: Value) -> UInt32 {
        if values.count * 2 >= slots.count { grow() }
        let hash = value.hashValue
        var slot = hash & (slots.count - 1)
        while slots[slot] != .max {
            let number = Int(slots[slot])
            if hashes[number] == hash, values[number] == value { return UInt32(number) }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = UInt32(values.count)
        values.append(value)
        hashes.append(hash)
        return UInt32(values.count - 1)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: .max, count: slots.count * 2)
        for (number, hash) in hashes.enumerated() {
            var slot = hash & (slots.count - 1)
            while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number)
        }
    }
}

/// The states that were seen, in order, with a hash table of their indices.
struct StateTable {
    private(set) var states: [Explorer.State] = []
    private var slots = [UInt32](repeating: .max, count: 1 << 16)

    /// - Returns: Whether the state is new.
    mutating func insert(_ state: Explorer.State) -> Bool {
        if states.count * 2 >= slots.count { grow() }
        var slot = Self.hash(state) & (slots.count - 1)
        while slots[slot] != .max {
            if states[Int(slots[slot])] == state { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = UInt32(states.count)
        states.append(state)
        return true
    }

    private mutating func grow() {
        slots = [UInt32](repeating: .max, count: slots.count * 2)
        for (index, state) in states.enumerated() {
            var slot = Self.hash(state) & (slots.count - 1)
            while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index)
        }
    }

    private static func hash(_ state: Explorer.State) -> Int {
        var value = UInt64(state.first) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ UInt64(state.second)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 31 ^ UInt64(state.world)) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: value ^ value >> 29)
    }
}

extension ExploredProcess {
    /// What it shows, what it has still to write, and what it is about.
    var summary: String {
        var text = "\(machine.authState) \(machine.kept?.summary ?? "-")"
        if let pending = machine.storage.pending {
            text +=
                " pending \(pending.kind) ends \(pending.ends.map(SharedWorld.family)) next \(pending.next?.summary ?? "-")"
            text += pending.reading == nil ? "" : " read"
        }
        if machine.storage.withholdsToken { text += " withheld" }
        if lock != .none { text += " lock \(lock)\(machine.storage.retainsLock ? " retained" : "")" }
        return text
    }
}

extension KeptSession {
    fileprivate var summary: String {
        let tokens = TokenNumber(refreshToken).map { "\($0.family).\($0.version)" } ?? "-"
        return "\(tokens)\(isSent ? "*" : "")r\(stage.revision).\(stage.renewal)e\(stage.edition)"
    }
}

extension RecordTable {
    func summary(of number: Number) -> String {
        let record = snapshots[Int(number)].record
        let ended = record.map { " ended \($0.history.ended.map(SharedWorld.family))" } ?? ""
        switch number {
        case Self.unwritten: return "unwritten"
        case Self.removed: return "removed"
        case Self.damaged: return "damaged"
        default: return (record?.session?.summary ?? "none") + ended
        }
    }
}
