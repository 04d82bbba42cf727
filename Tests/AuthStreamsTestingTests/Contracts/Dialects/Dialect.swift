import AuthStreams
import Foundation
import LoopbackHTTP

/// The API of an existing server: its contract, and how it says what the documented contract says.
///
/// The translation is written without the library's reading and writing of contracts, so that they check each other.
protocol Dialect: Sendable {
    init()
    var contract: ServerContract { get }
    /// The members that the app adds to each body.
    var members: (@Sendable (ServerContract.Endpoint) async throws -> [String: AuthJSON])? { get }
    /// The server's endpoints as `METHOD /path`, each with the documented one. `{provider}` is a part of a path.
    var routes: [(own: String, documented: String)] { get }
    /// The names of the providers.
    var providers: [ProviderID: String] { get }

    /// Turns a request into the documented one. A request that the server would not understand has the members that
    /// the documented one refuses: none.
    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest
    /// Turns the documented answer into the server's own.
    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse
    /// The documented identifier of a user.
    func documentedID(_ id: String) -> String
    /// The documented access token.
    func documentedToken(_ token: Secret) -> Secret
}

extension Dialect {
    var members: (@Sendable (ServerContract.Endpoint) async throws -> [String: AuthJSON])? { nil }
    func documentedID(_ id: String) -> String { id }
    func documentedToken(_ token: Secret) -> Secret { token }

    func name(of provider: String?) -> AuthJSON? {
        provider.map { .string(providers[ProviderID(rawValue: $0)] ?? $0) }
    }

    func provider(named name: String?) -> String? {
        name.map { name in providers.first { $0.value == name }?.key.rawValue ?? name }
    }

    /// Finds the endpoint of a request.
    func route(_ method: String, _ path: String) -> DialectRoute? {
        let parts = path.split(separator: "/").map(String.init)
        for (own, documented) in routes {
            let (words, target) = (own.split(separator: " "), documented.split(separator: " ").map(String.init))
            let pattern = words[1].split(separator: "/").map(String.init)
            guard words[0] == method, pattern.count == parts.count,
                zip(pattern, parts).allSatisfy({ $0 == $1 || $0 == "{provider}" })
            else { continue }
            let provider = pattern.firstIndex(of: "{provider}").flatMap { self.provider(named: parts[$0]) }
            return DialectRoute(
                method: target[0], path: target[1].replacing("{provider}", with: provider ?? ""), provider: provider)
        }
        return nil
    }
}

/// The documented endpoint of a request.
struct DialectRoute {
    let method: String
    let path: String
    /// The provider that the server's own path names.
    let provider: String?
}

/// A request of the documented contract.
struct DocumentedRequest {
    let method: String
    let path: String
    var members: [String: AuthJSON] = [:]
    var accessToken: String?

    init(_ route: DialectRoute) { (method, path) = (route.method, route.path) }

    var isRefresh: Bool { path == "/auth/refresh" }
    var isUser: Bool { path == "/auth/user" }
    /// Whether the answer is that of a sign-in.
    var beginsSession: Bool { ["/auth/sign-in", "/auth/anonymous"].contains(path) }
}

/// An answer of the documented contract.
struct DocumentedAnswer {
    /// Every type of problem.
    static let problems = [
        "invalid-credential", "nonce-mismatch", "unsupported-provider", "second-factor-required", "account-exists",
        "credential-in-use", "last-provider", "access-denied", "requires-recent-sign-in", "invalid-access-token",
        "user-disabled", "user-not-found", "session-expired", "refresh-token-reused", "session-revoked",
        "revoked-at-provider", "invalid-request", "rate-limited", "provider-unavailable",
    ]

    let status: Int
    let json: AuthJSON
    /// The type of problem; `nil` for a success.
    let problem: String?

    subscript(name: String) -> AuthJSON? { json[name] }

    /// The members under other names; those that are absent stay so.
    static func renamed(_ value: AuthJSON?, _ names: [String: String]) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = [:]
        for (name, own) in names { members[own] = value?[name] }
        return members
    }
}

extension LoopbackRequest {
    /// The token after `Bearer` in a header field.
    func bearer(_ field: String) -> String? {
        guard let value = header(field), value.hasPrefix("Bearer ") else { return nil }
        return String(value.dropFirst("Bearer ".count))
    }
}

extension LoopbackResponse {
    static func json(_ members: [String: AuthJSON], status: Int = 200) -> Self {
        .json((try? JSONEncoder().encode(AuthJSON.object(members))) ?? Data(), status: status)
    }
}
