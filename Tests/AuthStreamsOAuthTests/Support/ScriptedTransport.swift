import AuthStreams
import Foundation

/// A network that answers as the test says, and keeps what it was asked.
final class ScriptedTransport: AuthHTTPTransport {
    private let log = Lock([AuthHTTPRequest]())
    private let answer: @Sendable (AuthHTTPRequest) async throws -> AuthHTTPResponse

    init(_ answer: @escaping @Sendable (AuthHTTPRequest) async throws -> AuthHTTPResponse) { self.answer = answer }

    var requests: [AuthHTTPRequest] { log.withLock { $0 } }

    /// The form of each request, by name.
    var forms: [[String: String]] {
        requests.map { request in
            let fields = FormCoding.decode(String(decoding: request.body ?? Data(), as: UTF8.self)) ?? []
            return Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        }
    }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        log.withLock { $0.append(request) }
        return try await AuthError.wrapping { try await answer(request) }
    }
}

extension AuthHTTPResponse {
    static func text(_ text: String, status: Int = 200, headers: [HeaderName: String] = [:]) -> AuthHTTPResponse {
        AuthHTTPResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    static func json(_ value: AuthJSON, status: Int = 200) throws -> AuthHTTPResponse {
        AuthHTTPResponse(status: status, body: try JSONEncoder().encode(value))
    }
}
