import AuthStreams

/// What one attempt costs, beside the same as an `AsyncStream` that a task feeds; in nanoseconds.
enum AttemptCost {
    /// Iterates an attempt whose body does not suspend, over and over, on the global executor.
    static func iteration(_ repetitions: Int) async -> Double {
        let attempt = AuthStream<Int> { 1 }
        return await AttemptCost.mean(of: repetitions) {
            for await result in attempt { consume(result) }
        }
    }

    /// Makes a stream of one value that comes from a task, and iterates it.
    static func streamIteration(_ repetitions: Int) async -> Double {
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

    /// Starts an attempt that waits, cancels it, and waits until its reader has ended.
    static func cancelledStart(_ repetitions: Int) async -> Double {
        await mean(of: repetitions) {
            await cancel { gate in
                let attempt = AuthStream<Int> {
                    await gate.waitForCancellation()
                    throw CancellationError()
                }
                for await result in attempt { consume(result) }
            }
        }
    }

    /// The same with a stream whose task is cancelled when it ends.
    static func streamCancelledStart(_ repetitions: Int) async -> Double {
        await mean(of: repetitions) {
            await cancel { gate in
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
    }

    private static func cancel(_ read: @escaping @Sendable (CancellationGate) async -> Void) async {
        let gate = CancellationGate()
        let reader = Task { await read(gate) }
        await gate.waitForStart()
        reader.cancel()
        await reader.value
    }

    private static func mean(of repetitions: Int, _ body: () async -> Void) async -> Double {
        let begin = Stopwatch.nanoseconds()
        for _ in 0..<repetitions { await body() }
        return (Stopwatch.nanoseconds() - begin) / Double(repetitions)
    }
}
