import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

/// A server on a real socket that speaks a dialect, in front of the emulated one.
final class DialectServer: Sendable {
    private let loopback: LoopbackServer

    /// The base URL of the server.
    var base: URL { URL(string: "http://127.0.0.1:\(loopback.port)") ?? URL(filePath: "/") }

    init(_ dialect: any Dialect, before backend: EmulatedBackend) throws {
        let (transport, server) = (backend.transport, backend.emulator.url(for: "https://api.pulseboard.example"))
        loopback = try LoopbackServer.start { request in
            guard let route = dialect.route(request.method, request.path) else { return LoopbackResponse(status: 404) }
            let body = (try? JSONDecoder().decode(AuthJSON.self, from: request.body)) ?? .null
            let documented = dialect.documented(request, body, route)
            do throws(AuthError) {
                let response = try await transport.send(AuthHTTPRequest(documented, at: server))
                let answer = DocumentedAnswer(response)
                // An overloaded or failing server has no words of its own.
                if answer.status == 429 || answer.status >= 500 { return LoopbackResponse(status: answer.status) }
                return dialect.spoken(answer, to: documented)
            } catch {
                return LoopbackResponse(status: 502)
            }
        }
    }

    deinit { loopback.stop() }
}

extension AuthHTTPRequest {
    fileprivate init(_ documented: DocumentedRequest, at server: URL) {
        self.init(Method(rawValue: documented.method), server.appending(path: documented.path))
        if let token = documented.accessToken { headers[.authorization] = "Bearer \(token)" }
        guard !["GET", "DELETE"].contains(documented.method) else { return }
        headers[.contentType] = "application/json"
        body = try? JSONEncoder().encode(AuthJSON.object(documented.members))
    }
}

extension DocumentedAnswer {
    fileprivate init(_ response: AuthHTTPResponse) {
        json = (try? JSONDecoder().decode(AuthJSON.self, from: response.body)) ?? .null
        status = response.status
        problem = response.isSuccess ? nil : json["type"]?.string?.split(separator: "/").last.map(String.init)
    }
}
