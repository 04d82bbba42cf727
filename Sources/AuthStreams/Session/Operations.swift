/// What a person has under way, by its identity: a sign-in, or a change of the account.
///
/// The state machine compares operations and never waits for one.
package final class Operation<Subject: Sendable>: Sendable {
    /// What events call it.
    package let id: UInt64
    let provider: ProviderID?
    let startedAt: Duration
    let subject: Subject
    /// Why it is to stop.
    package let interruption = Promise<AuthError>()

    init(_ subject: Subject, id: UInt64, provider: ProviderID?, startedAt: Duration) {
        self.subject = subject
        self.id = id
        self.provider = provider
        self.startedAt = startedAt
    }
}

extension Operation: Hashable {
    /// Whether both have the same number, which is an operation's own in its process.
    package static func == (first: Operation, second: Operation) -> Bool { first.id == second.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// One sign-in under way.
package typealias SignInOperation = Operation<SignInOrigin>
/// One change of the account under way.
package typealias AccountChange = Operation<ChangedAccount>

/// Why a sign-in began.
package enum SignInOrigin: Hashable, Sendable {
    /// The person asked for it. It replaces any user who is signed in.
    case person
    /// The app was launched by the answer to an attempt. It replaces the user who was signed in when the attempt began, or
    /// none.
    case answer(replacing: AuthUser.ID?)
}

/// Which account a change concerns. While its user stays signed in, the change may continue, also with other tokens.
package struct ChangedAccount: Hashable, Sendable {
    let kind: AuthOperation
    let userID: AuthUser.ID
}

extension AccountChange {
    var userID: AuthUser.ID { subject.userID }
}

extension Operation {
    /// An event of this operation, at that uptime.
    func event(
        _ kind: AuthEvent.Kind, at now: Duration, step: AuthState.SignInStep? = nil, failure: AuthError? = nil
    ) -> AuthEvent {
        AuthEvent(
            kind, provider: provider, failure: failure.map(AuthEvent.Failure.of), elapsed: now - startedAt,
            details: .attempt(attempt(step)))
    }

    func attempt(_ step: AuthState.SignInStep? = nil) -> AuthEvent.Attempt {
        AuthEvent.Attempt(id, (subject as? ChangedAccount)?.kind ?? .signIn, step: step)
    }
}

/// The operations under way.
///
/// A person does one thing at a time: the operation that asks them last supersedes the one that still asks them. A change
/// whose request was sent is interrupted only when its session ends.
package struct Operations: Hashable, Sendable {
    package struct SignIn: Hashable, Sendable {
        package let operation: SignInOperation
        var step: AuthState.SignInStep
        /// Whether a credential was sent to the server.
        var isSent = false
    }
    private struct Change: Hashable, Sendable {
        let operation: AccountChange
        /// `nil` before the first step.
        var step: AuthState.SignInStep?
        var asksPerson: Bool {
            step == .presenting || step == .waitingForOtherApp || step == .waitingForAnswer
        }
    }

    private struct Deletion: Hashable, Sendable {
        let user: AuthUser.ID
        let outcome: SharedOperation<Void>
    }

    /// The sign-in that readers are shown.
    package private(set) var signIn: SignIn?
    /// The sign-in whose session is being written. Only a sign-out supersedes it.
    package private(set) var committed: SignInOperation?
    /// The number of the last sign-in whose session was shown.
    package private(set) var established: UInt64 = 0
    /// The number of the last sign-in that was committed, also if it was dropped since.
    private(set) var lastCommit: UInt64 = 0
    private var changes: [Change] = []
    /// The deletion under way, which later callers of the same user share.
    private var deletion: Deletion?
    private var lastID: UInt64 = 0

    private mutating func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: Sign-ins

    /// The sign-in that a newer operation supersedes.
    var interruptible: SignInOperation? {
        signIn.flatMap { $0.operation === committed ? nil : $0.operation }
    }

    /// Whether the sign-in of an earlier process may be resumed: not while there is one of the person's own, of another provider, or
    /// one whose credential was sent.
    func allowsResumedSignIn(with provider: ProviderID) -> Bool {
        guard let signIn else { return true }
        let operation = signIn.operation
        return operation.subject != .person && operation.provider == provider && !signIn.isSent
            && signIn.step == .waitingForAnswer
    }

    mutating func beginSignIn(
        _ origin: SignInOrigin, with provider: ProviderID, at step: AuthState.SignInStep, _ now: Duration
    ) -> SignInOperation {
        let operation = SignInOperation(origin, id: nextID(), provider: provider, startedAt: now)
        signIn = SignIn(operation: operation, step: step)
        return operation
    }

    /// - Returns: Whether this is news from the present sign-in.
    mutating func reach(_ step: AuthState.SignInStep, _ operation: SignInOperation) -> Bool {
        guard signIn?.operation === operation, signIn?.step != step else { return false }
        signIn?.step = step
        if step == .establishingSession { signIn?.isSent = true }
        return true
    }

    /// - Returns: Whether its session may be written: not when another sign-in or a sign-out superseded it.
    package mutating func commit(_ operation: SignInOperation) -> Bool {
        if committed === operation { return true }
        guard signIn?.operation === operation else { return false }
        (committed, lastCommit) = (operation, operation.id)
        return true
    }

    /// The session of a sign-in is shown.
    mutating func complete(_ operation: SignInOperation) {
        (committed, established) = (nil, operation.id)
        end(operation)
    }

    /// A sign-in whose session was to be written ends without it: another process decided later.
    mutating func dropCommitted() {
        if let committed { end(committed) }
        committed = nil
    }

    /// - Returns: The step that the sign-in had reached; `nil` when it is not the present one.
    @discardableResult
    mutating func end(_ operation: SignInOperation) -> AuthState.SignInStep? {
        guard signIn?.operation === operation else { return nil }
        defer { signIn = nil }
        return signIn?.step
    }

    /// The provider that the newest operation asks, and the step that was reached; `nil` when no provider is asked.
    package var progress: (provider: ProviderID, step: AuthState.SignInStep)? {
        let signIn = signIn.map { (id: $0.operation.id, provider: $0.operation.provider, step: Optional($0.step)) }
        let changes = changes.map { (id: $0.operation.id, provider: $0.operation.provider, step: $0.step) }
        return ([signIn].compactMap(\.self) + changes)
            .sorted { $0.id > $1.id }
            .lazy.compactMap { operation in
                operation.provider.flatMap { provider in operation.step.map { (provider, $0) } }
            }.first
    }

    // MARK: Changes

    /// Whether a provider is being linked.
    func isLinking(with provider: ProviderID) -> Bool {
        changes.contains { $0.operation.subject.kind == .link && $0.operation.provider == provider }
    }

    mutating func beginChange(
        _ kind: AuthOperation, of user: AuthUser.ID, with provider: ProviderID?, _ now: Duration
    ) -> AccountChange {
        let operation = AccountChange(
            ChangedAccount(kind: kind, userID: user), id: nextID(), provider: provider, startedAt: now)
        changes.append(Change(operation: operation))
        return operation
    }

    /// - Returns: Whether this is news from a change that still counts.
    mutating func reach(_ step: AuthState.SignInStep, _ operation: AccountChange) -> Bool {
        guard let index = index(of: operation), changes[index].step != step else { return false }
        changes[index].step = step
        return true
    }

    /// - Returns: The step that the change had reached.
    @discardableResult
    mutating func end(_ operation: AccountChange) -> AuthState.SignInStep? {
        index(of: operation).flatMap { changes.remove(at: $0).step }
    }

    /// The deletion of that user that is under way, or a new one.
    mutating func sharedDeletion(of user: AuthUser.ID) -> SharedOperation<Void> {
        // A deletion that has an outcome is no longer under way.
        if let deletion, deletion.user == user, !deletion.outcome.isOver { return deletion.outcome }
        let outcome = SharedOperation<Void>()
        deletion = Deletion(user: user, outcome: outcome)
        return outcome
    }

    /// Whether the account of that user is being deleted.
    func isDeleting(_ user: AuthUser.ID) -> Bool {
        deletion.map { $0.user == user && $0.outcome.isUnderWay } ?? false
    }

    /// Removes the changes to interrupt.
    ///
    /// - Parameter user: Who is signed in.
    /// - Returns: The changes of a user who is no longer signed in, and those that a newer operation supersedes.
    mutating func removeUnwantedChanges(of user: AuthUser.ID?) -> (over: [AccountChange], superseded: [AccountChange]) {
        guard !changes.isEmpty else { return ([], []) }
        let newest = max(interruptible?.id ?? 0, changes.filter(\.asksPerson).map(\.operation.id).max() ?? 0)
        let over = changes.filter { $0.operation.userID != user }
        let superseded = changes.filter {
            $0.operation.userID == user && $0.asksPerson && $0.operation.id < newest
        }
        changes.removeAll { change in (over + superseded).contains { $0.operation === change.operation } }
        return (over.map(\.operation), superseded.map(\.operation))
    }

    private func index(of operation: AccountChange) -> Int? {
        changes.firstIndex { $0.operation === operation }
    }
}
