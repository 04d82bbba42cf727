import AuthStreams
import Foundation

/// A network that answers as the test says, and keeps what it was asked.
final class ScriptedTransport: HTTPTransport {
    private let log = Lock([HTTPRequest]())
    private let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse) { self.answer = answer }

    var requests: [HTTPRequest] { log.withLock { $0 } }

    /// The form of each request, by name.
    var forms: [[String: String]] {
        requests.map { request in
            let fields = FormCoding.decode(String(decoding: request.body ?? Data(), as: UTF8.self)) ?? []
            return Dictionary(fields.map { ($0.name, $0.value) }) { first, _ in first }
        }
    }

    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        log.withLock { $0.append(request) }
        return try await authErrors { try await answer(request) }
    }
}

extension HTTPResponse {
    static func text(_ text: String, status: Int = 200, headers: [HeaderName: String] = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    static func json(_ value: JSONValue, status: Int = 200) throws -> HTTPResponse {
        HTTPResponse(status: status, body: try JSONEncoder().encode(value))
    }
}
