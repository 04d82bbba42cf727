public import Foundation

/// Sign-in for an app: the state, the ways to sign in, and the sign-out.
///
/// ```swift
/// for await state in auth.states { show(state) }             // every screen may have its own loop
/// let user = try await auth.signIn(with: .kakao).value.user  // throws(AuthError); the stream of one Result has more
/// ```
///
/// It is the chain `provider → use case → repository` kept in one place; the parts of a sign-in are public and chain by hand.
/// Make one and keep it. Releasing it ends ``states`` and ``events``, which don't keep it alive. An attempt under way keeps it
/// alive until the attempt has ended.
public final class AuthService: Sendable {
    let registry: ProviderRegistry
    /// The connection to your server, whether you or a factory made it. Cast it to its type for what it offers beyond the
    /// service.
    ///
    /// Its own sign-in, refresh and sign-out bypass the service, whose state does not follow them.
    public let repository: any AuthRepository
    package let manager: SessionManager
    private let callbacks: CallbackRouter
    private let pages: PromptPages?
    let signInUseCase: AuthSignIn
    private let signOutUseCase: AuthSignOut
    private let adoptUseCase: AdoptSession
    @usableFromInline let refreshing: RefreshSession
    let client: AuthorizedClient?
    /// What runs without a caller; `nil` for a preview.
    let background: BackgroundWork?

    /// Makes the service of its parts and begins to read the store.
    ///
    /// ``init(_:providers:platform:adoption:gate:sinks:api:)`` takes what the parts share from a platform.
    ///
    /// - Parameters:
    ///   - repository: The connection to your server.
    ///   - providers: The ways to sign in, in the order in which you show them. One provider may be there several
    ///     times, with different ``AuthProvider/methodKinds``.
    ///   - store: The persistent storage of the session.
    ///   - callbacks: The router that ``handle(_:)`` gives URLs to. It must be the one that the providers were given: the
    ///     attempts of a provider with another one end with `misconfigured`.
    ///   - clock: Measures expiries, retries and time limits; the system's unless given.
    ///   - refreshPolicy: When new tokens are requested; ahead of expiry unless given. A process that may end at any moment
    ///     gives `onDemand`.
    ///   - userAgent: Shows the pages that a server wants to be shown beside the providers' own; see ``AuthPrompt/page``.
    ///   - adoption: The session of another SDK, such as that of an earlier version of the app. Until the server has
    ///     answered, the state is `restoring(.adopting)`. If the user was given with the session, they are signed in before that,
    ///     once they have passed the gate.
    ///   - gate: What must pass before a restored session is used; nothing unless given.
    ///   - activity: Where the app is, for the gate: always in front unless given.
    ///   - sinks: Receive all events.
    ///   - api: The servers that ``data(for:)`` may send the access token to; none unless given.
    public convenience init(
        repository: any AuthRepository, providers: [any AuthProvider], store: any SessionStore,
        callbacks: CallbackRouter, clock: AuthClock = .system, refreshPolicy: RefreshPolicy = .aheadOfExpiry,
        userAgent: (any UserAgent)? = nil, adoption: SessionAdoption? = nil, gate: SessionGate? = nil,
        activity: AppActivity = .always, sinks: [AuthEventSink] = [], api: APIAccess? = nil
    ) {
        let registry = ProviderRegistry(providers, callbacks: callbacks)
        let pages = userAgent.map { PromptPages($0) }
        let manager = SessionManager(
            store: store, clock: clock, adoption: adoption, offering: registry.offeredMethod,
            owning: { repository.owns($0) }, showing: pages, refreshPolicy: refreshPolicy, gate: gate,
            activity: activity)
        for sink in sinks { sink.follow(manager.events) }
        self.init(
            registry, repository: repository, manager: manager, callbacks: callbacks, pages: pages, api: api,
            background: BackgroundWork(of: registry, repository: repository, manager: manager))
    }

    /// Makes a service of what it is composed of.
    init(
        _ registry: ProviderRegistry, repository: any AuthRepository, manager: SessionManager,
        callbacks: CallbackRouter, pages: PromptPages? = nil, api: APIAccess?, background: BackgroundWork?
    ) {
        self.registry = registry
        self.repository = repository
        self.manager = manager
        self.callbacks = callbacks
        self.pages = pages
        self.background = background
        signInUseCase = AuthSignIn(repository: repository, manager: manager)
        signOutUseCase = AuthSignOut(repository: repository, manager: manager)
        adoptUseCase = AdoptSession(repository: repository, manager: manager)
        let refreshing = RefreshSession(repository: repository, manager: manager)
        self.refreshing = refreshing
        client = api.map {
            AuthorizedClient($0, bearers: refreshing) { requirement in
                await registry.stepUp(requirement, of: refreshing)
            }
        }
    }

