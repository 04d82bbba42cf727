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
        return folder ?? .standard(application: "authstreams-signin")
    }

    mutating func run() async throws(AuthError) -> Report {
        let isLogin = arguments.command == .login
        // One login at a time.
        let lock = isLogin ? try await store.lock(SessionStoreKey(rawValue: "login"), waitingAtMost: .seconds(1)) : nil
        defer { lock?.release() }
        let last = try await Arguments.lastLogin(in: store)
        guard isLogin || last != nil else { throw Self.nobody() }
        var earlier = arguments
        earlier.options = last ?? [:]
        if !["--provider", "--issuer", "--client-id"].contains(where: arguments.has) {
            arguments.options.merge(earlier.options) { given, _ in given }
        }
        if isLogin { try arguments.validateLogin() }
        // A service of another issuer would drop the session before the person has agreed to anything.
        guard last == nil || earlier.issuer == arguments.issuer else {
            throw AuthError(.misconfigured, "The store is of \(earlier.issuer). Log out, or give another --store.")
        }
        var url = arguments.command == .userinfo ? GitHubRepository.server.userInfoEndpoint : arguments.url
        if arguments.command == .userinfo, arguments.id != "github" {
            let (id, issuer) = (arguments.id, arguments.issuer)
            let client = OAuthClient(id, issuer: issuer, clientID: "", transport: URLSessionTransport())
            url = try await client.metadata().userInfoEndpoint
        }
        let (result, readers): (Result<Report, AuthError>, [Task<Void, Never>])
        do {
            let auth = try service(api: url.map { APIAccess(to: [$0]) })
            readers = [
                Task { [states = auth.states, output] in for await state in states { output.show(state) } },
                Task { [events = auth.events, output] in for await event in events { output.show(event) } },
            ]
            do { result = .success(try await report(of: auth, url)) } catch { result = .failure(error) }
            await auth.finish()
        }
        // The service is released, which ends its states and events.
        for reader in readers { await reader.value }
        return try result.get()
    }

    private func report(of auth: AuthService, _ url: URL?) async throws(AuthError) -> Report {
        guard let user = try await arguments.command == .login ? login(auth) : auth.restoredUser() else {
            if arguments.command == .logout { try await Arguments.remember(nil, in: store) }
            throw Self.nobody(auth.state)
        }
        switch arguments.command {
        case .login: return ("Signed in as \(user.name).", ["user": user.json])
        case .status:
            var members: [String: AuthJSON] = ["user": user.json, "issuer": .string(arguments.issuer)]
            members["scopes"] = auth.session?.scopes.map { .array($0.map { .string($0) }) }
            members["expiresIn"] = expiresIn(auth)
            return ("\(user.name) is signed in at \(arguments.issuer).", members)
        case .token:
            let token = try await auth.accessToken(forceRefresh: arguments.has("--force-refresh")).reveal()
            let members: [String: AuthJSON] = arguments.has("--show-token") ? ["token": .string(token)] : [:]
            let end = expiresIn(auth)?.lenientInteger.map { "for \($0) s" } ?? "without a known end"
            let text = members["token"]?.string ?? "There is an access token, \(end)."
            return (text, members.merging(["expiresIn": expiresIn(auth) ?? .null]) { $1 })
        case .userinfo, .call:
            guard let url else { throw AuthError(.unsupportedProvider, "The issuer has no user information.") }
            let response = try await auth.data(for: AuthHTTPRequest(.get, url))
            let json = try? JSONDecoder().decode(AuthJSON.self, from: response.body)
            let body = json ?? .string(String(decoding: response.body, as: UTF8.self))
            guard response.isSuccess else { throw AuthError(.refused, "The server's status is \(response.status).") }
            // OpenID Connect Core section 5.3.2. GitHub's are not of OpenID Connect.
            let owner = body["sub"]?.string ?? body["id"]?.lenientInteger.map { "\($0)" }
            let isCall = arguments.command == .call
            guard isCall || owner == user.id else { throw AuthError(.invalidResponse, "Another user's claims.") }
            return (body.string ?? Output.text(body, .prettyPrinted), [isCall ? "body" : "claims": body])
        case .watch:
            for await state in auth.states {
                output.line("\(state)")
                if case .signedOut = state { throw Self.nobody(state) }
            }
            throw AuthError(.cancelled, "The watch was ended.")
        case .logout:
            try await auth.signOut(everywhere: arguments.has("--everywhere"))
            try await Arguments.remember(nil, in: store)
            if arguments.has("--end-session") { try await auth.endIssuerSession(redirect: arguments.redirect).value }
            return ("\(user.name) is signed out.", ["user": user.json])
        }
    }

    private static func nobody(_ state: AuthState? = nil) -> AuthError {
        guard case .signedOut(let reason?) = state else { return AuthError(.notSignedIn, "No one is signed in.") }
        return AuthError(.sessionExpired, "The session is over: \(reason.rawValue). Run 'signin login'.")
    }

    private func expiresIn(_ auth: AuthService) -> AuthJSON? {
        auth.session?.expiresAt.map { .integer(max(0, Int64($0.timeIntervalSinceNow))) }
    }

    private func login(_ auth: AuthService) async throws(AuthError) -> AuthUser {
        var request = arguments.request
        request.onUserCode = { [output] in output.show($0) }
        let user = try await auth.signIn(with: arguments.id, request).value.user
        guard await auth.finish() else { throw AuthError(.storage, "The session of \(user.name) could not be stored.") }
        try await Arguments.remember(arguments.options, in: store)
        return user
    }

    private func service(api: APIAccess?) throws(AuthError) -> AuthService {
        // The page gives up a moment before the program, because it can say what did not happen.
        let limit = Duration.seconds(arguments["--timeout"].flatMap { Int($0) } ?? 600) * 9 / 10
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
