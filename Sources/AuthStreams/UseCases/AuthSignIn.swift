import Foundation

/// The use case 'sign in': takes a provider's credential through the repository to a session.
///
/// ```swift
/// let signIn = AuthSignIn(repository: repository, manager: manager)
/// for await result in kakao.authenticate().flatMap(signIn.callAsFunction) { … }
/// ```
///
/// A sign-in supersedes the one under way. Its result is a success once the session is stored. If the store fails, the session
/// is kept in memory, the result is still a success, and the write is retried automatically. The store is tried before the
/// person is asked; if it fails, an event says so, and the sign-in continues.
///
/// ## What is retried
///
/// When the request to the server fails on the way, it is repeated with the same credential, so that the person is not asked
/// again: at most twice, after one second and after two, each shortened by up to a half, or after the server's `Retry-After`.
/// If the server asks to wait longer than ten seconds, the request is not repeated.
///
/// | the server's answer | a credential of tokens alone | one with a one-time code (Apple, Naver, Google's `serverAuthCode`) |
/// | --- | --- | --- |
/// | none, or a failure: `network`, `server` | repeated | not repeated: the code may be consumed |
/// | too many requests: `rateLimited` | repeated | repeated, since the server did not process it |
/// | anything else | not repeated | not repeated |
///
/// If the server refuses the repeated credential, the first error is reported. Such a server accepts a token once, as Firebase
/// does with a nonce, and the answer to the first request was lost: the person signs in again.
///
/// If the server refuses an answer that another app may have made up, as it can with the Naver app's, the sign-in waits for
/// the next one; see ``Credential/replacement``.
public struct AuthSignIn: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager

    /// A session, and the credential that the server accepted, with the profile that was sent with it.
    private typealias Established = (session: AuthSession, credential: Credential)

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager) {
        self.repository = repository
        self.manager = manager
    }

    /// Signs in with a credential: the step from a credential to a session.
    ///
    /// The stream's errors: `superseded` when another sign-in or a sign-out came in between, or the repository's errors.
    public func callAsFunction(_ credential: Credential) -> AuthStream<AuthSession> {
        established(by: credential).map { $0.session }
    }

    /// Does the same, for an app.
    ///
    /// - Parameter isSignUp: Whether the server is to make an account.
    func result(of credential: Credential, isSignUp: Bool = false) -> AuthStream<SignInResult> {
        established(by: credential, isSignUp: isSignUp).map { SignInResult($0.session, of: $0.credential) }
    }

    private func established(
        by credential: Credential, of method: SignInMethod? = nil, isSignUp: Bool = false
    ) -> AuthStream<Established> {
        let id = credential.provider
        let method = method ?? SignInMethod(id)
        let begin: SessionManager.SignInBeginning = { $0.signInBegan(with: id, at: .establishingSession, $1.uptime) }
        return manager.signIn(begin) { operation in
            AuthStream {
                try await AuthError.during(isSignUp ? .signUp : .signIn) { () throws(AuthError) in
                    try await establishSession(
                        with: credential, by: operation, of: method, isSignUp: isSignUp)
                }
            }
        }
    }

    /// The whole chain: gets a credential from the provider and signs in with it, as one attempt that shows each step.
    ///
    /// The stream's errors: `unsupportedProvider`, before anything is shown, when the repository has no route for the provider
    /// or the provider does not have the request's method kind; `superseded`; or the errors of the provider and the repository.
    public func callAsFunction(
        with provider: any AuthProvider, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<AuthSession> {
        established(with: provider, request).map { $0.session }
    }

    /// Does the same, for an app.
    func result(with provider: any AuthProvider, _ request: AuthRequest) -> AuthStream<SignInResult> {
        established(with: provider, request).map { SignInResult($0.session, of: $0.credential) }
    }

    private func established(with provider: any AuthProvider, _ request: AuthRequest) -> AuthStream<Established> {
        // Asked outside the manager's lock.
        let id = provider.id
        guard request.methodKind?.isQuiet != true else { return quietly(asking: provider, request) }
        return signIn(with: provider, request) { $0.signInBegan(with: id, at: .presenting, $1.uptime) }
    }

    /// Asks the person without a tap, and begins a sign-in with their answer. A sign-in that begins, another user, or one who is to
    /// pass the gate supersedes the question.
    private func quietly(asking provider: any AuthProvider, _ request: AuthRequest) -> AuthStream<Established> {
        let method = provider.method(of: request)
        var request = request
        request.prepare = { try await repository.prepare($0, in: nil) }
        let user = manager.user?.id
        let credential = provider.authenticate(request).interrupted { [states = manager.states] in
            for await state in states where state.supersedesQuestion(to: user) { break }
            return .superseded
        }
        // Nothing is shown for a question that is superseded at once.
        let question = AuthStream(body: {
            manager.state.supersedesQuestion(to: user) ? .failure(.superseded) : await credential.body()
        })
        return checked(provider, request, question.flatMap { established(by: $0, of: method) })
    }

    /// Resumes an attempt of an earlier process.
    ///
    /// - Parameter user: Who was signed in when it began. If that has changed, the stream ends with
    ///   ``AuthError/attemptAbandoned``.
    func resume(with provider: any AuthProvider, replacing user: AuthUser.ID?) -> AuthStream<AuthSession> {
        let id = provider.id
        return signIn(with: provider, AuthRequest()) {
            $0.signInResumed(with: id, replacing: user, at: .presenting, $1.uptime)
        }.map { $0.session }
    }

    private func signIn(
        with provider: any AuthProvider, _ request: AuthRequest,
        beginning begin: @escaping SessionManager.SignInBeginning
    ) -> AuthStream<Established> {
        let chain = manager.signIn(begin) { operation in
            var request = request.serving(operation, of: manager, reaching: manager.steps(of: operation)) {
                try await repository.prepare($0, in: nil)
            }
            request.hashesNonce = repository.hashesNonce(of: provider.id)
            request.keepAttempts(
                for: .init(provider: provider.id, purpose: .signIn, user: manager.user?.id), in: manager)
            let method = provider.method(of: request)
            let authentication = provider.authenticate(request)
            let credential: AuthStream<Credential> = AuthStream { await manager.tryStore(for: operation) }
                .flatMap { _ in authentication }
            return credential.flatMap { try await establishSession(with: $0, by: operation, of: method) }
        }
        return checked(provider, request, chain)
    }

    /// Checks what can be refused before the attempt begins, because beginning is seen and takes another attempt's place.
    private func checked(
        _ provider: any AuthProvider, _ request: AuthRequest, _ chain: AuthStream<Established>
    ) -> AuthStream<Established> {
        AuthStream(body: {
            guard repository.accepts(provider.id) else { return .failure(.withoutRoute(provider.id).during(.signIn)) }
            do throws(AuthError) { try provider.requireMethodKind(of: request) } catch {
                return .failure(error.during(.signIn))
            }
            return await chain.body()
        })
    }

    private func establishSession(
        with credential: Credential, by operation: SignInOperation, of method: SignInMethod, isSignUp: Bool = false
    ) async throws(AuthError) -> Established {
        let (profiles, steps) = (PendingProfiles(manager: manager), manager.steps(of: operation))
        var credential = credential
        var file = NotesFile(manager)
        let session = try await manager.answering(in: operation, reaching: steps) {
            while true {
                steps(.establishingSession)
                credential = await profiles.attach(to: credential, in: &file)
                do throws(AuthError) {
                    return try await credential.retrying(on: manager.clock) { [credential] in
                        try await isSignUp
                            ? repository.signUp(with: credential) : repository.signIn(with: credential)
                    }
                } catch { credential = try await credential.replacement(after: error) }
            }
        } answer: { challenge, answer in
            try await repository.answer(challenge, with: answer, in: nil)
        }
        // What another operation notes during the request is newer, and stays.
        var earlier = file.notes
        await file.update { [credential] notes throws(AuthError) in
            earlier = earlier ?? notes
            try PendingProfiles.forget(credential, in: &notes)
            // For any user and any step: signing in at a provider renews the access that was revoked there.
            notes.removeUnfinished(of: earlier ?? notes)
        }
        try await repository.establish(session, in: manager, by: operation)
        await LastSignIns(manager: manager).note(method, of: session.user.id, in: file)
        return (session, credential)
    }
}

