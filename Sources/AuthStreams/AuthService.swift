public import Foundation

/// Sign-in for an app: who is signed in, the ways to sign in, and the way out.
///
/// ```swift
/// for await state in auth.states { show(state) }                    // every screen may have its own loop
/// for await result in auth.signIn(with: .kakao) { handle(result) }  // Result<SignInResult, AuthError>, exactly one
/// let user = try await auth.signIn(with: .kakao).value.user         // the same, as throws(AuthError)
/// ```
///
/// It is only the chain `provider → use case → repository` kept in one place; each part is public and chains by hand.
/// Make one and keep it. Releasing it ends ``states`` and ``events``, which don't keep it alive; an attempt under way does, until
/// it has ended.
public final class AuthService: Sendable {
    let registry: ProviderRegistry
    let repository: any AuthRepository
    let keeper: SessionKeeper
    private let callbacks: CallbackRouter
    private let signInUseCase: SignIn
    private let signOutUseCase: SignOut
    private let adoptUseCase: AdoptSession
    @usableFromInline let refreshing: RefreshSession
    let client: AuthorizedClient?
    /// What goes on by itself: restoring, refreshing ahead, following other processes.
    private let work: [Task<Void, Never>]

    /// Makes the service and begins to read the store.
    ///
    /// - Parameters:
    ///   - repository: What stands for your server.
    ///   - providers: The ways to sign in, in the order in which you show them. One provider may be there several times,
    ///     by different ``AuthProvider/means``.
    ///   - store: Where the session outlives the process.
    ///   - callbacks: The router that ``handle(_:)`` gives URLs to. It must be the one that the providers were given.
    ///   - clock: Time.
    ///   - leftBehind: The session that another SDK left, such as that of an earlier version of the app. Until the server has
    ///     answered, the state is `restoring(.adopting)`, or signed in where it is known whose it is: nobody is signed out
    ///     by the change.
    ///   - sinks: Where events go, from the first one on.
    ///   - api: The servers that ``data(for:)-(HTTPRequest)`` may send the access token to; none unless given.
    public init(
        repository: any AuthRepository, providers: [any AuthProvider], store: any SessionStore,
        callbacks: CallbackRouter, clock: AuthClock = .system,
        leftBehind: LeftBehind? = nil, sinks: [AuthEventSink] = [], api: APIAccess? = nil
    ) {
        let keeper = SessionKeeper(store: store, clock: clock, leftBehind: leftBehind)
        for sink in sinks { sink.follow(keeper.events) }
        registry = ProviderRegistry(providers)
        self.repository = repository
        self.keeper = keeper
        self.callbacks = callbacks
        signInUseCase = SignIn(repository: repository, keeper: keeper)
        signOutUseCase = SignOut(repository: repository, keeper: keeper)
        let adopt = AdoptSession(repository: repository, keeper: keeper)
        adoptUseCase = adopt
        let refreshing = RefreshSession(repository: repository, keeper: keeper)
        self.refreshing = refreshing
        client = api.map { AuthorizedClient($0, refreshing: refreshing) }
        // From before the first reading, so that nothing slips in between.
        let changes = store.changes(of: .session)
        // Owned by the service, and cancelled with it; they hold the keeper and the repository only.
        work = [
            OwnTask.start {
                await keeper.restoreAtLast()
                for await _ in adopt() {}
            },
            OwnTask.start { await refreshing.keepAhead() },
            OwnTask.start { await keeper.follow(changes) },
        ]
    }

    deinit {
        // First, so that readers are not told of what the cancelled tasks leave behind.
        keeper.finish()
        for task in work { task.cancel() }
    }

    /// The state now.
    public var state: AuthState { keeper.state }

    /// The state now, and every change from now on.
    public var states: AuthStates { keeper.states }

    /// What happens from now on, for logs and metrics.
    public var events: AuthEvents { keeper.events }

    /// Who is signed in now, if anybody is.
    public var user: AuthUser? { state.user }

    /// The providers that are configured, each once, in the order in which they were given: for drawing buttons.
    public var providers: [ProviderID] { registry.ids }

    /// Every way of every provider that is configured, in the order in which they were given.
    public var methods: [SignInMethod] { registry.methods }

