import AuthStreams

/// Where a task waits for a store, so that a check can tell when it does: what runs here next runs once it stands still.
actor SuspensionProbe {
    private let isInside = Promise<Void>()

    /// A task that waits already, unless there is nothing to wait for.
    nonisolated func enter<Value: Sendable>(
        _ wait: @escaping @Sendable () async -> Value
    ) async -> Task<Value, Never> {
        let task = Task { await self.run(wait) }
        _ = await isInside.value()
        await settle()
        // What left this actor may need a moment more to stand still.
        for _ in 0..<100 { await Task.yield() }
        return task
    }

    private func run<Value: Sendable>(_ wait: @Sendable () async -> Value) async -> Value {
        isInside.resolve(())
        return await wait()
    }

    private func settle() {}
}
