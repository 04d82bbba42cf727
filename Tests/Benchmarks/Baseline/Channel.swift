/// One writer's elements for many readers: what ours and the baselines have in common.
///
/// Each channel writes its loop out in terms of its own concrete type, as an app would.
protocol Channel<Element>: Sendable {
    associatedtype Element: Sample
    associatedtype Iterator

    func send(_ element: Element)

    /// Reads, in the calling task and on its actor, until the channel ends, the task is cancelled, or the body says
    /// `false`.
    func read(_ body: (Element) -> Bool) async

    /// Begins to read, without reading.
    func makeIterator() -> Iterator

    func finish()
}

/// An element that can be made in numbers.
protocol Sample: Sendable {
    /// The element to send in that turn. Making it costs next to nothing.
    static func sample(_ turn: Int) -> Self
    /// An element that no turn has.
    static var last: Self { get }
    /// Whether this is that one.
    var isLast: Bool { get }
}

extension Int: Sample {
    static func sample(_ turn: Int) -> Int { turn }
    static let last = Int.max
    var isLast: Bool { self == Self.last }
}