    /// Signs in with a provider when iterated, in a child task of the iterating task, off its actor.
    ///
    /// The request to the server is repeated with the same credential after trouble on the way, where that is safe; see
    /// ``SignIn``. The person is asked once.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``; any other ends with `unsupportedProvider`.
    ///   - means: Which way of the provider; unless given, the request's, else the provider's own choice. One that the
    ///     provider has not ends with `unsupportedProvider`.
    ///   - request: Where to present, and what to ask.
    /// - Returns: A stream of one result. A sign-in supersedes the one under way, which ends with `superseded`. Two
    ///   providers that were given for the same way end it with `misconfigured`.
    public func signIn(
        with id: ProviderID, using means: SignInMeans? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<SignInResult> {
        var request = request
        request.means = means ?? request.means
        do throws(AuthError) {
            let provider = try registry.provider(for: SignInMethod(id, using: request.means))
            return signInUseCase(with: provider, request).map(SignInResult.init).retaining(self)
        } catch {
            return .failure(error)
        }
    }

    /// Signs in with a method, such as one that the server named.
    public func signIn(
        with method: SignInMethod, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<SignInResult> {
        signIn(with: method.provider, using: method.means, request)
    }

    /// Takes over a session that another SDK left behind, when iterated.
    ///
    /// For what is known at launch prefer `leftBehind` of the initializer, which comes before the first state. See
    /// ``AdoptSession`` for the errors and for what happens while the server cannot be reached.
    ///
    /// - Parameters:
    ///   - refreshToken: The other SDK's refresh token. It is stored before it is sent.
    ///   - user: Whose it is, where known: they are signed in at once.
    /// - Returns: A stream of one result: the user, who is signed in now, or who was signed in here already.
    public func adopt(refreshToken: Secret, of user: AuthUser? = nil) -> AuthStream<AuthUser> {
        adoptUseCase(AdoptableSession(refreshToken: refreshToken, user: user)).retaining(self)
    }

    /// Ends the session: here at once, then at the server as far as it can be reached.
    ///
    /// A task that is cancelled already signs out all the same.
    ///
    /// - Parameter everywhere: Whether to end the user's sessions on all other devices, too. Then that the server could not
    ///   be told, or cannot do it, is an error: this device is signed out, the others may not be.
    /// - Throws: `storage` or `storageLocked` when the store could not be cleared; with `everywhere` also `userNotFound` when
    ///   nobody was signed in, and why the server could not be told; see ``SignOut``.
    public func signOut(everywhere: Bool = false) async throws(AuthError) {
        try await (everywhere ? signOutUseCase.everywhere() : signOutUseCase()).body().get()
    }

    /// An access token that is good, for a request to your server. Refreshed first if it is over or about to be.
    ///
    /// However many ask at once, one request is sent. Ask for each request anew instead of keeping it.
    ///
    /// - Parameter forceRefresh: Whether to get a new one in any case, such as after a change of the user's claims.
    /// - Throws: ``AuthError``; see ``RefreshSession/accessToken(forceRefresh:)``.
    @inlinable
    public func accessToken(forceRefresh: Bool = false) async throws(AuthError) -> Secret {
        try await refreshing.accessToken(forceRefresh: forceRefresh)
    }

    /// Runs a request with an access token, and once more with a new one if the server refused the first.
    ///
    /// ```swift
    /// let feed = try await auth.withAccessToken { token in
    ///     let response = try await api.feed(bearer: token)
    ///     if response.status == 401 { throw AccessTokenRefused() }
    ///     return response
    /// }
    /// ```
    ///
    /// - Parameter body: Throws ``AccessTokenRefused`` when the server did not take the token (401).
    /// - Throws: What the body throws, ``AccessTokenRefused`` if the second token was refused too, or why there is no token:
    ///   `superseded` when somebody else is signed in by then, since their token is not for this request.
    public func withAccessToken<Value>(_ body: (Secret) async throws -> Value) async throws -> Value {
        let session = try await refreshing.session()
        do { return try await body(session.accessToken) } catch is AccessTokenRefused {
            let next = try await refreshing.session(of: session.user.id, replacing: session.accessToken)
            return try await body(next.accessToken)
        }
    }

    /// Takes a URL that the app was opened with.
    ///
    /// - Returns: Whether a sign-in was waiting for it. If not, the URL is the app's own to handle.
    @discardableResult
    public func handle(_ url: URL) -> Bool {
        let isOurs = callbacks.handle(url)
        if !isOurs { keeper.publish(AuthEvent(.callbackIgnored)) }
        return isOurs
    }
}

/// A server refused an access token, with 401 or its own word for it; see ``AuthService/withAccessToken(_:)``.
public struct AccessTokenRefused: Error {
    /// Says so.
    public init() {}
}
