// swift-format-ignore-file: NeverForceUnwrap

import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// LINE and GitHub in memory, each with one client: their pages, what the app asks, and what the app's server asks.
actor FakeServer: AuthHTTPTransport {
    /// A client, as it is registered.
    struct Client {
        let id: String
        let secret: Secret
        let redirectURI: URL
    }

    static let line = Client(
        id: "1650000000", secret: Secret("the channel's secret"), redirectURI: URL(string: "app.example:/line")!)
    static let github = Client(
        id: "Iv23li", secret: Secret("the app's secret"), redirectURI: URL(string: "app.example:/github")!)

    /// Signs LINE's ID tokens.
    let signer: IDTokenSigner
    /// How long ago the person logged in at LINE, in seconds.
    let age: Int64
    /// How many requests came.
    private(set) var requestCount = 0
    /// Every secret of an attempt that was seen or issued.
    var secrets: [Secret] = []
    /// The parameters of the page that a code is of. A code works once.
    private var codes: [Secret: [String: String]] = [:]
    private var accessTokens: Set<Secret> = []

    /// - Parameters:
    ///   - signer: Signs LINE's ID tokens; with the channel's secret, as for its page, unless given.
    ///   - age: How long ago the person logged in at LINE, in seconds.
    init(signer: IDTokenSigner = .hs256(line.secret), age: Int64 = 0) {
        self.signer = signer
        self.age = age
    }

    func send(_ request: AuthHTTPRequest) throws(AuthError) -> AuthHTTPResponse {
        try request.validate()
        guard !Task.isCancelled else { throw AuthError(wrapping: CancellationError()) }
        requestCount += 1
        let query = Self.fields(request.url.query(percentEncoded: true))
        let form = Self.fields(request.body.map { String(decoding: $0, as: UTF8.self) })
        return switch "\(request.method.rawValue) \(request.url.host() ?? "")\(request.url.path())" {
        case "GET access.line.me/.well-known/openid-configuration": .json(Self.lineMetadata)
        case "GET access.line.me/oauth2/v2.1/authorize": page(query, of: Self.line, scope: "openid")
        case "POST access.line.me/oauth2/v2.1/authorize": callback(for: query, answer: form["answer"])
        case "POST api.line.me/oauth2/v2.1/token": lineToken(form)
        case "GET api.line.me/oauth2/v2.1/certs": .json(signer.keySet)
        case "GET api.line.me/oauth2/v2.1/verify": lineVerify(query)
        case "GET github.com/login/oauth/authorize": page(query, of: Self.github, scope: "read:user")
        case "POST github.com/login/oauth/authorize": callback(for: query, answer: form["answer"])
        case "POST github.com/login/oauth/access_token": githubToken(form, accept: request.headers[.accept])
        case "POST api.github.com/applications/\(Self.github.id)/token": githubCheck(request)
        default: AuthHTTPResponse(status: 404)
        }
    }

    /// Shows a page with a button for each answer, if the client asks correctly.
    private func page(_ query: [String: String], of client: Client, scope: String) -> AuthHTTPResponse {
        guard query["client_id"] == client.id, query["redirect_uri"] == client.redirectURI.absoluteString,
            query["response_type"] == "code", query["code_challenge_method"] == "S256", let state = query["state"],
            query["scope"]?.split(separator: " ").contains(Substring(scope)) == true
        else { return AuthHTTPResponse(status: 400) }
        secrets += [state, query["nonce"]].compactMap { $0.map { Secret($0) } }
        let buttons = ["approve", "deny"].map { "<button name='answer' value='\($0)'>\($0)</button>" }.joined()
        return AuthHTTPResponse(
            status: 200, headers: [.contentType: "text/html"], body: Data("<form method='post'>\(buttons)</form>".utf8))
    }

    /// Redirects to the app with a code or an error.
    private func callback(for query: [String: String], answer: String?) -> AuthHTTPResponse {
        var result = URLQueryItem(name: "error", value: "access_denied")
        if answer == "approve" {
            let code = newSecret()
            codes[code] = query
            result = URLQueryItem(name: "code", value: code.reveal())
        }
        var callback = URLComponents(string: query["redirect_uri"] ?? "")
        callback?.queryItems = [result, URLQueryItem(name: "state", value: query["state"])]
        return AuthHTTPResponse(status: 302, headers: ["Location": callback?.string ?? ""])
    }

    /// Returns the parameters of the page that a code is of; `nil` for a wrong request.
    func redeem(_ form: [String: String]) -> [String: String]? {
        guard form["grant_type"] == "authorization_code",
            let page = codes.removeValue(forKey: Secret(form["code"] ?? "")),
            form["redirect_uri"] == page["redirect_uri"],
            PKCE(verifier: Secret(form["code_verifier"] ?? "")).challenge == page["code_challenge"]
        else { return nil }
        return page
    }

    func newAccessToken() -> Secret {
        let token = newSecret()
        accessTokens.insert(token)
        return token
    }

    func issued(accessToken: String?) -> Bool { accessTokens.contains(Secret(accessToken ?? "")) }

    private func newSecret() -> Secret {
        let secret = Secret(UUID().uuidString)
        secrets.append(secret)
        return secret
    }

    private static func fields(_ encoded: String?) -> [String: String] {
        // A body that is no form has no fields.
        guard let items = URLComponents(string: "?\(encoded ?? "")")?.queryItems else { return [:] }
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}

extension AuthHTTPResponse {
    static func json(_ value: AuthJSON, status: Int = 200) -> Self {
        let body = (try? JSONEncoder().encode(value)) ?? Data()
        return AuthHTTPResponse(status: status, headers: [.contentType: "application/json"], body: body)
    }
}