    deinit {
        // Before the tasks are cancelled, so that readers do not see the effects of that.
        manager.finish()
    }

    /// The state now. SwiftUI does not observe it: a view follows ``states``, or reads `AuthViewModel` of AuthStreamsApple.
    public var state: AuthState { manager.state }

    /// The state now, and every change from now on.
    public var states: AuthStates { manager.states }

    /// The events from now on, for logs and metrics.
    public var events: AuthEvents { manager.events }

    /// The prompt that the person is shown, now and from now on: a code, a second factor, a form. A view that shows prompts reads
    /// ``AuthPrompts/presenting()``.
    public var prompts: AuthPrompts { manager.prompts }

    /// The clock that measures the time limits of prompts.
    package var clock: AuthClock { manager.clock }

    /// The provider that is asked now, and the step that was reached; `nil` when no provider is asked.
    ///
    /// It is that of a sign-in, also while a user is signed in, or of a change of the account. An event follows each change.
    package var progress: (provider: ProviderID, step: AuthState.SignInStep)? { manager.progress }

    /// Whether a provider is being linked to the user who is signed in. An event follows each change.
    package func isLinking(with provider: ProviderID) -> Bool {
        manager.read { $0.operations.isLinking(with: provider) }
    }

    /// The user who is signed in now; `nil` when no user is.
    ///
    /// SwiftUI does not observe it: a view that reads it is not drawn again when it changes. Follow the `users` of ``states``, or use
    /// `AuthGate` or `AuthViewModel` of AuthStreamsApple.
    public var user: AuthUser? { state.user }

    /// The session of the user who is signed in, as it is now, without its access token and refresh token.
    ///
    /// `nil` when no user is signed in, while a session of another SDK is being adopted, and until the gate has passed after the
    /// launch.
    public var session: AuthSessionInfo? {
        manager.read { $0.isUserHidden ? nil : $0.session }.map(AuthSessionInfo.init)
    }

    /// The providers that are configured, each once, in the order in which they were given: for drawing buttons.
    public var providers: [ProviderID] { registry.ids }

    /// Every kind of method of every configured provider that a person can tap, in the order in which they were given.
    public var methods: [SignInMethod] { registry.methods }

