import AuthStreams
import Foundation

/// A client of Supabase Auth, which is called GoTrue (<https://github.com/supabase/auth>). Nothing is retried, except the
/// code of an authenticator app.
///
/// What it sends and reads is that of `internal/api` there, as of August 2026; the comments name the files.
struct GoTrue: Sendable {
    let project: SupabaseProject
    let transport: any AuthHTTPTransport
    let clock: AuthClock

    /// A successful answer.
    struct Answer: Sendable {
        let json: AuthJSON
        /// By the server's clock.
        let date: Date?

        subscript(name: String) -> AuthJSON? { json[name] }
    }

    /// `apiversions.go`: from this version on an error is `{"code", "message"}`.
    private static let version = "2024-01-01"
    private static let versionHeader: HeaderName = "x-supabase-api-version"

    /// Sends a request to Auth, and reads an object from its answer.
    ///
    /// - Parameters:
    ///   - path: The path below `auth/v1`.
    ///   - query: The query.
    ///   - body: The members of the body; `nil` for none.
    ///   - accessToken: The user's token. Without it the key stands for the app, as `supabase-js` sends it.
    func send(
        _ method: AuthHTTPRequest.Method = .post, _ path: String, query: [(name: String, value: String)] = [],
        _ body: [String: AuthJSON]? = nil, as accessToken: Secret? = nil
    ) async throws(AuthError) -> Answer {
        var url = project.url.appending(path: "auth/v1/\(path)")
        if !query.isEmpty { url.append(queryItems: query.map { URLQueryItem(name: $0.name, value: $0.value) }) }
        let (response, request) = try await send(method, to: url, body, as: accessToken)
        guard response.isSuccess else { throw GoTrueRefusal(response, to: request).error }
        guard !response.isPage else { throw .foreignAnswer }
        // Only `/logout` answers without a body (`logout.go`: 204).
        guard response.status != 204 else { return Answer(json: .null, date: response.date) }
        guard let json = response.json, json.object != nil else { throw .foreignAnswer }
        return Answer(json: json, date: response.date)
    }

    /// Calls an Edge Function with the user's token.
    func call(function: String, as accessToken: Secret) async throws(AuthError) {
        let url = project.url.appending(path: "functions/v1/\(function)")
        let (response, request) = try await send(.post, to: url, [:], as: accessToken)
        guard response.isSuccess, !response.isPage else {
            throw GoTrueRefusal(response, to: request).errorOfFunction(function)
        }
    }

    private func send(
        _ method: AuthHTTPRequest.Method, to url: URL, _ body: [String: AuthJSON]?, as accessToken: Secret?
    ) async throws(AuthError) -> (AuthHTTPResponse, AuthHTTPRequest) {
        guard !project.key.isEmpty else {
            throw AuthError(
                .misconfigured, "The project has no key. Copy the publishable key from Supabase's dashboard.")
        }
        try url.requireSafety("Correct the project's URL.")
        var request = AuthHTTPRequest(method, url, headers: [.accept: "application/json"])
        // Supabase's gateway refuses a request without it.
        request.headers["apikey"] = project.key
        request.headers[Self.versionHeader] = Self.version
        if let accessToken { request.headers[.authorization] = "Bearer \(accessToken.reveal())" }
        if let body {
            request.headers[.contentType] = "application/json"
            request.body = try AuthJSON.object(body).encoded()
        }
        request.headers.merge(project.headers) { own, _ in own }
        // Also for a transport that does not.
        try request.validate()
        return (try await transport.send(request), request)
    }
}

extension GoTrue {
    /// Asks for a session: `token?grant_type=` (`token.go`).
    func token(
        _ grant: String, _ body: [String: AuthJSON], as accessToken: Secret? = nil
    ) async throws(AuthError) -> Tokens {
        try Tokens(try await send(.post, "token", query: [("grant_type", grant)], body, as: accessToken))
    }

    /// Asks for the user: `GET user` (`user.go`), with identities and factors.
    func user(of accessToken: Secret) async throws(AuthError) -> AuthJSON {
        try await send(.get, "user", as: accessToken).json
    }

    /// The sessions that a log-out ends.
    enum LogOutScope: String {
        /// The session of the access token.
        case local
        /// Every session of the user.
        case global
    }

    /// Ends sessions: `logout` (`logout.go`).
    func logOut(_ scope: LogOutScope, _ accessToken: Secret) async throws(AuthError) {
        _ = try await send(.post, "logout", query: [("scope", scope.rawValue)], as: accessToken)
    }

    /// Ends the session of tokens that the caller does not use. A failure changes nothing of what the caller returns or throws, so
    /// it is ignored.
    func discard(_ tokens: Tokens) async {
        try? await logOut(.local, tokens.access)
    }

    /// The validated tokens of an answer (`tokens/service.go`: `AccessTokenResponse`).
    struct Tokens: Sendable {
        let access: Secret
        let refresh: Secret
        let lifetime: Duration?
        let user: AuthJSON
        let userID: AuthUser.ID
        /// When they were issued, by the server's clock; `nil` if the answer had no `Date`.
        let date: Date?

        /// Whether they have a second factor, or their user has none.
        var hasRequiredFactors: Bool { access.hasSecondFactor || user.secondFactors.isEmpty }

        init(_ answer: Answer) throws(AuthError) {
            guard let access = try answer["access_token"].token(named: "access_token"),
                let refresh = try answer["refresh_token"].token(named: "refresh_token"),
                let user = answer["user"], let id = user["id"]?.text
            else {
                throw AuthError(
                    .invalidResponse,
                    "The answer has no 'access_token', 'refresh_token' or 'user'. Check the project's URL.")
            }
            (self.access, self.refresh, self.user, userID, date) = (access, refresh, user, id, answer.date)
            lifetime = answer["expires_in"]?.lifetime
            guard JSONWebToken(access)?.claims["sub"]?.text ?? id == id else {
                throw AuthError(.invalidResponse, "The answer names one user and its access token another.")
            }
        }
    }
}

extension Secret {
    /// The authenticator assurance level that an access token states (`tokens/service.go`: `AccessTokenClaims`).
    var hasSecondFactor: Bool { JSONWebToken(self)?.claims["aal"]?.string == "aal2" }
}

extension AuthError {
    fileprivate static var foreignAnswer: Self {
        AuthError(
            .invalidResponse, "The answer is not a JSON object. Something between the app and Supabase answered.")
    }

    static var anothersAnswer: Self {
        AuthError(.invalidResponse, "The answer is another user's; nothing of it is kept.")
    }
}
