package import AuthStreams
package import Foundation
package import LoopbackHTTP

/// A request to one emulated host, with what a service asks of it already read.
package struct EmulatorRequest: Sendable {
    /// The method, such as `POST`.
    package let method: String
    /// The production host, such as `kauth.kakao.com`.
    package let host: String
    /// The path on that host, percent-decoded, such as `/oauth/token`.
    package let path: String
    /// The parameters of the query.
    package let query: EmulatorParameters
    /// The parameters of a form body; empty for another content type.
    package let form: EmulatorParameters
    /// The whole body.
    package let body: Data
    /// Whether the app sent it, or another emulated service did on its behalf.
    package let caller: EmulatorJournal.Caller
    /// How the tokens in the answer are to be spoiled, if a test asked for it.
    package internal(set) var tokenFault: EmulatorFault.Token?
    /// The error to answer with, in the service's own dialect, if a test asked for it.
    package internal(set) var requestedError: String?

    private let headers: [(name: String, value: String)]

    /// Reads a request from the wire; `nil` when its path does not begin with a host.
    init?(_ request: LoopbackRequest) {
        let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        guard request.path.hasPrefix("/"), let host = parts.first, host.contains(".") else { return nil }
        method = request.method
        self.host = host.lowercased()
        path = "/" + (parts.count > 1 ? String(parts[1]) : "")
        query = EmulatorParameters(request.queryItems)
        form = EmulatorParameters(request.formItems)
        body = request.body
        headers = request.headers
        caller = .app
    }

    /// Makes a request of one emulated service to another, as a server makes it; see ``EmulatorContext/call(_:)``.
    package init(
        _ method: String, host: String, path: String, query: [(name: String, value: String)] = [],
        form: [(name: String, value: String)] = [], headers: [(name: String, value: String)] = []
    ) {
        self.method = method
        self.host = host
        self.path = path
        self.query = EmulatorParameters(query)
        self.form = EmulatorParameters(form)
        self.headers = headers
        body = Data(FormCoding.encode(form).utf8)
        caller = .service
    }

    /// The first value of a header field; `name` in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The body as JSON, or `nil` when it is none.
    package var json: JSONValue? { JSONValue(json: body) }

    /// The token of `Authorization: Bearer` (RFC 6750 section 2.1); the scheme in any case.
    package var bearerToken: String? {
        guard let value = header("Authorization"), value.lowercased().hasPrefix("bearer ") else { return nil }
        let token = value.dropFirst("bearer ".count).trimmingCharacters(in: .whitespaces)
        return token.isEmpty ? nil : token
    }

    /// Method and path together, for one `switch` over a service's endpoints.
    package var endpoint: String { "\(method) \(path)" }

    /// Answers, if the method is the one the endpoint takes, else with 405.
    package func taking(_ allowed: String, _ answer: () -> LoopbackResponse) -> LoopbackResponse {
        method == allowed ? answer() : .methodNotAllowed(allowed)
    }
}

extension EmulatorRequest: CustomStringConvertible, CustomReflectable {
    /// Method, host and path; never parameters, headers or body.
    package var description: String { "\(method) \(host)\(path)" }
    /// A mirror without children, because the rest holds tokens.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
