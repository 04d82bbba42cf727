/// One writer's changes, for any number of concurrent readers: the mechanism under ``AuthStates`` and ``AuthEvents``.
///
/// Commit with delivery is atomic, and so is registration with replay: an element is linked to the chain under one lock,
/// and a reader takes its place in the chain under the same lock. Only the wake-ups come after it.
final class Broadcast<Element: Sendable>: Sendable {
    typealias Node = BroadcastNode<Element>
    typealias Waiter = CheckedContinuation<Node?, Never>

    private struct State {
        var chain: BroadcastChain<Element>
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
        var isFinished = false

        func turn(after node: Node) -> Turn {
            if let next = chain.next(after: node) { .node(next) } else if isFinished { .end } else { .wait }
        }
    }

    private enum Turn {
        case node(Node)
        case end
        case wait
    }

    private let state: Lock<State>

    /// How far a reader may lag before it jumps to the present, unless another bound is given.
    static var standardLimit: Int { 65_536 }

    /// - Parameters:
    ///   - present: What a new reader gets first, or `nil` when it gets only what comes after.
    ///   - limit: How many elements a reader may lag behind; `nil` for no bound.
    init(present: Element? = nil, limit: Int? = Broadcast.standardLimit) {
        state = Lock(State(chain: BroadcastChain(present: present, limit: limit)))
    }

    /// What remains to be done for an element once all locks are released.
    struct Delivery {
        fileprivate let waiters: [Waiter]
        fileprivate let node: Node?
        fileprivate let cut: Node?

        /// Wakes the readers that waited. A writer never waits for them.
        func wakeReaders() {
            for waiter in waiters { waiter.resume(returning: node) }
        }
    }

    /// Commits an element. Every reader sees it, in this place of the order; the caller wakes them afterwards.
    ///
    /// - Returns: `nil` after ``finish()``.
    func link(_ element: Element) -> Delivery? {
        state.withLock { state in
            guard !state.isFinished else { return nil }
            let (node, cut) = state.chain.append(element)
            let waiters = Array(state.waiters.values)
            state.waiters.removeAll(keepingCapacity: true)
            return Delivery(waiters: waiters, node: node, cut: cut)
        }
    }

    /// Ends the broadcast: readers get what they have not read yet, then `nil`.
    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// The newest element's place in the chain: where a new reader begins.
    var present: Node { state.withLock { $0.chain.tail } }

    /// How many readers wait right now.
    var waitingReaders: Int { state.withLock { $0.waiters.count } }

    /// The node after the given one, as soon as there is one.
    ///
    /// - Returns: `nil` when the broadcast ended or the reading task was cancelled.
    func next(after node: Node) async -> Node? {
        guard !Task.isCancelled else { return nil }
        return switch state.withLock({ $0.turn(after: node) }) {
        case .node(let next): next
        case .end: nil
        case .wait: await parked(after: node)
        }
    }

    /// Waits for the node after the given one. What came since the look in ``next(after:)`` ends the wait at once.
    func parked(after node: Node) async -> Node? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // Looking once more and parking is one step, so nothing slips in between. Cancellation raises its flag
                // before it runs handlers: a handler that found nobody parked is seen here.
                let turn: Turn = state.withLock { state in
                    let turn: Turn = Task.isCancelled ? .end : state.turn(after: node)
                    if case .wait = turn { state.waiters[id] = waiter }
                    return turn
                }
                switch turn {
                case .node(let next): waiter.resume(returning: next)
                case .end: waiter.resume(returning: nil)
                case .wait: break
                }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}

/// One reader's place in a broadcast.
struct BroadcastCursor<Element: Sendable> {
    private let broadcast: Broadcast<Element>
    private var node: BroadcastNode<Element>
    private var replaysPresent: Bool
    private let conflates: Bool
    /// How many elements were missed just before the one read last.
    private(set) var skipped = 0

    /// Takes a place at the present, in one step with reading it.
    init(_ broadcast: Broadcast<Element>, replaysPresent: Bool, conflates: Bool = false) {
        self.broadcast = broadcast
        node = broadcast.present
        self.replaysPresent = replaysPresent
        self.conflates = conflates
    }

    mutating func next() async -> Element? {
        if replaysPresent {
            replaysPresent = false
            guard !Task.isCancelled else { return nil }
            if conflates { node = broadcast.present }
            return node.element
        }
        guard let next = await broadcast.next(after: node) else { return nil }
        // Positions count every element, so a jump shows.
        skipped = conflates ? 0 : Int(next.position - node.position - 1)
        node = conflates ? broadcast.present : next
        return node.element
    }
}
