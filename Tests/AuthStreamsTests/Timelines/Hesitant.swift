import AuthStreamsTesting

/// Takes its place in a sequence at once, and asks for the first element five seconds later.
struct Hesitant<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    let base: Base
    let clock: ManualClock

    init(_ base: Base, on clock: ManualClock) {
        self.base = base
        self.clock = clock
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), clock: clock) }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let clock: ManualClock
        var isFirst = true

        @concurrent
        mutating func next() async throws -> Base.Element? {
            if isFirst { try await clock.sleep(for: .seconds(5)) }
            isFirst = false
            return try await base.next()
        }
    }
}
