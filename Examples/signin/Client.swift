import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The client that the options of `login` describe.
extension Arguments {
    typealias Preset = (name: String, issuer: String, scopes: String, host: String, port: UInt16, help: String)
    /// The issuers that the program knows. 8477 is the port of those that take no other than the registered one.
    static let presets: [Preset] = [
        ("google", "accounts.google.com", "openid email profile", "", 0, "a client of type Desktop, and its secret"),
        ("line", "access.line.me", "openid profile", "localhost", 8477, "channel ID and secret; \(registered)"),
        ("entra", "login.microsoftonline.com/common/v2.0", offline, "localhost", 0, "http://localhost/callback"),
        ("github", "github.com", "read:user user:email", "", 0, "the app's device flow; has no ID token, no refresh"),
        ("kakao", "kauth.kakao.com", "openid account_email", "localhost", 8477, "REST key and secret; \(registered)"),
        ("naver", "nid.naver.com", "openid profile", "localhost", 8477, "REST key and secret; \(registered)"),
        ("apple", "appleid.apple.com", "", "", 0, "a relay page on a server: its page answers no program. Refused"),
    ]
    private static let registered = "http://localhost:8477/callback"
    private static let offline = "openid profile email offline_access"
    private static let addresses: [String: SystemBrowser.LoopbackAddress] = [
        "": .ipv4, "127.0.0.1": .ipv4, "localhost": .localhost, "[::1]": .ipv6,
    ]
    private var preset: Preset? { Self.presets.first { $0.name == self["--provider"] } }
    var id: ProviderID { ProviderID(rawValue: preset?.name ?? "openid") }
    var issuer: String { self["--issuer"] ?? preset.map { "https://\($0.issuer)" } ?? "" }
    var address: SystemBrowser.LoopbackAddress? { Self.addresses[self["--host"] ?? preset?.host ?? ""] }
    var port: UInt16 { self["--port"].flatMap { UInt16($0) } ?? preset?.port ?? 0 }
    var redirect: AuthorizationPage.Redirect { .loopback(path: self["--path"] ?? "/callback") }
    private var parameters: [String: String] {
        let pairs = (options["--param"] ?? []).map { ($0.prefix { $0 != "=" }, $0.drop { $0 != "=" }.dropFirst()) }
        return Dictionary(pairs.map { (String($0), String($1)) }) { $1 }
    }

    /// The wishes of an attempt. Two parameters of the page are such.
    var request: AuthRequest {
        let prompts = parameters["prompt"]?.split(separator: " ").map(String.init) ?? []
        var request = AuthRequest(methodKind: has("--device") || id == "github" ? .deviceCode : .web)
        request.prompts = prompts.compactMap(AuthRequest.Prompt.init)
        request.loginHint = parameters["login_hint"]
        return request
    }

    func validateLogin() throws(AuthError) {
        let needsSecret = ["google", "line", "kakao", "naver"].contains(id) && !has("--client-secret-file")
        let problems = [
            (has("--provider") && preset == nil, "There is no provider '\(self["--provider"] ?? "")'."),
            (issuer.isEmpty || !has("--client-id"), "'login' needs --client-id, and --issuer or --provider."),
            (needsSecret, "'\(id)' needs --client-secret-file."),
            (address == nil, "'--host' is 127.0.0.1, localhost or [::1]."),
            (options["--param"]?.allSatisfy { $0.contains("=") } == false, "'--param' needs a name and a value."),
        ]
        if preset?.name == "apple" { throw AuthError(.unsupportedProvider, "Apple needs \(preset?.help ?? "").") }
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
        if let secret { client.authentication = .secret(secret) }
        client.options.parameters = parameters.filter { !["prompt", "login_hint"].contains($0.key) }
        client.usesDPoP = has("--dpop")
        // LINE signs the ID tokens of its page with the channel's secret.
        if id == "line" { client.idTokenRules = { $0.sharedSecret = secret } }
        // Naver's user information has another form, without `sub`.
        if id == "naver" { client.metadataOverrides = ["userinfo_endpoint": .null] }
        return client
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
