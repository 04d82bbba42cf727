import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The client that the options of `login` describe.
extension Arguments {
    private typealias Preset = (name: String, issuer: String, scopes: String, host: String, port: UInt16)
    /// The issuers that the program knows. 8477 is the port of those that take no other than the registered one.
    private static let presets: [Preset] = [
        ("google", "accounts.google.com", "openid email profile", "127.0.0.1", 0),
        ("line", "access.line.me", "openid profile", "localhost", 8477),
        ("entra", "login.microsoftonline.com/common/v2.0", offline, "localhost", 0),
        ("github", "github.com", "read:user user:email", "127.0.0.1", 0),
        ("kakao", "kauth.kakao.com", "openid account_email", "localhost", 8477),
        ("naver", "nid.naver.com", "openid profile", "localhost", 8477),
    ]
    private static let offline = "openid profile email offline_access"
    private var preset: Preset? { Self.presets.first { $0.name == self["--provider"] } }
    /// What a session belongs to. A service of another client would drop it.
    var owner: [String] { [id.rawValue, issuer, self["--client-id"] ?? "", has("--dpop") ? "--dpop" : ""] }
    var id: ProviderID { ProviderID(rawValue: preset?.name ?? "openid") }
    var issuer: String { self["--issuer"] ?? preset.map { "https://\($0.issuer)" } ?? "" }
    var address: SystemBrowser.LoopbackAddress? {
        ["127.0.0.1": .ipv4, "localhost": .localhost, "[::1]": .ipv6][self["--host"] ?? preset?.host ?? "127.0.0.1"]
    }
    var port: UInt16 { self["--port"].flatMap { UInt16($0) } ?? preset?.port ?? 0 }
    var redirect: AuthorizationPage.Redirect { .loopback(path: self["--path"] ?? "/callback") }
    private var parameters: [String: String] {
        let pairs = (options["--param"] ?? []).map { $0.components(separatedBy: "=") }
        return Dictionary(pairs.map { ($0[0], $0.dropFirst().joined(separator: "=")) }) { $1 }
    }
    private var prompts: [String] { parameters["prompt"]?.components(separatedBy: " ") ?? [] }
    /// The wishes of an attempt. Two parameters of the page are such.
    var request: AuthRequest {
        var request = AuthRequest(methodKind: has("--device") || id == "github" ? .deviceCode : .web)
        request.prompts = prompts.compactMap(AuthRequest.Prompt.init)
        request.loginHint = parameters["login_hint"]
        return request
    }
    func validateLogin() throws(AuthError) {
        let needsSecret = ["google", "line", "kakao", "naver"].contains(id) && !has("--client-secret-file")
        let excess = id == "github" ? ["--issuer", "--dpop", "--param"].first(where: has) : nil
        let problems = [
            (has("--provider") && preset == nil, "There is no provider '\(self["--provider"] ?? "")'."),
            (issuer.isEmpty || !has("--client-id"), "'login' needs --client-id, and --issuer or --provider."),
            (needsSecret, "'\(id)' needs --client-secret-file."),
            (address == nil, "'--host' is 127.0.0.1, localhost or [::1]."),
            (options["--param"]?.allSatisfy { $0.contains("=") } == false, "'--param' needs a name and a value."),
            (prompts.contains { AuthRequest.Prompt(rawValue: $0) == nil }, "There is no such prompt."),
            (excess != nil, "'\(excess ?? "")' is no option of github."),
        ]
        if self["--provider"] == "apple" { throw AuthError(.unsupportedProvider, "Apple needs a server's relay page.") }
        for (isWrong, problem) in problems where isWrong { throw Self.wrong(problem) }
    }

