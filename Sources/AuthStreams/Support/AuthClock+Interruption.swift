extension AuthClock {
    /// Waits for a duration or until the interruption has a value.
    package func sleep(for duration: Duration, unless interruption: Promise<Void>) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await sleep(for: duration) }
            group.addTask { _ = await interruption.value() }
            await group.next()
            group.cancelAll()
        }
    }
}
