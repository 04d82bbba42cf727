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

    /// What a credential is sent for.
    enum Purpose {
        case signIn
        /// The server makes an account.
        case signUp

        fileprivate var operation: AuthOperation {
            switch self {
            case .signIn: .signIn
            case .signUp: .signUp
            }
        }
    }

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
    func result(of credential: Credential, for purpose: Purpose = .signIn) -> AuthStream<SignInResult> {
        established(by: credential, for: purpose).map { SignInResult($0.session, of: $0.credential) }
    }

    private func established(
        by credential: Credential, of method: SignInMethod? = nil, for purpose: Purpose = .signIn
    ) -> AuthStream<Established> {
        let id = credential.provider
        let method = method ?? SignInMethod(id)
        let begin: SessionManager.SignInBeginning = { $0.signInBegan(with: id, at: .establishingSession, $1.uptime) }
        return manager.signIn(begin) { operation in
            AuthStream {
                try await AuthError.during(purpose.operation) { () throws(AuthError) in
                    try await establishSession(with: credential, by: operation, of: method, for: purpose)
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
        with credential: Credential, by operation: SignInOperation, of method: SignInMethod,
        for purpose: Purpose = .signIn
    ) async throws(AuthError) -> Established {
        let (profiles, steps) = (PendingProfiles(manager: manager), manager.steps(of: operation))
        var sent = credential
        var file = NotesFile(manager)
        let session = try await manager.answering(in: operation, reaching: steps) {
            try await credential.sending { credential throws(AuthError) in
                steps(.establishingSession)
                sent = await profiles.attach(to: credential, in: &file)
                return try await sent.retrying(on: manager.clock) { [sent] in
                    switch purpose {
                    case .signIn: try await repository.signIn(with: sent)
                    case .signUp: try await repository.signUp(with: sent)
                    }
                }
            }
        } answer: { challenge, answer in
            try await repository.answer(challenge, with: answer, in: nil)
        }
        // What another operation notes during the request is newer, and stays.
        var earlier = file.notes
        await file.update { [sent] notes throws(AuthError) in
            earlier = earlier ?? notes
            try PendingProfiles.forget(sent, in: &notes)
            // For any user and any step: signing in at a provider renews the access that was revoked there.
            notes.removeUnfinished(of: earlier ?? notes)
        }
        try await repository.establish(session, in: manager, by: operation)
        await LastSignIns(manager: manager).note(method, of: session.user.id, in: file)
        return (session, sent)
    }
}

extension AuthProvider {
    /// The method by which a person asks for it; without a kind where it chooses among several.
    func method(of request: AuthRequest) -> SignInMethod {
        let (kinds, named) = (methodKinds.filter { !$0.isQuiet }, request.methodKind)
        return SignInMethod(id, using: named?.isQuiet == false ? named : kinds.count == 1 ? kinds.first : nil)
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
