import Foundation

/// What a resource server wants before it answers: another authentication, or a more recent one (RFC 9470 section 3).
struct StepUpRequirement: Hashable, Sendable {
    /// The authentication contexts that it accepts, the preferred one first.
    let acrValues: [String]
    /// How old the authentication may be.
    let maximumAge: Duration?

    init(acrValues: [String] = [], maximumAge: Duration? = nil) {
        (self.acrValues, self.maximumAge) = (acrValues, maximumAge)
    }

    /// - Returns: `nil` for any other answer.
    init?(_ response: AuthHTTPResponse) {
        let wanted = response.authenticationChallenges.first {
            $0.parameters["error"] == "insufficient_user_authentication"
        }
        guard response.status == 401, let parameters = wanted?.parameters else { return nil }
        self.init(
            acrValues: (parameters["acr_values"] ?? "").split(separator: " ").map(String.init),
            maximumAge: parameters["max_age"].flatMap { Int64($0) }.map { .seconds(max(0, $0)) })
    }
}

/// The step-ups of one client: one for all requests that a server refuses while it is under way.
final class StepUps: Sendable {
    /// Asks the person.
    typealias Prove = @Sendable (StepUpRequirement) async -> Result<Void, AuthError>

    private struct State {
        /// How many have ended, and the outcome of the last.
        var (ended, last) = (0, Result<Void, AuthError>.success(()))
        var current: SharedOperation<Void>?
    }
    private let prove: Prove?
    private let state = Lock(State())

    /// - Parameter prove: Asks the person; `nil` if a server's requirement is returned as any other 401.
    init(_ prove: Prove?) { self.prove = prove }

    /// How many have ended: to be read before a request gets its token.
    var ended: Int { state.withLock { $0.ended } }

    /// Asks the person, unless a step-up is under way or has ended since the request got its token: then that outcome counts.
    ///
    /// - Returns: Whether the request may be sent once more.
    /// - Throws: Why the person did not prove who they are, such as `cancelled`.
    func run(_ requirement: StepUpRequirement, since sent: Int) async throws(AuthError) -> Bool {
        guard let prove else { return false }
        let (operation, last) = state.withLock { state -> (SharedOperation<Void>?, Result<Void, AuthError>) in
            guard state.ended == sent else { return (nil, state.last) }
            if let current = state.current, !current.isOver { return (current, state.last) }
            let operation = SharedOperation<Void>()
            state.current = operation
            return (operation, state.last)
        }
        guard let operation else {
            try last.get()
            return true
        }
        try await operation.result { [state] in
            let outcome = await prove(requirement)
            // The next caller takes the place of one that was cancelled.
            if case .failure(let error) = outcome, error.code == .cancelled, Task.isCancelled { return outcome }
            state.withLock { state in
                state.ended += 1
                state.last = outcome
            }
            return outcome
        }.get()
        return true
    }
}

extension ProviderRegistry {
    /// Asks the person at the provider of their session.
    func stepUp(_ requirement: StepUpRequirement, of refreshing: RefreshSession) async -> Result<Void, AuthError> {
        let request = AuthRequest(acrValues: requirement.acrValues, maximumAge: requirement.maximumAge)
        return await AccountChanges(refreshing: refreshing).reauthenticate(
            asking: { try requiredProvider(of: $0) }, request
        ).map { _ in }.mapError { $0.during(.reauthentication) }.body()
    }
}
