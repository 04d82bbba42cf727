import AuthStreams
import Foundation
import LoopbackHTTP

/// The redirect URI of one attempt on this machine, and the listener behind it (RFC 8252 section 7.3).
///
/// It takes one answer: the first GET of its path that the page accepts and that comes from the browser that fetched
/// the start page. Every other request (icons, other paths and hosts, forged or repeated callbacks) gets an error page
/// and has no effect.
final class LoopbackRedirect: Sendable {
    /// The redirect URI, with the listener's port.
    let uri: URL
    /// What the browser is opened with: a page on the redirect URI's own host that redirects to the provider's.
    let start: ListenerPage
    /// One for each address of the host, on the same port.
    private let servers: [LoopbackServer]
    private let diagnostics: CallbackDiagnostics
    private let outcome: Promise<Result<URL, AuthError>>

    /// Where the listener is.
    private struct Place {
        /// The listener's address and port, as a browser names them in `Host`.
        let authority: String
        let uri: URL

        /// Returns whether a request names this listener. A page whose name was pointed at this machine names its own.
        func isHost(of request: LoopbackRequest) -> Bool {
            guard let host = request.header("Host") else { return false }
            // Browsers leave out the port of the scheme.
            return host == authority || "\(host):80" == authority
        }
    }

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
    /// - Throws: `misconfigured` when the address or the port is not available.
    init(
        for page: AuthorizationPage, path: String, at address: SystemBrowser.LoopbackAddress = .ipv4, port: UInt16
    ) throws(AuthError) {
        let outcome = Promise<Result<URL, AuthError>>()
        let binding = BrowserBinding()
        let diagnostics = CallbackDiagnostics()
        // The handler must know its own address, which is known only once the server runs.
        let place = Promise<Place>()
        servers = try Self.listen(at: address, on: port) { request in
            guard let place = await place.value() else { return .page(.notHere, for: request) }
            return Self.respond(to: request, of: page, at: place, binding, outcome, diagnostics)
        }
        self.outcome = outcome
        self.diagnostics = diagnostics
        let authority = "\(address.host):\(servers[0].port)"
        start = ListenerPage(
            Self.url(authority, binding.path), isFetched: { binding.isFetched }, onRemark: { diagnostics.remark($0) })
        uri = Self.url(authority, path.hasPrefix("/") ? path : "/\(path)")
        place.resolve(Place(authority: authority, uri: uri))
    }

    deinit { for server in servers { server.stop() } }

    /// Starts a server at each address of the host.
    ///
    /// A browser takes either address of `localhost`. On one that this process does not listen on, another user's program could
    /// receive the answer, so both are taken, or neither. A machine without IPv6 has one alone.
    private static func listen(
        at address: SystemBrowser.LoopbackAddress, on port: UInt16, handler: @escaping LoopbackServer.Handler
    ) throws(AuthError) -> [LoopbackServer] {
        var attempts = 0
        while true {
            attempts += 1
            var servers: [LoopbackServer] = []
            do throws(LoopbackServerError) {
                for place in address.ofServer {
                    servers.append(
                        try LoopbackServer.start(
                            at: place, port: servers.first?.port ?? port, accepting: .thisUser, limits: limits,
                            handler: handler))
                }
                return servers
            } catch {
                if error.isWithoutIPv6, !servers.isEmpty { return servers }
                for server in servers { server.stop() }
                // The free port of one address may be taken on the other.
                guard case .portInUse = error, port == 0, attempts < 20 else { throw explain(error, at: address) }
            }
        }
    }

    /// Whether every connection so far is of this user, as the system says.
    var isPrivate: Bool { servers.allSatisfy(\.isPrivate) }

