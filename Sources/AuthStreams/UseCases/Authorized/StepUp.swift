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
        /// How many have succeeded.
        var completed = 0
        var current: SharedOperation<Void>?
    }
    private let prove: Prove?
    private let state = Lock(State())

    /// - Parameter prove: Asks the person; `nil` if a server's wish is returned as any other 401.
    init(_ prove: Prove?) { self.prove = prove }

    /// How many have succeeded: to be read before a request is sent.
    var completed: Int { state.withLock { $0.completed } }

    /// Asks the person, unless a step-up is under way, whose outcome counts, or one has succeeded since the request was sent.
    ///
    /// - Returns: Whether the request may be sent once more.
    /// - Throws: Why the person did not prove who they are, such as `cancelled`.
    func run(_ requirement: StepUpRequirement, since sent: Int) async throws(AuthError) -> Bool {
        guard let prove else { return false }
        let operation: SharedOperation<Void>? = state.withLock { state in
            guard state.completed == sent else { return nil }
            if let current = state.current, !current.isOver { return current }
            let operation = SharedOperation<Void>()
            state.current = operation
            return operation
        }
        try await operation?.result { [state] in
            let outcome = await prove(requirement)
            if case .success = outcome { state.withLock { $0.completed += 1 } }
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
            asking: { session in
                guard let provider = try provider(of: session, preferring: nil, using: nil) else {
                    throw AuthError.withoutProvider(of: session)
                }
                return provider
            }, request
        ).map { _ in }.mapError { $0.during(.reauthentication) }.body()
    }
}
