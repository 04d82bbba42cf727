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

/// The step-ups of one client: one for all requests of a session that a server refuses with the same authentication contexts while it
/// is under way. Each authentication is new, so it satisfies every age.
final class StepUps: Sendable {
    /// Asks the person.
    typealias Prove = @Sendable (StepUpRequirement) async -> Result<Void, AuthError>

    private struct Key: Hashable {
        let session: SessionID
        let acrValues: [String]
    }

    private struct State {
        /// How many have ended.
        var ended = 0
        /// The last of each kind, with its number once it has ended.
        var last: [Key: (operation: SharedOperation<Void>, number: Int?)] = [:]
    }
    private let prove: Prove?
    private let state = Lock(State())
    /// Held while the person is asked: a question would take the place of another one.
    let asking = AsyncMutex()

    /// - Parameter prove: Asks the person; `nil` if a server's requirement is returned as any other 401.
    init(_ prove: Prove?) { self.prove = prove }

    /// How many have ended: to be read before a request gets its token.
    var ended: Int { state.withLock { $0.ended } }

    /// Asks the person, unless such a step-up is under way or has ended since the request got its token: then that outcome counts.
    ///
    /// - Parameters:
    ///   - requirement: What the server wants.
    ///   - session: The session of the request.
    ///   - sent: How many step-ups had ended before the request got its token.
    ///   - present: Returns the present session, whose user is asked.
    /// - Returns: Whether the request may be sent once more.
    /// - Throws: Why the person did not prove who they are, such as `cancelled`; `superseded` if another session is present.
    func run(
        _ requirement: StepUpRequirement, of session: SessionID, since sent: Int,
        present: () async throws(AuthError) -> SessionID
    ) async throws(AuthError) -> Bool {
        guard let prove else { return false }
        let key = Key(session: session, acrValues: requirement.acrValues)
        let operation = state.withLock { state -> SharedOperation<Void> in
            if let (last, number) = state.last[key], number.map({ $0 > sent }) ?? !last.isOver { return last }
            let operation = SharedOperation<Void>()
            state.last = state.last.filter { $0.key.session == session }
            state.last[key] = (operation, nil)
            return operation
        }
        try await operation.result { [state, asking] in
            // The next caller takes the place of one that was cancelled.
            guard let turn = await asking.take() else { return .failure(.cancelled) }
            defer { turn.release() }
            do throws(AuthError) { if try await present() != session { throw .superseded } } catch {
                return .failure(error)
            }
            let outcome = await prove(requirement)
            if case .failure(let error) = outcome, error.code == .cancelled, Task.isCancelled { return outcome }
            state.withLock { state in
                state.ended += 1
                state.last[key]?.number = state.ended
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
