import AuthStreams
import Foundation

/// Sends requests to a project's services: the transport, plus what goes with every request.
struct FirebaseChannel: Sendable {
    let project: FirebaseProject
    let transport: any HTTPTransport

    /// Sends a request, with the project's own header fields unless the place is not to be trusted with tokens.
    func send(_ request: HTTPRequest) async throws(AuthError) -> HTTPResponse {
        var request = request
        if request.url.keepsSecrets {
            let headers = try await authErrors { try await project.headers() }
            // A field that the protocol needs is never replaced.
            request.headers.merge(headers) { own, _ in own }
        }
        return try await transport.send(request)
    }

    static func encode(_ body: JSONValue) throws(AuthError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(body) } catch {
            throw AuthError(.misconfigured, "The request has a number that JSON cannot express.", cause: error)
        }
    }
}

extension HTTPResponse {
    /// The body as a JSON object; `nil` for anything else, such as a proxy's page.
    var jsonObject: [String: JSONValue]? {
        (try? JSONDecoder().decode(JSONValue.self, from: body))?.object
    }
}

extension URL {
    /// Whether a token may travel there: by https, or without leaving the machine.
    var keepsSecrets: Bool {
        switch scheme?.lowercased() {
        case "https": true
        case "http": ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host()?.lowercased())
        default: false
        }
    }
}

extension JSONValue {
    /// The string, unless it is empty: Firebase writes both for 'none'.
    var text: String? { string.flatMap { $0.isEmpty ? nil : $0 } }
}
