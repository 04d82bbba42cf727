extension RefreshSession {
    /// Refreshes the session ahead of its expiry for as long as the task runs, and goes on after failures.
    ///
    /// It waits for what the manager plans: some minutes before the expiry, or after a failure 1 s, 2 s, 4 s … up to
    /// five minutes, or what the server asked for.
    func keepAhead() async {
        while !Task.isCancelled {
            let plan = manager.plan
            guard let due = plan.due else {
                _ = await plan.change.value()
                continue
            }
            let rest = due - manager.clock.uptime
            if rest > .zero {
                await manager.clock.sleep(for: rest, unless: plan.change)
            } else {
                // What came of it is in the plan, and told as an event.
                try? await workAhead()
                // Whatever it was, it is not done again at once unless that is the new plan.
                if manager.plan.change === plan.change {
                    await manager.clock.sleep(for: .seconds(30), unless: plan.change)
                }
            }
        }
    }
}
