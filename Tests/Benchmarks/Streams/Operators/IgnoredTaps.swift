import AuthStreams

/// Taps while a sign-in is in flight: what `flatMapFirst` takes to ignore one, in nanoseconds.
enum IgnoredTaps {
    /// Measures from the tap after the first, which begins a sign-in that does not end, to the last.
    static func cost(of taps: Int) async -> Double {
        let times = Times()
        let end = Countdown()
        end.arm(1)
        let reader = Task {
            let signIn = CancellationGate()
            let ignored = Taps(count: taps, times: times, end: end).flatMapFirst { _ in
                AuthStream<Int> {
                    await signIn.waitForCancellation()
                    return 0
                }
            }
            for await result in ignored { consume(result) }
        }
        await end.wait()
        reader.cancel()
        await reader.value
        return (times.last - times.second) / Double(taps)
    }

    /// `@unchecked Sendable`: written by the one task that reads the taps, read after it has said that it is at the end.
    private final class Times: @unchecked Sendable {
        var second = 0.0
        var last = 0.0
    }

    /// Taps without a pause between them. Their reader's own steps are timed, so nothing else is.
    private struct Taps: AsyncSequence, Sendable {
        typealias Element = Int

        let count: Int
        let times: Times
        let end: Countdown

        func makeAsyncIterator() -> Iterator { Iterator(taps: self) }

        struct Iterator: AsyncIteratorProtocol {
            let taps: Taps
            var turn = -1

            init(taps: Taps) { self.taps = taps }

            mutating func next() async -> Int? { step() }

            @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
            mutating func next(isolation actor: isolated (any Actor)?) async -> Int? { step() }

            @inline(never)
            private mutating func step() -> Int? {
                turn += 1
                if turn == 1 { taps.times.second = Stopwatch.nanoseconds() }
                guard turn > taps.count else { return turn }
                taps.times.last = Stopwatch.nanoseconds()
                taps.end.arrive()
                return nil
            }
        }
    }
}
