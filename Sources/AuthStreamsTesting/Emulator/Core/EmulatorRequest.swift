package import AuthStreams
package import Foundation
package import LoopbackHTTP

/// A parsed request to one emulated host.
package struct EmulatorRequest: Sendable {
    /// The method, such as `POST`.
    package internal(set) var method: String
    /// The production host, such as `kauth.kakao.com`.
    package let host: String
    /// The path on that host, percent-decoded, such as `/oauth/token`. Where an endpoint has several addresses, it is that of its
    /// documentation.
    package let path: String
    /// The parameters of the query.
    package let query: EmulatorParameters
    /// The parameters of a form body; empty for another content type.
    package let form: EmulatorParameters
    /// The whole body.
    package let body: Data
    /// Whether the app sent it, or another emulated service on its behalf.
    package let caller: EmulatorJournal.Caller
    /// How to invalidate the tokens in the answer, if a test requested it.
    package internal(set) var tokenFault: EmulatorFault.Token?
    /// The error to answer with, in the service's own dialect, if a test requested it.
    package internal(set) var requestedError: String?

    /// The values of the header fields by name, in lower case.
    private let headers: [String: [String]]

    /// Reads a request from the network; `nil` if its path does not begin with a host.
    init?(_ request: LoopbackRequest, caller: EmulatorJournal.Caller = .app) {
        guard let address = EmulatedAddress(request.path) else { return nil }
        method = request.method
        (host, path) = (address.host, address.path)
        query = EmulatorParameters(request.queryItems)
        form = EmulatorParameters(request.formItems)
        body = request.body
        headers = Self.byName(request.headers)
        self.caller = caller
    }

    /// Makes a request of one emulated service to another; see ``EmulatorContext/call(_:)``.
    package init(
        _ method: String, host: String, path: String, query: [(name: String, value: String)] = [],
        form: [(name: String, value: String)] = [], headers: [(name: String, value: String)] = []
    ) {
        self.method = method
        self.host = host
        self.path = path
        self.query = EmulatorParameters(query)
        self.form = EmulatorParameters(form)
        self.headers = Self.byName(headers)
        body = Data(FormCoding.encode(form).utf8)
        caller = .service
    }

    /// The first value of a header field; `name` in any case.
    package func header(_ name: String) -> String? { values(of: name).first }

    /// The values of all header fields of a name, in any case.
    func values(of name: String) -> [String] { headers[name.lowercased()] ?? [] }

    private static func byName(_ headers: [(name: String, value: String)]) -> [String: [String]] {
        Dictionary(headers.map { ($0.name.lowercased(), [$0.value]) }, uniquingKeysWith: +)
    }

    /// The body as JSON, or `nil` if it is not JSON.
    package var json: AuthJSON? { AuthJSON(json: body) }

    /// The token of `Authorization: Bearer` (RFC 6750 section 2.1); the scheme in any case.
    package var bearerToken: String? { token(of: "bearer ") }

    /// The token of `Authorization: DPoP` (RFC 9449 section 7.1); the scheme in any case.
    var dpopToken: String? { token(of: "dpop ") }

    private func token(of scheme: String) -> String? {
        guard let value = header("Authorization"), value.lowercased().hasPrefix(scheme) else { return nil }
        let token = value.dropFirst(scheme.count).trimmingCharacters(in: .whitespaces)
        return token.isEmpty ? nil : token
    }

    /// Whether it asks a token endpoint for tokens in place of earlier ones (RFC 6749 section 6).
    var isRefresh: Bool { form["grant_type"] == "refresh_token" }

    /// Method and path together, for one `switch` over a service's endpoints.
    package var endpoint: String { "\(method) \(path)" }

    /// Returns the answer if the method is one of the endpoint's, otherwise 405.
    package func taking(_ allowed: String..., answer: () -> LoopbackResponse) -> LoopbackResponse {
        allowed.contains(method) ? answer() : .methodNotAllowed(allowed.joined(separator: ", "))
    }
}

extension EmulatorRequest: CustomStringConvertible, CustomReflectable {
    /// Method, host and path; never parameters, headers or body.
    package var description: String { "\(method) \(host)\(path)" }
    /// A mirror without children, because the rest holds tokens.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The parameters of a query or a form, in order, with repetitions.
package struct EmulatorParameters: Sendable {
    /// All parameters.
    package let items: [(name: String, value: String)]

    package init(_ items: [(name: String, value: String)]) {
        self.items = items
    }

    /// The value of a parameter, or `nil` when it is absent or empty: a parameter without a value counts as omitted
    /// (RFC 6749 section 3.1).
    package subscript(name: String) -> String? {
        guard let value = items.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return value
    }

    /// The words of a parameter, which spaces separate, as in `scope` (RFC 6749 section 3.3).
    func words(_ name: String) -> Set<String> { Set((self[name] ?? "").split(separator: " ").map(String.init)) }

    /// The name of a repeated parameter, which no OAuth request may have (RFC 6749 section 3.1).
    package var repeated: String? {
        var seen: Set<String> = []
        return items.first { !seen.insert($0.name).inserted }?.name
    }

    /// The parameters of both, these first.
    package func merged(with other: Self) -> Self { Self(items + other.items) }
}
