import AuthStreams
import Foundation
import Testing

func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

/// Plays the apps' servers: answers each form with what the test says, and keeps what it was asked.
final class AppServer: AuthHTTPTransport {
    enum Answer {
        case redirect(String)
        case refusal(String)
        case failure(AuthError)
    }
    private let answer: @Sendable (String) -> Answer
    private let log = Lock([String]())

    init(_ answer: @escaping @Sendable (String) -> Answer) { self.answer = answer }

    var requests: [String] { log.withLock { $0 } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let form = String(decoding: request.body ?? Data(), as: UTF8.self)
        log.withLock { $0.append("\(request.method.rawValue) \(request.url.absoluteString) \(form)") }
        switch answer(form) {
        case .redirect(let url): return AuthHTTPResponse(status: 200, body: Data(#"{"redirect":"\#(url)"}"#.utf8))
        case .failure(let error): throw error
        case .refusal(let error): return AuthHTTPResponse(status: 400, body: Data(#"{"error":"\#(error)"}"#.utf8))
        }
    }
}

/// The app's URL handler: keeps what comes in.
final class Inbox: Sendable {
    private let received = Lock([String]())

    var urls: [String] { received.withLock { $0 } }

    @Sendable func take(_ url: URL) -> Bool {
        received.withLock { $0.append(url.absoluteString) }
        return true
    }
}

/// The part that opens web pages.
@MainActor
final class Browser: ApplicationOpener {
    private(set) var opened: [URL] = []

    func canOpen(_ url: URL) -> Bool { true }
    var hidesURLs: Bool { true }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        opened.append(url)
        return ApplicationVisit {}
    }
}