extension AuthProvider {
    /// The method by which a person asks for it; without a kind where it chooses among several.
    func method(of request: AuthRequest) -> SignInMethod {
        let (kinds, named) = (methodKinds.filter { !$0.isQuiet }, request.methodKind)
        return SignInMethod(id, using: named?.isQuiet == false ? named : kinds.count == 1 ? kinds.first : nil)
    }
}

extension AuthRepository {
    /// Makes a sign-in's session the present one, or signs it out at the server if it came too late.
    func establish(
        _ session: AuthSession, in manager: SessionManager, by operation: SignInOperation
    ) async throws(AuthError) {
        do throws(AuthError) { try await manager.commit(session, by: operation) } catch {
            // Not awaited: a superseded caller gets its error at once.
            if error.code == .superseded { _ = revocation(ofUnused: session, of: manager) }
            throw error
        }
    }
}

extension AuthRequest {
    /// The same request for an operation of a use case, which hears of steps and warnings first.
    ///
    /// - Parameters:
    ///   - steps: Notes the step of the operation.
    ///   - prepare: Asks the repository.
    func serving<Subject>(
        _ operation: Operation<Subject>, of manager: SessionManager,
        reaching steps: @escaping @Sendable (AuthState.SignInStep) -> Void,
        preparing prepare: @escaping @Sendable (Preparation) async throws -> AuthJSON
    ) -> AuthRequest {
        var request = self
        request.onStep = { [onStep] step in
            steps(step)
            onStep(step)
        }
        request.onWarning = { [onWarning] error in
            manager.warn(of: error, in: operation)
            onWarning(error)
        }
        request.prepare = prepare
        request.prompter = manager.prompter(in: operation, reaching: steps)
        request.keepProfile = { _ = await PendingProfiles(manager: manager).attach(to: $0) }
        return request
    }
}

