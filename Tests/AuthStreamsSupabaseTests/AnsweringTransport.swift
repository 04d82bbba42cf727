import AuthStreams
import AuthStreamsSupabase
import Foundation

/// Answers each request as a closure says, and records them.
final class AnsweringTransport: AuthHTTPTransport {
    private let sentRequests = Lock<[AuthHTTPRequest]>([])
    private let answer: @Sendable (AuthHTTPRequest) throws(AuthError) -> AuthHTTPResponse

    init(_ answer: @escaping @Sendable (AuthHTTPRequest) throws(AuthError) -> AuthHTTPResponse) { self.answer = answer }

    /// Answers every request with that JSON.
    convenience init(_ json: AuthJSON, status: Int = 200, headers: [HeaderName: String] = [:]) throws {
        let body = try JSONEncoder().encode(json)
        self.init { _ in AuthHTTPResponse(status: status, headers: headers, body: body) }
    }

    var sent: [AuthHTTPRequest] { sentRequests.withLock { $0 } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        sentRequests.withLock { $0.append(request) }
        return try answer(request)
    }
}

extension AuthHTTPRequest {
    /// Method, path and query.
    var line: String { "\(method.rawValue) \(url.path())\(url.query().map { "?\($0)" } ?? "")" }
    var json: AuthJSON? { body.flatMap { try? JSONDecoder().decode(AuthJSON.self, from: $0) } }
}

extension SupabaseRepository {
    /// A repository of a project at `https://p.supabase.co`.
    static func test(_ transport: AnsweringTransport) throws -> SupabaseRepository {
        guard let url = URL(string: "https://p.supabase.co") else { throw URLError(.badURL) }
        return SupabaseRepository(
            project: SupabaseProject(url: url, key: "sb_publishable_1", deletionFunction: "delete-account"),
            transport: transport)
    }
}

extension AuthSession {
    static let test = AuthSession(
        accessToken: Secret("access-1"), refreshToken: Secret("refresh-1"), expiresAt: nil,
        user: AuthUser(
            id: "u1", email: "minji@example.com", providers: [.init(id: .google, userID: "1001")]),
        provider: .google)
}

extension AuthJSON {
    /// The answer with a session of the user `u1`.
    static let session: AuthJSON = [
        "access_token": "access-2", "token_type": "bearer", "expires_in": 3600, "refresh_token": "refresh-2",
        "user": ["id": "u1", "email": "minji@example.com", "identities": []],
    ]
}

/// How an attempt failed; `nil` when it did not.
func error<Value>(of attempt: () async throws(AuthError) -> Value) async -> AuthError? {
    do throws(AuthError) { _ = try await attempt() } catch { return error }
    return nil
}