    /// Signs in with a provider when iterated, in a child task of the iterating task, off its actor.
    ///
    /// The person is asked once. If the request to the server fails on the way, it is repeated with the same credential
    /// if that is safe; see ``AuthSignIn``. A session that the sign-in replaces is dropped here, and not ended at the server:
    /// sign out first if it must end there.
    ///
    /// - Parameters:
    ///   - id: One of ``providers``; any other ends with `unsupportedProvider`.
    ///   - kind: The kind of method of the provider; unless given, the request's, otherwise the provider's own choice. Kinds
    ///     that the provider does not have end with `unsupportedProvider`.
    ///   - request: Where to present, and what to ask.
    /// - Returns: A stream of one result. A sign-in supersedes the one under way, which ends with `superseded`. It ends with
    ///   `misconfigured` when two of the service's providers have the same identifier and the same kind.
    public func signIn(
        with id: ProviderID, using kind: SignInMethod.Kind? = nil, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<SignInResult> {
        var request = request
        request.methodKind = kind ?? request.methodKind
        do throws(AuthError) {
            let provider = try registry.provider(for: SignInMethod(id, using: request.methodKind))
            return signInUseCase.result(with: provider, request).retaining(self, during: .signIn)
        } catch {
            return .failure(error.during(.signIn))
        }
    }

    /// Signs in with a method, such as one that the server named.
    public func signIn(
        with method: SignInMethod, _ request: AuthRequest = AuthRequest()
    ) -> AuthStream<SignInResult> {
        signIn(with: method.provider, using: method.kind, request)
    }

    /// Adopts a session of another SDK, when iterated.
    ///
    /// For a session that exists at launch prefer `adoption` of the initializer, which is called before the first
    /// state.
    ///
    /// The refresh token is stored first. Then the session is refreshed for the first time, by ``AuthRepository/adopt(_:)``. If a
    /// user is signed in, the stream ends with that user: a session of theirs that is being adopted is waited for, and otherwise
    /// nothing is sent.
    ///
    /// While the store fails, the server cannot be reached or its response is not understood, the request is retried as every
    /// refresh is; while the user is not known, after a minute at most, unless the server asks for more. Cancelling ends the waiting
    /// alone: the session stays stored, and is still asked for. A newer sign-in or adoption supersedes it. Under
    /// ``RefreshPolicy/onDemand`` the request is not retried: the stream ends with the error, and the next caller that needs the
    /// session sends it again.
    ///
    /// The stream's errors: `invalidCredential`, before anything is sent, for a malformed token; `userNotFound`, `userDisabled` or
    /// `sessionExpired`: it is over, or another user's than the one that was named; `storage` or `storageLocked` when the store
    /// cannot be read; or an error that a retry does not fix, after which the session is still stored.
    ///
    /// - Parameters:
    ///   - refreshToken: The other SDK's refresh token. It is stored before it is sent.
    ///   - user: The session's user, if known: they are then signed in once the session is stored, and shown once the gate is open.
    /// - Returns: A stream of one result: the user, who is signed in now or was signed in before.
    public func adopt(refreshToken: Secret, of user: AuthUser? = nil) -> AuthStream<AuthUser> {
        adoptUseCase(AdoptableSession(refreshToken: refreshToken, user: user)).retaining(self, during: .adoption)
    }

    /// Ends the session: on this device, then at the server if it can be reached. Before the store was read, the session that it
    /// holds ends, too.
    ///
    /// A task that is already cancelled still signs out.
    ///
    /// - Parameter everywhere: Whether to end the user's sessions on all other devices, too. If the server cannot be reached or
    ///   does not offer it, the call throws: this device is signed out, the others may not be.
    /// - Throws: `storage` or `storageLocked` if the store could not be cleared; the write is retried automatically,
    ///   but a restart before it succeeds restores the session. With `everywhere` also `notSignedIn` if no user was
    ///   signed in, `superseded` if a sign-in took place meanwhile, which stays, `unsupportedProvider` if the
    ///   repository does not support it, and the error if the server could not be told; see ``AuthSignOut``.
    public func signOut(everywhere: Bool = false) async throws(AuthError) {
        let stream = everywhere ? signOutUseCase.everywhere() : signOutUseCase()
        try await stream.body().mapError { $0.during(everywhere ? .signOutEverywhere : .signOut) }.get()
    }

    /// Returns the user who is signed in, as soon as the store was read and the gate has passed. No request is sent.
    ///
    /// It tells an empty store from one that cannot be read, which ``user`` and ``states`` do not. For programs that ask once and
    /// exit; an app follows ``states``.
    ///
    /// - Returns: The user; `nil` when no user is signed in, or while a session of another SDK is being adopted whose user is not
    ///   known.
    /// - Throws: ``AuthError``; `storage` if the store cannot be read, or was written by a newer version of the library; it is
    ///   read again automatically. `cancelled`; while the store is locked, it waits. Why the gate refused.
    public func restoredUser() async throws(AuthError) -> AuthUser? {
        try await manager.waitUntilRead()
        if case .restoring(.waitingForPerson) = state { try await manager.passGate() }
        return user
    }

    /// Returns a valid access token for a request to your server. It is refreshed first if it has expired or is about to.
    ///
    /// Concurrent callers share one refresh. Ask for a token for each request instead of keeping one.
    ///
    /// - Parameter forceRefresh: Whether to get a new token in any case, such as after a change of the user's claims.
    /// - Throws: ``AuthError``; see ``RefreshSession/accessToken(forceRefresh:)``.
    @inlinable
    public func accessToken(forceRefresh: Bool = false) async throws(AuthError) -> Secret {
        do throws(AuthError) { return try await refreshing.accessToken(forceRefresh: forceRefresh) } catch {
            throw error.during(.request)
        }
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
    /// - Throws: The body's error, ``AccessTokenRefused`` if the second token was refused too, or an ``AuthError`` if
    ///   there is no token: `superseded` if another user is signed in by then, whose token must not be sent with this
    ///   request; `misconfigured` for a token that is bound to a key, which ``data(for:)`` proves with each request.
    public func withAccessToken<Value>(_ body: (Secret) async throws -> Value) async throws -> Value {
        let session = try await bearer()
        do { return try await body(session.accessToken) } catch is AccessTokenRefused {
            return try await body(bearer(of: session.user.id, replacing: session.accessToken).accessToken)
        }
    }

    private func bearer(
        of user: AuthUser.ID? = nil, replacing refused: Secret? = nil
    ) async throws(AuthError) -> AuthSession {
        try await AuthError.during(.request) { () throws(AuthError) in
            let session = try await refreshing.session(of: user, replacing: refused)
            guard session.keyThumbprint == nil else { throw .unprovenToken }
            return session
        }
    }

    /// Passes a URL that the app was opened with to the attempt that waits for it.
    ///
    /// Call it with every such URL, in SwiftUI's `onOpenURL`, or the scene delegate's `scene(_:openURLContexts:)`,
    /// `scene(_:continue:)` and `scene(_:willConnectTo:options:)`.
    ///
    /// If the system ended the app while the person was at a provider's page, the URL launches the app again. The attempt is
    /// resumed as soon as it is known who is signed in, if that is still as it was when the attempt began: the same user, or no
    /// user. The result is seen in ``states`` and ``events``. An attempt that cannot be resumed is reported by an event
    /// ``AuthEvent/Kind/attemptAbandoned``, and a URL without an attempt by ``AuthEvent/Kind/callbackIgnored``.
    ///
    /// - Returns: Whether an attempt waits for the URL, or it has the form of a provider's answer. If `false`, the URL is the
    ///   app's own to handle.
    @discardableResult
    public func handle(_ url: URL) -> Bool {
        if callbacks.handle(url) { return true }
        guard registry.isCallback(url) else {
            manager.emit(AuthEvent(.callbackIgnored))
            return false
        }
        background?.resume(with: url)
        return true
    }
}

extension AuthService {
    /// Makes the service of a server, its providers and a platform, and begins to read the platform's store.
    ///
    /// ```swift
    /// let auth = AuthService(
    ///     .server(URL(string: "https://api.example.com")!),
    ///     providers: [.google(clientID: "…"), .kakao(nativeAppKey: "…")],
    ///     platform: .app, api: ["https://api.example.com"])
    /// ```
    ///
    /// An existing repository or provider is `.repository(…)` and `.provider(…)`.
    ///
    /// - Parameters:
    ///   - repository: The connection to your server.
    ///   - providers: The ways to sign in, in the order in which you show them. One provider may be there several times, with
    ///     different ``AuthProvider/methodKinds``.
    ///   - platform: What they share. Use it for one service: two would share its store and its router.
    ///   - adoption: The session of another SDK, such as that of an earlier version of the app.
    ///   - gate: What must pass before a restored session is used; nothing unless given.
    ///   - sinks: Receive all events.
    ///   - api: The servers that ``data(for:)`` may send the access token to, over the platform's transport unless it has its
    ///     own; none unless given.
    public convenience init(
        _ repository: AuthRepositoryFactory, providers: [AuthProviderFactory], platform: AuthPlatform,
        adoption: SessionAdoption? = nil, gate: SessionGate? = nil, sinks: [AuthEventSink] = [], api: APIAccess? = nil
    ) {
        let repository = repository.repository(for: platform)
        var platform = platform
        platform.repository = repository
        self.init(
            repository: repository,
            providers: providers.map { $0.provider(for: platform) }, store: platform.store,
            callbacks: platform.callbacks, clock: platform.clock, refreshPolicy: platform.refreshPolicy,
            userAgent: platform.userAgent,
            adoption: adoption, gate: gate, activity: platform.activity, sinks: sinks,
            api: api?.defaulting(to: platform.transport))
    }

    /// The provider and the kind of method of the last sign-in on this device, such as for a badge on its button. People who
    /// return choose the same account instead of making a second one.
    ///
    /// ```swift
    /// if let last = auth.lastSignIn { user = try await auth.signIn(with: last).value.user }
    /// ```
    ///
    /// It is stored beside the session: it survives the sign-out, and is forgotten when the account is deleted or that identity is
    /// unlinked. An identity that an anonymous user links counts as a sign-in. Other links, re-authentication and anonymous
    /// sign-ins do not change it.
    ///
    /// It is `nil` until it was read after the launch, also while storage is locked or fails, and if the service does not have the
    /// provider. The kind is `nil` if the provider has several and the app named none or the attempt was resumed by a later launch,
    /// and if the provider does not have it any more.
    ///
    /// It is no secret and no proof of an identity. The store holds no user's identifier with it.
    public var lastSignIn: SignInMethod? { manager.lastSignIn.broadcast.value ?? nil }

    /// ``lastSignIn`` now and after each change, also by another process; the newest only. Ends when the service is released.
    public var lastSignIns: Broadcast<SignInMethod?>.Latest { manager.lastSignIn.broadcast.latest }
}

/// The error of a body whose access token the server refused; see ``AuthService/withAccessToken(_:)``.
public struct AccessTokenRefused: Error {
    /// Makes the error.
    public init() {}
}
