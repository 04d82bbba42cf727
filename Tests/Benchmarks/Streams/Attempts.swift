import AuthStreams

extension Suite {
    /// An attempt, beside the same as an `AsyncStream` that a task feeds.
    static var attempts: [Measure] {
        [
            Measure(
                id: "attempt", title: "AuthStream, iterated, body does not suspend", unit: "ns",
                figure: .gain(over: [.unbounded]), bound: .atLeast(must: 20, aim: 100)
            ) { rounds in
                try await rounds.interleave([
                    (.ours, { await iterateAttempts(rounds.scaled(1_000_000)) }),
                    (.unbounded, { await iterateStreams(rounds.scaled(20_000)) }),
                ])
            },
            Measure(
                id: "attempt-cancel", title: "AuthStream, start and cancel", unit: "ns",
                figure: .gain(over: [.unbounded]), bound: .atLeast(must: 1.7, aim: 2.5)
            ) { rounds in
                try await rounds.interleave([
                    (.ours, { await cancelAttempts(rounds.scaled(20_000)) }),
                    (.unbounded, { await cancelStreams(rounds.scaled(20_000)) }),
                ])
            },
        ]
    }

    private static func iterateAttempts(_ repetitions: Int) async -> Double {
        let attempt = AuthStream<Int> { 1 }
        return await mean(of: repetitions) {
            for await result in attempt { consume(result) }
        }
    }

    private static func iterateStreams(_ repetitions: Int) async -> Double {
        await mean(of: repetitions) {
            let stream = AsyncStream<Int> { continuation in
                Task {
                    continuation.yield(1)
                    continuation.finish()
                }
            }
            for await value in stream { consume(value) }
        }
    }

    private static func cancelAttempts(_ repetitions: Int) async -> Double {
        await cancel(repetitions) { gate in
            let attempt = AuthStream<Int> {
                await gate.waitForCancellation()
                throw CancellationError()
            }
            for await result in attempt { consume(result) }
        }
    }

    private static func cancelStreams(_ repetitions: Int) async -> Double {
        await cancel(repetitions) { gate in
            let stream = AsyncStream<Int> { continuation in
                let task = Task {
                    await gate.waitForCancellation()
                    continuation.finish()
                }
                continuation.onTermination = { _ in task.cancel() }
            }
            for await value in stream { consume(value) }
        }
    }

    /// Starts a reader, cancels it when its work has begun, and waits for its end.
    private static func cancel(
        _ repetitions: Int, _ read: @escaping @Sendable (CancellationGate) async -> Void
    ) async -> Double {
        await mean(of: repetitions) {
            let gate = CancellationGate()
            let reader = Task { await read(gate) }
            await gate.waitForStart()
            reader.cancel()
            await reader.value
        }
    }
}
