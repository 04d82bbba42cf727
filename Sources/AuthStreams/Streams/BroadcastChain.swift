/// One element of a broadcast, linked to the next: the chain that all readers share.
///
/// A reader holds the node it read last; whatever no reader holds is freed from the front as the chain moves on.
///
/// `@unchecked Sendable`: `next` is read and written under the lock of the one broadcast that the node belongs to, in
/// `deinit`, or for a node that only the chain before it held, when that is freed. The last can meet the broadcast, which
/// comes by a weak mark: both take the rest of the chain by ``detachNext()``.
final class BroadcastNode<Element: Sendable>: @unchecked Sendable {
    /// `nil` only in the first node of a broadcast that has no present.
    let element: Element?
    /// Counts the elements from the start of the broadcast.
    let position: UInt64
    var next: BroadcastNode?

    init(_ element: Element?, position: UInt64) {
        self.element = element
        self.position = position
    }

    deinit {
        // Freed one by one: a chain of a million nodes must not recurse through a million deinits.
        var rest = next
        next = nil
        while isKnownUniquelyReferenced(&rest) {
            rest = rest?.detachNext()
        }
    }

    /// Takes away what comes after. Of two who do so, one gets it.
    func detachNext() -> BroadcastNode? {
        detaching.withLock { _ in
            defer { next = nil }
            return next
        }
    }
}

/// Serves all chains: it is taken only where several nodes are freed in a row. Nothing is let go of under it.
private let detaching = Lock(())

/// The writing end of a chain, with the bound on how far a reader may lag.
///
/// A reader further behind than the bound jumps to the present. So that what it held is freed although it never reads
/// again, the chain remembers a node now and then (weakly) and cuts there once the bound has passed it.
struct BroadcastChain<Element: Sendable> {
    private struct Mark {
        let position: UInt64
        weak var node: BroadcastNode<Element>?
    }

    private(set) var tail: BroadcastNode<Element>
    private let limit: UInt64?
    private let stride: UInt64
    private var marks: [Mark] = []

    init(present: Element?, limit: Int?) {
        tail = BroadcastNode(present, position: 0)
        self.limit = limit.map { UInt64(max(1, $0)) }
        stride = max(1, (self.limit ?? 0) / 16)
    }

    /// Appends an element.
    ///
    /// - Returns: The new node, and what was cut off. The caller lets go of that outside its lock, because freeing a
    ///   long chain takes a while.
    mutating func append(_ element: Element) -> (node: BroadcastNode<Element>, cut: BroadcastNode<Element>?) {
        let node = BroadcastNode(element, position: tail.position + 1)
        tail.next = node
        if limit != nil, tail.position % stride == 0 { marks.append(Mark(position: tail.position, node: tail)) }
        tail = node
        return (node, cutBehindLimit())
    }

    private mutating func cutBehindLimit() -> BroadcastNode<Element>? {
        guard let limit, let oldest = marks.first, oldest.position + limit < tail.position else { return nil }
        marks.removeFirst()
        return oldest.node?.detachNext()
    }

    /// What a reader that read `node` last reads next; `nil` when that was the present.
    func next(after node: BroadcastNode<Element>) -> BroadcastNode<Element>? {
        let lag = tail.position - node.position
        guard lag > 0 else { return nil }
        guard limit.map({ lag <= $0 }) ?? true else { return tail }
        // A node within the bound is never cut, so its `next` is there.
        return node.next ?? tail
    }
}
