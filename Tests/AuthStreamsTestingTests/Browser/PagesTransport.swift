import AuthStreams
import Foundation

/// Serves written answers by method and path, and keeps what was asked.
final class PagesTransport: HTTPTransport {
    private let answers: [String: HTTPResponse]
    private let log = Lock([HTTPRequest]())

    init(_ answers: [String: HTTPResponse]) {
        self.answers = answers
    }

    var requests: [HTTPRequest] { log.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        log.withLock { $0.append(request) }
        guard let answer = answers["\(request.method.rawValue) \(request.url.path())"] else {
            throw AuthError(.network, "There is no such page.")
        }
        return answer
    }
}

extension HTTPResponse {
    static func page(_ html: String, status: Int = 200) -> Self {
        HTTPResponse(status: status, headers: [.contentType: "text/html; charset=utf-8"], body: Data(html.utf8))
    }

    static func redirect(_ location: String, status: Int = 302) -> Self {
        HTTPResponse(status: status, headers: ["Location": location])
    }
}
