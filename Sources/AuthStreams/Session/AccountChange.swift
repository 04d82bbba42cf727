/// One change of the account under way: whose session it belongs to, and the signal that it is not wanted any more.
final class AccountChange: Sendable {
    let id: UInt64
    let kind: AuthEvent.Change
    let provider: ProviderID?
    /// Whose account is changed. While they stay signed in, it may go on, whatever becomes of the tokens.
    let userID: AuthUser.ID
    let startedAt: Duration
    /// Why it is to stop.
    let interruption = OneShot<AuthError>()

    init(id: UInt64, kind: AuthEvent.Change, provider: ProviderID?, of userID: AuthUser.ID, startedAt: Duration) {
        self.id = id
        self.kind = kind
        self.provider = provider
        self.userID = userID
        self.startedAt = startedAt
    }

    /// An event of this change, at that uptime.
    func event(
        _ kind: AuthEvent.Kind, at now: Duration, step: AuthState.SignInStep? = nil, failure: AuthError? = nil
    ) -> AuthEvent {
        AuthEvent(
            kind, attempt: id, provider: provider, step: step, failure: failure, elapsed: now - startedAt,
            change: self.kind)
    }
}

/// The changes of the account that are under way.
///
/// The person does one thing at a time: what asks them last takes the place of what asks them still. A request that was
/// sent is cut off only when its session is over.
struct AccountChanges {
    private struct Entry {
        let change: AccountChange
        /// How far it has come; `nil` before the first step.
        var step: AuthState.SignInStep?
        /// Whether the person is being asked, on a page or in another app.
        var isAsking = false
    }
    private var entries: [Entry] = []
    /// The deletion under way, by its user: for other callers that delete the same account meanwhile.
    var deletions: [AuthUser.ID: SharedOperation<Void>] = [:]

    mutating func began(_ change: AccountChange) { entries.append(Entry(change: change)) }

    /// A change has come to a step.
    ///
    /// - Returns: Whether this is news from a change that still counts.
    mutating func reached(_ step: AuthState.SignInStep, by change: AccountChange) -> Bool {
        guard let index = index(of: change), entries[index].step != step else { return false }
        entries[index].step = step
        entries[index].isAsking = step == .presenting || step == .waitingForOtherApp
        return true
    }

    /// A change is over.
    ///
    /// - Returns: The step it had come to.
    @discardableResult
    mutating func ended(_ change: AccountChange) -> AuthState.SignInStep? {
        index(of: change).flatMap { entries.remove(at: $0).step }
    }

    /// Takes out what is not wanted any more.
    ///
    /// - Parameters:
    ///   - userID: Who is signed in.
    ///   - asking: The sign-in under way, which asks the person.
    /// - Returns: The changes of who is not signed in any more, and those whose place before the person was taken.
    mutating func takeUnwanted(
        of userID: AuthUser.ID?, besides asking: UInt64?
    ) -> (over: [AccountChange], displaced: [AccountChange]) {
        // What every transition asks, and hardly ever has an answer.
        guard !entries.isEmpty else { return ([], []) }
        let newest = max(asking ?? 0, entries.filter(\.isAsking).map(\.change.id).max() ?? 0)
        let over = entries.filter { $0.change.userID != userID }
        let displaced = entries.filter { $0.change.userID == userID && $0.isAsking && $0.change.id < newest }
        entries.removeAll { entry in (over + displaced).contains { $0.change === entry.change } }
        return (over.map(\.change), displaced.map(\.change))
    }

    private func index(of change: AccountChange) -> Int? { entries.firstIndex { $0.change === change } }
}