    /// The client at the issuer, of which the provider and the repository are made. `status` needs no secret.
    func client() throws(AuthError) -> OpenIDProvider.Configuration {
        let file = command == .status ? nil : self["--client-secret-file"]
        let text = file.map { (try? String(contentsOfFile: $0, encoding: .utf8)) ?? "" }
        let secret = text.map { Secret($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        if secret?.isEmpty == true { throw AuthError(.misconfigured, "'\(file ?? "")' is empty or cannot be read.") }
        let scopes = (self["--scope"] ?? preset?.scopes ?? Self.offline).split(separator: " ").map(String.init)
        var client = OpenIDProvider.Configuration(
            id, issuer: issuer, clientID: self["--client-id"] ?? "", redirect: redirect, scopes: scopes)
        // In the body for a preset: some of these issuers refuse a secret in the header, and their metadata do not say so.
        if let secret { client.authentication = preset == nil ? .secret(secret) : .post(secret) }
        client.options.parameters = parameters.filter { !["prompt", "login_hint"].contains($0.key) }
        client.usesDPoP = has("--dpop")
        // LINE signs the ID tokens of its page with the channel's secret.
        if id == "line" { client.idTokenRules = { $0.sharedSecret = secret } }
        // Naver's user information has another form, without `sub`.
        if id == "naver" { client.metadataOverrides = ["userinfo_endpoint": .null] }
        return client
    }
    /// Where the issuer's claims about the user are; `nil` if there are none of OpenID Connect.
    func userInfoURL() async throws(AuthError) -> URL? {
        if id == "github" { return GitHubRepository.server.userInfoEndpoint }
        let client = OAuthClient(id, issuer: issuer, clientID: "", transport: URLSessionTransport())
        return id == "naver" ? nil : try await client.metadata().userInfoEndpoint
    }

    private static let key = SessionStoreKey(rawValue: "signin-login")
    /// The options of the last login, which are beside the session; `nil` if there was none.
    static func lastLogin(in store: FileSessionStore) async throws(AuthError) -> [String: [String]]? {
        guard let data = try await store.read(key).data else { return nil }
        let last = try? JSONDecoder().decode([String: [String]].self, from: data)
        if let last, last["version"] == ["1"] { return last }
        throw AuthError(.storage, "The store is of a newer signin, or damaged. Update, or give another --store.")
    }
    /// Remembers the options: the path of the client's secret, and no secret. `nil` forgets them.
    static func remember(_ options: [String: [String]]?, in store: FileSessionStore) async throws(AuthError) {
        let passing = ["--browser", "--no-browser", "--store", "--timeout", "--json"]
        let kept = options?.filter { !passing.contains($0.key) }.merging(["version": ["1"]]) { $1 }
        let data = try await AuthError.wrapping { try kept.map { try JSONEncoder().encode($0) } }
        // It is refused if another process writes at the same time.
        while try await store.write(data, for: key, replacing: store.read(key).version) == nil {}
    }
}

/// GitHub's access token as the session. GitHub signs no ID tokens, and an OAuth app gets no refresh token.
struct GitHubRepository: AuthRepository {
    private static let nameless = AuthError(.invalidResponse, "GitHub did not say whose the token is.")
    let transport: any AuthHTTPTransport
    static var server: AuthorizationServerMetadata {
        let paths = ["login/oauth/authorize", "login/oauth/access_token", "login/device/code"]
        let urls = paths.compactMap { URL(string: "https://github.com/\($0)") }
        return AuthorizationServerMetadata(
            authorizationEndpoint: urls[0], tokenEndpoint: urls[1],
            userInfoEndpoint: URL(string: "https://api.github.com/user"), deviceAuthorizationEndpoint: urls[2])
    }

    func accepts(_ provider: ProviderID) -> Bool { provider == "github" }
    func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
        guard let token = credential.accessToken, let url = Self.server.userInfoEndpoint else { throw Self.nameless }
        let bearer = [HeaderName.authorization: "Bearer \(token.reveal())"]
        let answer = try await transport.send(AuthHTTPRequest(.get, url, headers: bearer))
        let claims = try? JSONDecoder().decode(AuthJSON.self, from: answer.body)
        guard answer.isSuccess, let id = claims?["id"]?.lenientInteger else { throw Self.nameless }
        let name = claims?["name"]?.string ?? claims?["login"]?.string
        let user = AuthUser(id: "\(id)", email: claims?["email"]?.string, displayName: name)
        return AuthSession(
            accessToken: token, refreshToken: nil, expiresAt: nil, user: user, provider: credential.provider)
    }
    func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        throw AuthError(.sessionExpired, "GitHub gave no refresh token. Log in again.", provider: session.provider)
    }
    func deleteAccount(_ session: AuthSession) async throws(AuthError) { throw AuthError(.unsupportedProvider, "") }
    /// Sends nothing: GitHub ends a token only for a client with a secret.
    func signOut(_ session: AuthSession) async throws(AuthError) {}
}
