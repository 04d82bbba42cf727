/// The use case 'sign in': takes a provider's credential through the repository to a session.
///
/// ```swift
/// let signIn = SignIn(repository: repository, keeper: keeper)
/// for await result in kakao.authenticate().flatMap(signIn.callAsFunction) { … }
/// ```
///
/// A sign-in supersedes the one under way, and its result is success only once the session is kept.
///
/// ## What is retried
///
/// The request to the server is repeated with the same credential, so that trouble on the way does not ask the person again:
/// at most twice, about one and two seconds later.
///
/// | the server's answer | a credential of tokens alone | one with a one-time code |
/// | --- | --- | --- |
/// | none, or a failure: `network`, `server` | repeated | not repeated: the code may be used up |
/// | 'too many requests': `rateLimited` | repeated, after at most ten seconds | the same, since the server did not look at it |
/// | anything else | not repeated | not repeated |
///
/// Where the server refuses the repeated credential, the first error is reported: it takes a token once, as Firebase does with a
/// nonce, and the answer to the first request was lost.
public struct SignIn: Sendable {
    private let repository: any AuthRepository
    private let keeper: SessionKeeper

    /// Makes the use case.
    public init(repository: any AuthRepository, keeper: SessionKeeper) {
        self.repository = repository
        self.keeper = keeper
    }

    /// Goes on from a credential to a session.
    ///
    /// The stream's errors: `superseded` when another sign-in or a sign-out came in between, or what the repository says.
    public func callAsFunction(_ credential: Credential) -> AuthStream<Session> {
        keeper.attempt(with: credential.provider, from: .establishingSession) { attempt in
            AuthStream { try await establishSession(with: credential, by: attempt) }
        }
    }

    /// The whole chain: asks the provider for a credential and goes on to a session, as one attempt that shows each step.
    ///
    /// The stream's errors: `unsupportedProvider`, before anything is shown, when the repository has no route for it
    /// or the request names means that the provider has not;
    /// `superseded`; or what the provider and the repository say.
    public func callAsFunction(with provider: any AuthProvider, _ request: AuthRequest = AuthRequest()) -> AuthStream<
        Session
    > {
        let chain = keeper.attempt(with: provider.id, from: .presenting) { attempt in
            var request = request.reporting(
                steps: { keeper.reach($0, in: attempt) }, warnings: { keeper.warn(of: $0, in: attempt) })
            request.keepProfile = { _ = await PendingProfiles(keeper: keeper).attach(to: $0) }
            return provider.authenticate(request)
                .flatMap { try await establishSession(with: $0, by: attempt) }
        }
        // Asked before the attempt begins, because beginning is seen and takes another attempt's place.
        return AuthStream(body: {
            guard repository.accepts(provider.id) else { return .failure(.withoutRoute(provider.id)) }
            do throws(AuthError) { try provider.requireMeans(of: request) } catch { return .failure(error) }
            return await chain.body()
        })
    }

    private func establishSession(
        with credential: Credential, by attempt: SignInAttempt
    ) async throws(AuthError) -> Session {
        keeper.reach(.establishingSession, in: attempt)
        let profiles = PendingProfiles(keeper: keeper)
        let credential = await profiles.attach(to: credential)
        let session = try await SignInRetry(credential, clock: keeper.clock).run {
            try await repository.signIn(with: credential)
        }
        await profiles.forget(credential)
        // Whose deletion it was or what it had come to: signing in at a provider gives back there what was revoked.
        await DeletionJournal(keeper: keeper).clear()
        try await repository.establish(session, in: keeper, by: attempt)
        return session
    }
}

extension AuthRepository {
    /// Makes a session that a sign-in brought the present one, and gives it back if it came too late.
    func establish(
        _ session: Session, in keeper: SessionKeeper, by attempt: SignInAttempt
    ) async throws(AuthError) {
        do throws(AuthError) { try await keeper.establish(session, by: .attempt(attempt)) } catch {
            // Unawaited: who was superseded is told so at once.
            if error.code == .superseded { _ = givingBack(session, in: keeper) }
            throw error
        }
    }

    /// Ends at the server what nobody holds the tokens of, because it came too late, as far as that works.
    func giveBack(_ session: Session, in keeper: SessionKeeper) async {
        await givingBack(session, in: keeper)?.value
    }

    /// The same in a task of its own: what came too late mostly did so because its task was cancelled.
    func givingBack(_ session: Session, in keeper: SessionKeeper) -> Task<Void, Never>? {
        guard keeper.session?.user.id != session.user.id else { return nil }
        return OwnTask.start { try? await signOut(session) }
    }
}

extension AuthRequest {
    /// The same request, whose steps and warnings these closures hear of first.
    func reporting(
        steps: @escaping @Sendable (AuthState.SignInStep) -> Void, warnings: @escaping @Sendable (AuthError) -> Void
    ) -> AuthRequest {
        var request = self
        request.onStep = { [onStep] step in
            steps(step)
            onStep(step)
        }
        request.onWarning = { [onWarning] error in
            warnings(error)
            onWarning(error)
        }
        return request
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
