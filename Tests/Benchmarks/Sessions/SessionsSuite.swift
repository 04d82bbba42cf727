extension Suite {
    /// Access tokens, refreshes and the store.
    static let sessions = Suite(
        name: "sessions", summary: "access tokens, refreshes and the store, beside a lock, a clock and an actor",
        introduction: "Ours beside a lock and a clock read, alone, and beside an actor that does the same",
        rivals: [.lockAndClock, .actor]
    ) { _ in tokens + [crowd] + storage + [memoryOfRefreshes] }
}

extension Rival {
    /// One lock, taken and given back, and one look at the clock.
    static let lockAndClock = Rival(title: "lock + clock", key: "lockAndClock")
    /// An actor that looks at the clock, and starts a `Task` for a refresh that its callers share.
    static let actor = Rival(title: "actor", key: "actor")
}
