import AuthStreams
import Foundation
import LoopbackHTTP

/// The JSON body of a request to the app's server. Members that the contract does not have are ignored.
struct ServerBody {
    private let members: [String: AuthJSON]

    init(_ request: EmulatorRequest) throws(ServerProblem) {
        let mediaType = request.header("Content-Type")?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard mediaType?.lowercased() == "application/json", let members = request.json?.object else {
            throw ServerProblem("invalid-request", "The body is not a JSON object.")
        }
        self.members = members
    }

    private init(members: [String: AuthJSON]) {
        self.members = members
    }

    /// Returns a string; `nil` if it is absent or null.
    func string(_ name: String) throws(ServerProblem) -> String? {
        switch members[name] {
        case nil, .null: return nil
        case .string(let value) where !value.isEmpty: return value
        default: throw ServerProblem("invalid-request", "'\(name)' must be a string that is not empty.")
        }
    }

    /// The names of all members.
    var names: Set<String> { Set(members.keys) }

    /// Returns a string or a boolean as text; `nil` for anything else.
    func word(_ name: String) -> String? { members[name]?.string ?? members[name]?.bool.map { "\($0)" } }

    /// Returns whether there is such a member, also if it is null.
    func has(_ name: String) -> Bool { members[name] != nil }

    func required(_ name: String) throws(ServerProblem) -> String {
        guard let value = try string(name) else { throw ServerProblem("invalid-request", "'\(name)' is missing.") }
        return value
    }

    /// Returns an object; empty if it is absent or null.
    func object(_ name: String) throws(ServerProblem) -> ServerBody {
        switch members[name] {
        case nil, .null: return ServerBody(members: [:])
        case .object(let members): return ServerBody(members: members)
        default: throw ServerProblem("invalid-request", "'\(name)' must be an object.")
        }
    }
}

/// An error of the app's server, as problem details (RFC 9457).
struct ServerProblem: Error {
    private static let statuses = [
        "invalid-request": 400, "unsupported-provider": 400, "invalid-credential": 401, "nonce-mismatch": 401,
        "invalid-access-token": 401, "session-expired": 401, "refresh-token-reused": 401, "session-revoked": 401,
        "revoked-at-provider": 401, "access-denied": 403,
        "second-factor-required": 403, "user-disabled": 403, "requires-recent-sign-in": 403, "account-exists": 409,
        "verification-required": 403, "registration-required": 403, "additional-step-required": 403,
        "invalid-code": 400, "invalid-input": 400, "code-expired": 401, "challenge-expired": 401,
        "too-many-attempts": 403, "credential-in-use": 409, "last-provider": 409, "user-not-found": 410,
        "rate-limited": 429,
        "provider-unavailable": 503,
    ]

    /// The name of its type; `nil` if the status is enough.
    private let name: String?
    private let status: Int
    /// For engineers. Never contains a value of the caller.
    private let detail: String
    /// The other account of a conflict.
    private var conflict: AuthConflict?
    /// Further members, such as the field that the server refuses.
    private var members: [String: AuthJSON] = [:]
    private var retryAfter: Duration?
}

extension ServerProblem {
    init(
        _ name: String, _ detail: String, conflict: AuthConflict? = nil, members: [String: AuthJSON] = [:],
        retryAfter: Duration? = nil
    ) {
        self.init(
            name: name, status: Self.statuses[name] ?? 400, detail: detail, conflict: conflict, members: members,
            retryAfter: retryAfter)
    }

    /// The name of its type, otherwise its status.
    var word: String { name ?? "\(status)" }

    /// Makes the problem that a test requested: by its type's name, or by a status without a type.
    init(requested error: String) {
        let status = Int(error)
        self.init(
            name: status == nil ? error : nil, status: status ?? Self.statuses[error] ?? 400,
            detail: "A test asked for this problem.")
    }

    var response: LoopbackResponse {
        var members: [String: AuthJSON] = [
            "type": .string(name.map { "\(EmulatorConfiguration.Server.baseURL)/problems/\($0)" } ?? "about:blank"),
            "title": .string(name?.replacing("-", with: " ") ?? "Problem"), "status": .integer(Int64(status)),
            "detail": .string(detail),
        ]
        members.add("email", conflict?.email)
        if let providers = conflict?.providers, !providers.isEmpty {
            members["providers"] = .strings(providers.map(\.rawValue))
        }
        members.merge(self.members) { $1 }
        var response = LoopbackResponse.json(.object(members), status: status)
        response.headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
        if let retryAfter { response.headers.append(("Retry-After", "\(retryAfter.components.seconds)")) }
        // A 401 must name an authentication scheme (RFC 9110 section 15.5.2).
        if status == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
        return response
    }
}
