import AuthStreams

extension Suite {
    /// What operators add to an element of the sequence beneath them.
    static var operators: [Measure] {
        [
            added("mapSuccess") { results in
                for await result in results.mapSuccess({ $0 &+ 1 }) { consume(result) }
            },
            added("mapFailure") { results in
                for await result in results.mapFailure({ $0 }) { consume(result) }
            },
            added("successes") { results in
                for await value in results.successes { consume(value) }
            },
            added("values") { results in
                for try await value in results.values { consume(value) }
            },
            Measure(
                id: "flatMapFirst", title: "flatMapFirst, an ignored element", unit: "ns",
                bound: .atMost(must: 200, aim: 100)
            ) { rounds in
                try await rounds.interleave([(.ours, { await ignore(rounds.scaled(200_000)) })])
            },
        ]
    }

    /// - Parameter iterate: Written out for each operator, as an app would, beside the same loop without one.
    private static func added(
        _ name: String, _ iterate: @escaping @Sendable (Results) async throws -> Void
    ) -> Measure {
        Measure(
            id: name, title: "\(name), added to an element", unit: "ns", bound: .atMost(must: 50, aim: 10)
        ) { rounds in
            let results = Results(count: rounds.scaled(1_000_000))
            let cost: Rounds.Work = {
                let with = try await mean(of: 1) { try await iterate(results) }
                let without = await mean(of: 1) {
                    for await result in results { consume(result) }
                }
                return (with - without) / Double(results.count)
            }
            return try await rounds.interleave([(.ours, cost)])
        }
    }

    /// Taps while a sign-in is in flight. Returns what it costs to ignore one.
    private static func ignore(_ taps: Int) async -> Double {
        let signIn = CancellationGate()
        let end = Countdown(1)
        let begin = ContinuousClock.now
        let reader = Task {
            let ignored = Results(count: taps, atEnd: end.arrive).flatMapFirst { _ in
                AuthStream<Int> {
                    await signIn.waitForCancellation()
                    return 0
                }
            }
            for await result in ignored { consume(result) }
        }
        await end.wait()
        let cost = begin.nanoseconds(per: taps)
        await signIn.waitForStart()
        reader.cancel()
        await reader.value
        return cost
    }
}

/// A sequence that costs next to nothing: that many results, without a suspension.
private struct Results: AsyncSequence, Sendable {
    typealias Element = Result<Int, AuthError>

    let count: Int
    var atEnd: @Sendable () -> Void = {}

    func makeAsyncIterator() -> Iterator { Iterator(rest: count, atEnd: atEnd) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Int
        let atEnd: @Sendable () -> Void

        mutating func next() async -> Element? { step() }

        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { step() }

        // Not inlined, or the compiler would know the elements and remove the loop.
        @inline(never)
        private mutating func step() -> Element? {
            guard rest > 0 else {
                atEnd()
                return nil
            }
            rest -= 1
            return .success(rest)
        }
    }
}
