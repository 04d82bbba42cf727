/// The elements of an input row, each at its instant.
///
/// | question | answer |
/// | --- | --- |
/// | first element | the first after `makeAsyncIterator()`; earlier ones are lost |
/// | how many readers? | one; the row shows where its reading begins and how it ends |
/// | a slow reader | elements are buffered |
/// | end | at the row's `\|`. A cancelled reader gets `nil`, and the row an `X`; one that is released leaves a `<` |
public struct TimelineInput<Element: Sendable>: AsyncSequence, Sendable {
    let feed: TimelineFeed<Element>?

    /// Begins the reading.
    public func makeAsyncIterator() -> Iterator { Iterator(reading: TimelineReadingPlace(feed)) }

    /// The iterator of the row's reader.
    public struct Iterator: AsyncIteratorProtocol {
        let reading: TimelineReadingPlace<Element>

        /// Returns the next element; `nil` at the end, or if the task is cancelled.
        public mutating func next() async -> Element? {
            if case .element(let element) = await reading.next() { element } else { nil }
        }

        /// Returns the next element on the given actor; `for await` calls it on newer systems.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            if case .element(let element) = await reading.next() { element } else { nil }
        }
    }
}

/// The elements of an input row that may fail: the same as ``TimelineInput``, and its `!` throws ``TimelineFailure``.
public struct TimelineThrowingInput<Element: Sendable>: AsyncSequence, Sendable {
    let feed: TimelineFeed<Element>?

    /// Begins the reading.
    public func makeAsyncIterator() -> Iterator { Iterator(reading: TimelineReadingPlace(feed)) }

    /// The iterator of the row's reader.
    public struct Iterator: AsyncIteratorProtocol {
        let reading: TimelineReadingPlace<Element>

        /// Returns the next element; `nil` at the end, or if the task is cancelled.
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

/// The error of an input row's `!`.
public struct TimelineFailure: Error, Hashable {}

/// One reader of an input row. If it is released before the row has ended, the row shows it.
final class TimelineReadingPlace<Element: Sendable>: Sendable {
    private let feed: TimelineFeed<Element>?

    init(_ feed: TimelineFeed<Element>?) {
        self.feed = feed.flatMap { $0.begin() ? $0 : nil }
    }

    deinit { feed?.quit(noting: .leave) }

    func next() async -> TimelineFeed<Element>.Event? { await feed?.next() }
}
