import AuthStreams
import Foundation
import LoopbackHTTP

/// The redirect URI of one attempt on this machine, and the listener behind it (RFC 8252 section 7.3).
///
/// It takes one answer: the first GET of its path that the page accepts and that comes from the browser that fetched
/// the start page. Every other request (icons, other paths, forged or repeated callbacks) gets an error page and has no
/// effect.
final class LoopbackRedirect: Sendable {
    /// The redirect URI, with the listener's port.
    let uri: URL
    /// The URL that the browser is opened with: a page on the redirect URI's own host that redirects to the provider's.
    let start: URL
    private let server: LoopbackServer
    private let outcome: Promise<Result<URL, AuthError>>

    /// A browser sends small GET requests, with its cookies of other programs on this host.
    private static var limits: LoopbackServer.Limits {
        var limits = LoopbackServer.Limits()
        limits.maxBodyBytes = 0
        limits.maxConnections = 16
        limits.requestTimeout = .seconds(10)
        return limits
    }

    /// Opens the listener.
    ///
    /// - Throws: `misconfigured` when the port is not available.
    init(for page: AuthorizationPage, path: String, port: UInt16) throws(AuthError) {
        let outcome = Promise<Result<URL, AuthError>>()
        let binding = BrowserBinding()
        // The handler must know its own address, which is known only once the server runs.
        let address = Promise<URL>()
        do {
            server = try LoopbackServer.start(port: port, limits: Self.limits) { request in
                guard let uri = await address.value() else { return .page(.notHere, status: 404) }
                return Self.respond(to: request, of: page, at: uri, binding, outcome)
            }
        } catch {
            throw Self.explain(error)
        }
        self.outcome = outcome
        start = Self.url(port: server.port, target: binding.path)
        uri = Self.url(port: server.port, target: path.hasPrefix("/") ? path : "/\(path)")
        address.resolve(uri)
    }

    deinit { server.stop() }

    /// Returns the callback URL, or the reason why none will come; `nil` if the task was cancelled before.
    func callback() async -> Result<URL, AuthError>? { await outcome.value() }

    /// Closes the listener.
    ///
    /// - Parameter afterAnswer: Whether to send the answer's page first.
    func close(afterAnswer: Bool) async {
        if afterAnswer { await server.stopAfterResponses() } else { server.stop() }
    }

    private static func respond(
        to request: LoopbackRequest, of page: AuthorizationPage, at uri: URL, _ binding: BrowserBinding,
        _ outcome: Promise<Result<URL, AuthError>>
    ) -> LoopbackResponse {
        guard request.target.hasPrefix("/") else { return .page(.notHere, status: 404) }
        if request.path == binding.path, request.method == "GET" {
            guard outcome.current == nil else { return .page(.notThisAttempt, status: 400) }
            switch binding.fetch(request) {
            case .bound: return .leading(to: page.url(redirectURI: uri), with: binding.setting)
            case .foreign:
                outcome.resolve(.failure(.startedTwice))
                return .page(.startedTwice, status: 403)
            }
        }
        guard request.path == uri.path(percentEncoded: false) else { return .page(.notHere, status: 404) }
        let callback = url(port: UInt16(uri.port ?? 0), target: request.target)
        guard request.method == "GET", page.accepts(callback, redirectURI: uri) else {
            return .page(.notThisAttempt, status: 400)
        }
        guard binding.isBound(request) else { return .page(.withoutCookie, status: 403) }
        guard outcome.resolve(.success(callback)) else { return .page(.notThisAttempt, status: 400) }
        var response = LoopbackResponse.page(.done, status: 200)
        response.headers.append(binding.removal)
        return response
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

extension AuthError {
    fileprivate static var startedTwice: Self {
        AuthError(
            .stateMismatch,
            """
            The page that begins this sign-in was fetched a second time: by another browser, program or user of this machine, \
            or by a browser that keeps no cookies. Nothing of it was used. Sign in again, and allow cookies for 127.0.0.1.
            """)
    }
}
