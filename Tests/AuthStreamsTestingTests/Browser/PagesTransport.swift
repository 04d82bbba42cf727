import AuthStreams
import Foundation

/// Serves written answers by method and path, and keeps what was asked.
final class PagesTransport: AuthHTTPTransport {
    private let answers: [String: AuthHTTPResponse]
    private let log = Lock([AuthHTTPRequest]())

    init(_ answers: [String: AuthHTTPResponse]) {
        self.answers = answers
    }

    var requests: [AuthHTTPRequest] { log.withLock { $0 } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        log.withLock { $0.append(request) }
        guard let answer = answers["\(request.method.rawValue) \(request.url.path())"] else {
            throw AuthError(.network, "There is no such page.")
        }
        return answer
    }
}

extension AuthHTTPResponse {
    static func page(_ html: String, status: Int = 200) -> Self {
        AuthHTTPResponse(status: status, headers: [.contentType: "text/html; charset=utf-8"], body: Data(html.utf8))
    }

    static func redirect(_ location: String, status: Int = 302) -> Self {
        AuthHTTPResponse(status: status, headers: ["Location": location])
    }
}