    /// What was noticed, for the explanation of an attempt without an answer.
    var explanation: String {
        let refused = servers.map(\.refusedConnections).reduce(0, +)
        let stage = start.isFetched ? "The browser fetched the start page." : "No browser fetched the start page."
        let connections =
            refused == 0
            ? []
            : [
                """
                Connections that were refused because they are not of this user: \(refused). Run the program and the browser \
                as the same user.
                """
            ]
        return ([stage] + connections + [diagnostics.explanation]).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the callback URL, or the reason why none will come; `nil` if the task was cancelled before.
    func callback() async -> Result<URL, AuthError>? { await outcome.value() }

    /// Closes the listener.
    ///
    /// - Parameter afterAnswer: Whether to send the answer's page first.
    func close(afterAnswer: Bool) async {
        for server in servers {
            if afterAnswer { await server.stopAfterResponses() } else { server.stop() }
        }
    }

    private static func respond(
        to request: LoopbackRequest, of page: AuthorizationPage, at place: Place, _ binding: BrowserBinding,
        _ outcome: Promise<Result<URL, AuthError>>, _ diagnostics: CallbackDiagnostics
    ) -> LoopbackResponse {
        guard place.isHost(of: request) else { return .page(.notThisHost, for: request) }
        let uri = place.uri
        guard request.target.hasPrefix("/") else { return .page(.notHere, for: request) }
        if request.path == binding.path, request.method == "GET" {
            guard outcome.current == nil else { return .page(.notThisAttempt, for: request) }
            switch binding.fetch(request) {
            case .bound: return .leading(to: page.url(redirectURI: uri), with: binding.setting)
            case .foreign:
                outcome.resolve(.failure(.startedTwice))
                return .page(.startedTwice, for: request)
            }
        }
        guard request.path == uri.path(percentEncoded: false) else { return .page(.notHere, for: request) }
        let callback = url(place.authority, request.target)
        guard request.method == "GET" else {
            diagnostics.refusedMethod()
            return .page(.notThisAttempt, for: request)
        }
        guard page.accepts(callback, redirectURI: uri) else {
            diagnostics.refused(callback, at: uri)
            return .page(.notThisAttempt, for: request)
        }
        guard binding.isBound(request) else {
            diagnostics.refusedWithoutCookie()
            return .page(.withoutCookie, for: request)
        }
        guard outcome.resolve(.success(callback)) else { return .page(.notThisAttempt, for: request) }
        var response = LoopbackResponse.page(.done, for: request)
        response.headers.append(binding.removal)
        return response
    }

    private static func url(_ authority: String, _ target: String) -> URL {
        // The server passes on only targets of visible ASCII; the fallback matches no redirect URI.
        URL(string: "http://\(authority)\(target)") ?? URL(literal: "http://127.0.0.1")
    }

    static func explain(_ error: LoopbackServerError, at address: SystemBrowser.LoopbackAddress) -> AuthError {
        let explanation =
            switch error {
            case .portInUse(let port):
                "Port \(port) on \(address.host) is taken, so the answer could not come back. Use port 0, or free it."
            case .cannotListen(EACCES):
                """
                The system allows this user no listener on that port of \(address.host). Use port 0, or one from 1024 on.
                """
            case _ where error.isWithoutIPv6 && address == .ipv6:
                """
                This machine has no IPv6, so nothing can listen on [::1]. Use 127.0.0.1 if the provider allows it, or \
                turn IPv6 on.
                """
            case .cannotListen(let errno):
                """
                The system allows no listener on \(address.host) (errno \(errno)). On macOS, check the app's sandbox.
                """
            }
        return AuthError(.misconfigured, explanation, cause: error)
    }
}

extension AuthError {
    fileprivate static var startedTwice: Self {
        AuthError(
            .stateMismatch,
            """
            The page that begins this sign-in was fetched a second time: by another browser, program or user of this machine, \
            or by a browser that keeps no cookies. Nothing of it was used. Sign in again, and allow cookies for the \
            listener's address, 127.0.0.1, [::1] or localhost.
            """)
    }
}

extension LoopbackServerError {
    /// Whether the machine has no IPv6.
    fileprivate var isWithoutIPv6: Bool { self == .cannotListen(EAFNOSUPPORT) || self == .cannotListen(EADDRNOTAVAIL) }
}
