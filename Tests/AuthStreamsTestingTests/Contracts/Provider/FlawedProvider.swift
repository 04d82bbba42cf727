import AuthStreams
import AuthStreamsTesting

/// A provider with two method kinds, which breaks one promise, or none.
struct FlawedProvider: AuthProvider {
    enum Flaw: String, CaseIterable, Sendable {
        case changesItsID, namesAKindTwice, neverGetsACredential, namesAnotherProvider, provesNothing
        case startsBeforeIteration, makesSecretsOncePerStream, sharesStateBetweenAttempts, reportsNoStep
        case takesTurningBackForAFailure, takesNoForYes, ignoresCancellation, ignoresCancellationOnItsWay
        case takesUnknownKinds, lacksOneOfItsKinds, usesTheOtherKind, tellsASecretInAnError, tellsASecretInTheUser

        /// The promise that it breaks.
        var promise: String {
            switch self {
            case .changesItsID: "its id stays the same"
            case .namesAKindTwice: "it names its method kinds, each once and always the same"
            case .neverGetsACredential: "a person who agrees gets a credential"
            case .namesAnotherProvider: "a credential names its provider"
            case .provesNothing: "a credential holds a proof"
            case .startsBeforeIteration: "nothing is shown or sent before the stream is iterated"
            case .makesSecretsOncePerStream: "each iteration is an attempt of its own"
            case .sharesStateBetweenAttempts: "attempts at once do not share anything"
            case .reportsNoStep: "steps are reported through the request"
            case .takesTurningBackForAFailure: "a person who turns back ends the attempt with cancelled or abandoned"
            case .takesNoForYes: "a person who refuses ends the attempt with an error"
            case .ignoresCancellation: "a cancelled task ends the attempt with cancelled"
            case .ignoresCancellationOnItsWay:
                "a task that is cancelled at any contact ends the attempt with cancelled"
            case .takesUnknownKinds: "an unknown method kind is refused before anything is shown"
            case .lacksOneOfItsKinds: "each of its method kinds gets a credential"
            case .usesTheOtherKind: "the method kind that was named is used, and no other"
            case .tellsASecretInAnError: "an error tells no token, code or nonce"
            case .tellsASecretInTheUser: "a credential that is printed tells no token, code or nonce"
            }
        }
    }

    private struct State {
        var attempts = 0
        var current = 0
        var isOver = false
    }

    let flaw: Flaw?
    let person: AuthProviderContract.Person
    let witness: ContractRecorder
    let hang: Hang
    /// The latest early start of all providers of the contract.
    let latestStart: Lock<Task<Void, Never>?>
    private let state = Lock(State())

    var id: ProviderID { flaw == .changesItsID && state.withLock { $0.isOver } ? "another" : "flawed" }
    var methodKinds: [SignInMethod.Kind] { flaw == .namesAKindTwice ? [.app, .web, .app] : [.app, .web] }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        let (before, early) = startEarly(request)
        let (isStarted, ofStream) = (Lock(early == nil), number())
        return AuthStream {
            if flaw != .takesUnknownKinds { try requireMethodKind(of: request) }
            let own = flaw == .makesSecretsOncePerStream ? ofStream : number()
            state.withLock { $0.current = own }
            if flaw != .reportsNoStep { request.onStep(.presenting) }
            let isFirst = isStarted.withLock { isStarted in
                defer { isStarted = true }
                return !isStarted
            }
            if isFirst, let early {
                // The check gives an early start the time of another attempt, which here is as long as that start.
                await before?.value
                await withTaskCancellationHandler {
                    await early.value
                } onCancel: {
                    early.cancel()
                }
            } else {
                await contact(for: request)
            }
            if flaw != .ignoresCancellationOnItsWay || person == .neverAnswers { try Task.checkCancellation() }
            let credential = try await answer(of: own, request)
            state.withLock { $0.isOver = true }
            return credential
        }
    }

    /// Makes the contact before the stream is iterated, if that is the flaw.
    ///
    /// - Returns: The early start before this one, and this one.
    private func startEarly(_ request: AuthRequest) -> (before: Task<Void, Never>?, early: Task<Void, Never>?) {
        // An unknown kind is refused, so that no other promise is broken.
        guard flaw == .startsBeforeIteration, (try? requireMethodKind(of: request)) != nil else { return (nil, nil) }
        return latestStart.withLock { latest in
            let (before, early) = (latest, Task { await contact(for: request) })
            latest = early
            return (before, early)
        }
    }

    private func number() -> Int {
        state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
    }

    private func contact(for request: AuthRequest) async {
        let named = request.methodKind ?? .app
        await witness.contact(by: flaw == .usesTheOtherKind && named == .web ? .app : named)
    }

    private func answer(of attempt: Int, _ request: AuthRequest) async throws -> Credential {
        switch person {
        case .approves: break
        case .refuses where flaw == .takesNoForYes: break
        case .refuses:
            throw AuthError(
                .accessDenied, flaw == .tellsASecretInAnError ? "Not with \(Self.secret)." : "They said no.")
        case .turnsBack:
            throw AuthError(flaw == .takesTurningBackForAFailure ? .accessDenied : .cancelled, "They came back.")
        case .neverAnswers:
            if flaw == .ignoresCancellation { await hang.onceCancelled() }
            _ = await Promise<Never>().value()
            throw CancellationError()
        }
        if flaw == .neverGetsACredential || (flaw == .lacksOneOfItsKinds && request.methodKind == .web) {
            throw AuthError(.misconfigured, "It never works.")
        }
        let number = flaw == .sharesStateBetweenAttempts ? state.withLock { $0.current } : attempt
        let token = flaw == .provesNothing ? nil : Secret("token number \(number)")
        return Credential(
            provider: flaw == .namesAnotherProvider ? "another" : "flawed", idToken: token,
            rawNonce: Secret("nonce number \(number)"),
            userID: flaw == .tellsASecretInTheUser ? "nonce number \(number)" : "mia", isBound: true)
    }

    private static let secret = "the nonce of this test"

    static func contract(_ flaw: Flaw?) -> AuthProviderContract {
        let (hang, latestStart) = (Hang(), Lock<Task<Void, Never>?>(nil))
        var contract = AuthProviderContract(
            secrets: { [Secret(secret)] },
            provider: {
                FlawedProvider(
                    flaw: flaw, person: $0, witness: $1, hang: hang.ofThisCheck, latestStart: latestStart)
            })
        contract.hangDetection = hang.detection
        return contract
    }
}
