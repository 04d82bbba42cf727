import AuthStreams

/// An actor on which a task waits for a store. Its next job runs once the task has suspended, so a check can tell that
/// it waits.
actor SuspensionProbe {
    private let isInside = Promise<Void>()

    /// Starts a task and returns once it waits, unless there is nothing to wait for.
    nonisolated func enter<Value: Sendable>(
        _ wait: @escaping @Sendable () async -> Value
    ) async -> Task<Value, Never> {
        let task = Task { await self.run(wait) }
        _ = await isInside.value()
        await settle()
        // A task that has left this actor may need a moment more to suspend.
        for _ in 0..<100 { await Task.yield() }
        return task
    }

    private func run<Value: Sendable>(_ wait: @Sendable () async -> Value) async -> Value {
        isInside.resolve(())
        return await wait()
    }

    private func settle() {}
}
