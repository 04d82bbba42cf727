/// The elements of an input row, each at its instant.
///
/// | question | answer |
/// | --- | --- |
/// | first element | what comes after `makeAsyncIterator()`; what came before is lost |
/// | how many readers? | one; the row shows where its reading begins and how it ends |
/// | a slow reader | what it has not read yet waits for it |
/// | end | at the row's `\|`. A cancelled reader gets `nil`, and the row an `X`; one that goes away leaves a `<` |
public struct TimelineInput<Element: Sendable>: AsyncSequence, Sendable {
    let feed: TimelineFeed<Element>?

    /// Takes the reader's place.
    public func makeAsyncIterator() -> Iterator { Iterator(reading: TimelineReadingPlace(feed)) }

    /// The reader's place in the row.
    public struct Iterator: AsyncIteratorProtocol {
        let reading: TimelineReadingPlace<Element>

        /// The next element; `nil` at the end, or when the task is cancelled.
        public mutating func next() async -> Element? {
            if case .element(let element) = await reading.next() { element } else { nil }
        }

        /// The same on the given actor, which `for await` calls on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            if case .element(let element) = await reading.next() { element } else { nil }
        }
    }
}

/// The elements of an input row that may fail: the same as ``TimelineInput``, and its `!` throws ``TimelineFailure``.
public struct TimelineThrowingInput<Element: Sendable>: AsyncSequence, Sendable {
    let feed: TimelineFeed<Element>?

    /// Takes the reader's place.
    public func makeAsyncIterator() -> Iterator { Iterator(reading: TimelineReadingPlace(feed)) }

    /// The reader's place in the row.
    public struct Iterator: AsyncIteratorProtocol {
        let reading: TimelineReadingPlace<Element>

        /// The next element; `nil` at the end, or when the task is cancelled.
        ///
        /// - Throws: ``TimelineFailure`` at `!`.
        public mutating func next() async throws -> Element? {
            switch await reading.next() {
            case .element(let element): element
            case .failure: throw TimelineFailure()
            case .end, nil: nil
            }
        }
    }
}

/// What the `!` of an input row throws.
public struct TimelineFailure: Error, Hashable {
    /// Makes one, to compare with.
    public init() {}
}

/// One reader of an input row. When it goes before the row has ended, the row shows it.
final class TimelineReadingPlace<Element: Sendable>: Sendable {
    private let feed: TimelineFeed<Element>?

    init(_ feed: TimelineFeed<Element>?) {
        self.feed = feed.flatMap { $0.begin() ? $0 : nil }
    }

    deinit { feed?.quit(noting: .leave) }

    func next() async -> TimelineFeed<Element>.Event? { await feed?.next() }
}
