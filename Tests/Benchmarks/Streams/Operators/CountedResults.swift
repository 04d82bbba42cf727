import AuthStreams

/// A base for operators that costs next to nothing: that many results, all there, without a suspension.
struct CountedResults: AsyncSequence, Sendable {
    typealias Element = Result<Int, AuthError>

    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(rest: count) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Int

        mutating func next() async -> Element? { step() }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { step() }

        // Not inlined: a loop whose elements are known is no loop any more.
        @inline(never)
        private mutating func step() -> Element? {
            guard rest > 0 else { return nil }
            rest -= 1
            return .success(rest)
        }
    }
}
