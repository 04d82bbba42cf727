import AuthStreams
import AuthStreamsOAuth
import Foundation

/// One run of the program: a command, and the service that carries it out.
struct Program: Sendable {
    /// What a command found: for a person, and for a program.
    typealias Report = (text: String, members: [String: AuthJSON])
    var arguments: Arguments
    let output: Output
    private var store: FileSessionStore {
        let folder = arguments["--store"].map { FileSessionStore(folder: URL(filePath: $0)) }
        var store = folder ?? .standard(application: "authstreams-signin")
        // To end the watch of other processes takes the system longer than to read the state once.
        store.reportsChanges = arguments.command != .status
        return store
    }
    consuming func run() async throws(AuthError) -> Report {
        let isLogin = arguments.command == .login
        let isAlone = [.login, .logout].contains(arguments.command)
        let lock = isAlone ? try await store.lock(SessionStoreKey(rawValue: "login"), waitingAtMost: .seconds(1)) : nil
        defer { lock?.release() }
        let last = try await Arguments.lastLogin(in: store)
        guard isLogin || last != nil else { throw Self.notSignedIn() }
        var earlier = arguments
        earlier.options = last ?? [:]
        if !["--provider", "--issuer", "--client-id"].contains(where: arguments.has) {
            arguments.options.merge(earlier.options) { given, _ in given }
        }
        if isLogin { try arguments.validateLogin() }
        let asks = isLogin || earlier.owner != arguments.owner
        let isFree = try await asks ? store.read(.session).data == nil || last == nil : false
        // A service of another client would drop the session before the person has agreed to anything.
        if !isFree, earlier.owner != arguments.owner {
            throw AuthError(.misconfigured, "The session is of another client. Log out, or give another --store.")
        }
        // A session is of use only with its options, so these are there first.
        if isLogin, isFree { try await Arguments.remember(arguments.options, in: store) }
        let url = arguments.command == .userinfo ? try await arguments.userInfoURL() : arguments.url
        let (result, readers): (Result<Report, AuthError>, [Task<Void, Never>])
        do {
            let auth = try service(api: url.map { APIAccess(to: [$0]) })
            readers = [
                Task { [states = auth.states, output] in for await state in states { output.show(state) } },
                Task { [events = auth.events, output] in for await event in events { output.show(event) } },
            ]
            do { result = .success(try await report(of: auth, url)) } catch { result = .failure(error) }
            if await !finish(auth) { for reader in readers { reader.cancel() } }
        }
        // The service is released, which ends its states and events.
        for reader in readers { await reader.value }
        return try result.get()
    }
    private func report(of auth: AuthService, _ url: URL?) async throws(AuthError) -> Report {
        // A store that cannot be read is left as it is.
        var user = try await auth.restoredUser()
        if arguments.command == .login { user = try await login(auth) }
        guard let user else {
            if arguments.command == .logout { try await Arguments.remember(nil, in: store) }
            throw Self.notSignedIn(auth.state)
        }
        switch arguments.command {
        case .login: return ("Signed in as \(user.name).", ["user": user.json])
        case .status:
            let (issuer, left) = (arguments.issuer, expiresIn(auth))
            let scopes = auth.session?.scopes.map { AuthJSON.array($0.map { .string($0) }) } ?? .null
            let members = ["user": user.json, "issuer": .string(issuer), "scopes": scopes, "expiresIn": left]
            return ("\(user.name) is signed in at \(issuer).", members)
        case .token:
            let token = try await auth.accessToken(forceRefresh: arguments.has("--force-refresh")).reveal()
            let left = expiresIn(auth)
            if arguments.has("--show-token") { return (token, ["token": .string(token), "expiresIn": left]) }
            let end = left.lenientInteger.map { "for \($0) s" } ?? "without a known end"
            return ("There is an access token, \(end).", ["expiresIn": left])
        case .userinfo, .call:
            guard let url else { throw AuthError(.unsupportedProvider, "The issuer has no user information.") }
            let response = try await auth.data(for: AuthHTTPRequest(.get, url))
            let json = try? JSONDecoder().decode(AuthJSON.self, from: response.body)
            let body = json ?? .string(String(decoding: response.body, as: UTF8.self))
            guard response.isSuccess else { throw AuthError(.refused, "The server's status is \(response.status).") }
            // OpenID Connect Core section 5.3.2. GitHub's are not of OpenID Connect.
            let owner = body["sub"]?.string ?? body["id"]?.lenientInteger.map { "\($0)" }
            let isCall = arguments.command == .call
            let isOwn = isCall || owner == user.id
            guard isOwn else { throw AuthError(.invalidResponse, "The claims do not say that they are this user's.") }
            return (body.string ?? Output.text(body, .prettyPrinted), [isCall ? "body" : "claims": body])
        case .watch:
            for await state in auth.states {
                output.line("\(state)")
                if case .signedOut = state { throw Self.notSignedIn(state) }
            }
            throw AuthError(.cancelled, "The watch was ended.")
        case .logout:
            try await auth.signOut(everywhere: arguments.has("--everywhere"))
            try await Arguments.remember(nil, in: store)
            if arguments.has("--end-session") { try await auth.endIssuerSession(redirect: arguments.redirect).value }
            return ("\(user.name) is signed out.", ["user": user.json])
        }
    }
    private static func notSignedIn(_ state: AuthState? = nil) -> AuthError {
        guard case .signedOut(let reason?) = state else { return AuthError(.notSignedIn, "No user is signed in.") }
        return AuthError(.sessionExpired, "The session is over: \(reason.rawValue). Run 'signin login'.")
    }
    private func expiresIn(_ auth: AuthService) -> AuthJSON {
        auth.session?.expiresAt.map { .integer(max(0, Int64($0.timeIntervalSinceNow))) } ?? .null
    }
    private func login(_ auth: AuthService) async throws(AuthError) -> AuthUser {
        let presenter = Task { [prompts = auth.prompts, output, limit = arguments.timeout] in
            for await prompt in prompts.presenting() { _ = prompt?.userCode.map { output.show($0, for: limit) } }
        }
        defer { presenter.cancel() }
        let user = try await auth.signIn(with: arguments.id, arguments.request).value.user
        guard await finish(auth) else { throw AuthError(.storage, "The session of \(user.name) could not be stored.") }
        try await Arguments.remember(arguments.options, in: store)
        return user
    }
    /// Waits half a minute for what is under way; after the command was cancelled, a second.
    private func finish(_ auth: AuthService) async -> Bool {
        for _ in 1..<30 where !Task.isCancelled { if await auth.finish(within: .seconds(1)) { return true } }
        return await auth.finish(within: .seconds(1))
    }
    private func service(api: APIAccess?) throws(AuthError) -> AuthService {
        // The page gives up a moment before the program, because it can say what did not happen.
        let limit = arguments.timeout.map { $0 * 9 / 10 } ?? .seconds(600)
        var browser: SystemBrowserLauncher? = arguments.has("--no-browser") ? nil : SystemBrowserLauncher()
        if let command = arguments["--browser"] { browser = try SystemBrowserLauncher(command: command) }
        var platform = AuthPlatform.commandLine(
            store: store, opener: TerminalOpener(browser: browser, output: output, limit: limit),
            address: arguments.address ?? .ipv4, port: arguments.port, timeLimit: limit)
        if arguments.command == .watch { platform.refreshPolicy = .aheadOfExpiry }
        let client = try arguments.client()
        guard client.id == "github" else {
            return AuthService(
                .openID(client, refreshTokenRule: client.id == "google" ? .reusable : .singleUse),
                providers: [.openID(client), .deviceCode(client)], platform: platform, api: api)
        }
        let device = AuthProviderFactory.deviceCode(
            client.id, metadata: GitHubRepository.server, clientID: client.clientID, scopes: client.scopes)
        let repository = GitHubRepository(transport: platform.transport)
        return AuthService(.repository(repository), providers: [device], platform: platform, api: api)
    }
}

extension AuthUser {
    fileprivate var name: String { email ?? displayName ?? id }
    fileprivate var json: AuthJSON { ["id": .string(id), "email": email.map { .string($0) } ?? .null] }
}
