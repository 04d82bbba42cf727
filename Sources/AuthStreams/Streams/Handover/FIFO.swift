/// A queue: what goes in first comes out first, both in constant time on average.
struct FIFO<Element: Sendable>: Sendable {
    private var incoming: [Element] = []
    /// Those that came first, the very first at the end.
    private var outgoing: [Element] = []

    mutating func append(_ element: Element) { incoming.append(element) }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            // Mostly there is one at the most, and nothing to turn around.
            guard incoming.count > 1 else { return incoming.popLast() }
            swap(&incoming, &outgoing)
            outgoing.reverse()
        }
        return outgoing.popLast()
    }

    /// Removes and returns all elements, in order.
    mutating func popAll() -> [Element] {
        defer { self = FIFO() }
        return outgoing.isEmpty ? incoming : outgoing.reversed() + incoming
    }
}
