import AuthStreams
import Foundation

/// The redirect URI of one attempt on this machine, and the listener behind it (RFC 8252 section 7.3).
///
/// It takes one answer: the first GET of its path that the page accepts. Everything else (icons, other paths, forged or
/// repeated callbacks) is answered with an error page and forgotten.
final class LoopbackRedirect: Sendable {
    /// The redirect URI in force, with the port that was found.
    let uri: URL
    private let server: LoopbackServer
    private let answer: OneShot<URL>

    /// Opens the listener.
    ///
    /// - Throws: `misconfigured` when the port cannot be had.
    init(for page: AuthorizationPage, path: String, port: UInt16) throws(AuthError) {
        let answer = OneShot<URL>()
        // The handler must know its own address, which is known only once the server runs.
        let address = OneShot<URL>()
        do {
            server = try LoopbackServer.start(port: port) { request in
                guard let uri = await address.value() else { return .page(.notHere, status: 404) }
                return Self.respond(to: request, of: page, at: uri, answer: answer)
            }
        } catch {
            throw Self.explain(error)
        }
        self.answer = answer
        uri = Self.url(port: server.port, target: path.hasPrefix("/") ? path : "/\(path)")
        address.resolve(uri)
    }

    deinit { server.stop() }

    /// The callback URL; `nil` when the task was cancelled before it came.
    func callback() async -> URL? { await answer.value() }

    /// Closes the listener.
    ///
    /// - Parameter afterAnswer: Lets the answer's page go out first.
    func close(afterAnswer: Bool) async {
        if afterAnswer { await server.stopAfterResponses() } else { server.stop() }
    }

    private static func respond(
        to request: LoopbackRequest, of page: AuthorizationPage, at uri: URL, answer: OneShot<URL>
    ) -> LoopbackResponse {
        guard request.target.hasPrefix("/"), request.path == uri.path(percentEncoded: false) else {
            return .page(.notHere, status: 404)
        }
        let callback = url(port: UInt16(uri.port ?? 0), target: request.target)
        guard request.method == "GET", page.accepts(callback, redirectURI: uri) else {
            return .page(.notThisAttempt, status: 400)
        }
        return answer.resolve(callback) ? .page(.done, status: 200) : .page(.notThisAttempt, status: 400)
    }

    private static func url(port: UInt16, target: String) -> URL {
        // The server passes on only targets of visible ASCII; the fallback matches no redirect URI.
        URL(string: "http://127.0.0.1:\(port)\(target)") ?? URL(literal: "http://127.0.0.1")
    }

    private static func explain(_ error: LoopbackServerError) -> AuthError {
        switch error {
        case .portInUse(let port):
            AuthError(
                .misconfigured,
                "Port \(port) on 127.0.0.1 is taken, so the answer could not come back. Use port 0, or free it.",
                cause: error)
        case .cannotListen(let errno):
            AuthError(
                .misconfigured,
                "The system allows no listener on 127.0.0.1 (errno \(errno)). On macOS, check the app's sandbox.",
                cause: error)
        }
    }
}