extension AuthRequest {
    /// Lets the provider store its attempt, so that a later process can resume it.
    mutating func keepAttempts(for intent: PendingAttempts.Intent, in manager: SessionManager) {
        keepAttempt = { await PendingAttempts(manager: manager).keep($0, for: intent) }
        keepLink = { await PendingAttempts(manager: manager).keep(linkTo: $0, for: intent) }
    }
}

extension AuthState {
    /// Whether it ends a quiet question.
    ///
    /// - Parameter user: Who was signed in when it began.
    fileprivate func supersedesQuestion(to user: AuthUser.ID?) -> Bool {
        switch self {
        case .signingIn, .restoring(.waitingForPerson): true
        case .restoring, .signedOut, .signedIn: ![nil, user].contains(self.user?.id)
        }
    }
}

extension AuthError {
    static func withoutRoute(_ provider: ProviderID) -> Self {
        AuthError(
            .unsupportedProvider,
            "The repository has no route for \(provider). Configure one, or leave the provider out of the app.",
            provider: provider)
    }
}

extension Credential {
    /// Waits for the next credential of the same attempt, after the server has refused this one, or a password could not be checked.
    ///
    /// - Throws: The error, if there is none, or none is waited for.
    func replacement(after error: AuthError) async throws(AuthError) -> Credential {
        let error = password != nil ? error.withoutHint : error
        guard error.refusesCredential || password != nil && error.mayBeAnsweredAgain else { throw error }
        return try await AuthError.wrapping { try await replacement.next(error) }
    }

    /// Runs the request of a sign-in with it, and repeats it as long as ``Backoff`` allows.
    ///
    /// - Throws: The last error, or the first where the server refuses a credential that it was sent before.
    func retrying(on clock: AuthClock, _ request: () async throws -> AuthSession) async throws(AuthError) -> AuthSession
    {
        var (backoff, first) = (Backoff(of: .signIn(isRepeatable: hasTokensAlone)), AuthError?.none)
        while true {
            do throws(AuthError) { return try await AuthError.wrapping(request) } catch {
                if error.refusesCredential, let first { throw first }
                first = first ?? error
                // Each try of a password counts at the server, and is the person's own.
                guard password == nil, let pause = backoff.failed(error, spreadBy: idToken ?? accessToken) else {
                    throw error
                }
                do { try await clock.sleep(for: pause) } catch { throw .cancelled }
            }
        }
    }

    /// Whether none of its parts is single-use.
    fileprivate var hasTokensAlone: Bool {
        let codes = [authorizationCode?.code, serverAuthCode, pendingToken]
        return codes.allSatisfy { $0 == nil } && [idToken, accessToken].contains { $0?.present != nil }
    }
}

/// The use case 'sign in anonymously': a user without an identity, who can be given one later by linking.
struct SignInAnonymously: Sendable {
    let refreshing: RefreshSession

    /// Signs in when iterated, unless an anonymous user is signed in. ``AuthService`` says how it fails.
    func callAsFunction() -> AuthStream<AuthSession> {
        let (repository, manager) = (refreshing.repository, refreshing.manager)
        let begin: SessionManager.SignInBeginning = {
            $0.signInBegan(with: .anonymous, at: .establishingSession, $1.uptime)
        }
        let signIn = manager.signIn(begin) { operation in
            AuthStream { () async throws(AuthError) in
                let session = try await manager.answering(in: operation, reaching: manager.steps(of: operation)) {
                    try await repository.signInAnonymously()
                } answer: {
                    try await repository.answer($0, with: $1, in: nil)
                }
                var file = NotesFile(manager)
                await file.update { notes throws(AuthError) in notes.removeUnfinished(of: notes) }
                try await repository.establish(session, in: manager, by: operation)
                return session
            }
        }
        return AuthStream { () async throws(AuthError) in
            if var session = try await refreshing.currentSession(), session.user.isAnonymous {
                session.isNewUser = false
                return session
            }
            return try await signIn.body().get()
        }
    }
}

extension SessionStoreKey {
    /// An empty record that is there for a moment, to try the store.
    static let trial = Self(rawValue: "trial")
}

extension SessionManager {
    /// Notes the steps of a sign-in.
    func steps(of operation: SignInOperation) -> @Sendable (AuthState.SignInStep) -> Void {
        { step in self.transition { $0.reached(step, in: operation, at: $1.uptime) } }
    }

    /// Begins a sign-in; `nil` if it may not.
    typealias SignInBeginning = @Sendable (inout SessionStateMachine, Timestamp) -> SignInOperation?

    /// Makes a stream that runs a chain as the present sign-in, if that may begin.
    ///
    /// Beginning supersedes the sign-in under way: its chain is cancelled through its own child task and ends with `superseded`.
    /// A session that is established before that stays, and is reported.
    ///
    /// - Parameters:
    ///   - begin: Begins it. `nil` ends the stream with ``AuthError/attemptAbandoned``.
    ///   - chain: Makes the chain of this sign-in, which ends with the session that it established.
    func signIn<Established>(
        _ begin: @escaping SignInBeginning, _ chain: @escaping @Sendable (SignInOperation) -> AuthStream<Established>
    ) -> AuthStream<Established> {
        AuthStream(body: {
            guard let operation = self.transition(begin) else { return .failure(.attemptAbandoned) }
            defer { self.currentPrompt.hide(of: operation.id) }
            // The chain begins also when the cancel is there already: what comes with a credential may have to be kept.
            return await chain(operation)
                .interrupted { await operation.interruption.value() }
                .body()
                .mapError { error in self.transition { $0.signInFailed(operation, error, at: $1.uptime) } }
        })
    }

    /// Writes and removes a record before the person is asked, so that a store that cannot be used is reported before they go
    /// through a page for a session that ends with the process.
    func tryStore(for operation: SignInOperation) async {
        do throws(AuthError) {
            // Other bytes than those that a process left which ended in between, or nothing would be written. As many as the record
            // of a session has, so that a full disk is noticed.
            let word = withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Data($0) }
            let bytes = (0..<9).reduce(word) { bytes, _ in bytes + bytes }
            for content in [bytes, nil] { try await store.update(.trial) { $0 = content } }
        } catch {
            guard error.code != .cancelled else { return }
            let kind: AuthEvent.Kind = error.code == .storageLocked ? .storageLocked : .storageFailed
            emit(operation.event(kind, at: clock.uptime, step: .presenting, failure: error))
        }
    }

    /// Reports an error that did not end a sign-in or a change.
    func warn<Subject>(of error: AuthError, in operation: Operation<Subject>) {
        emit(operation.event(.providerWarning, at: clock.uptime, step: error.step, failure: error))
    }
}
