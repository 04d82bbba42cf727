package import AuthStreams
package import Foundation

/// The request that a person's browser takes to the authorization endpoint (RFC 6749 section 4.1.1).
package struct AuthorizationRequest: Sendable {
    package let endpoint: URL
    /// The parameters in order, without `redirect_uri` until it is known.
    package private(set) var fields: [(name: String, value: String)]

    /// - Parameter responseType: `code` unless given.
    package init(endpoint: URL, clientID: String, responseType: String = "code", state: Secret) {
        self.endpoint = endpoint
        fields = [("client_id", clientID), ("response_type", responseType), ("state", state.reveal())]
    }

    /// Sets a parameter, replacing one of the same name: no parameter may be repeated (RFC 6749 section 3.1).
    ///
    /// - Parameter value: `nil` and the empty string leave the parameter out.
    package mutating func set(_ name: String, _ value: String?) {
        fields.removeAll { $0.name == name }
        if let value, !value.isEmpty { fields.append((name, value)) }
    }

    /// Returns whether a parameter is set, or is set later.
    package func has(_ name: String) -> Bool { name == "redirect_uri" || fields.contains { $0.name == name } }

    /// Adds the challenge of a proof key (RFC 7636 section 4.3).
    package mutating func challenge(with key: PKCE) {
        set("code_challenge", key.challenge)
        set("code_challenge_method", "S256")
    }

    /// Checks that the endpoint's own query repeats none of the parameters (RFC 6749 section 3.1).
    ///
    /// - Throws: `misconfigured`.
    func validate() throws(AuthError) {
        let own = Set(fields.map(\.name)).union(["redirect_uri"])
        let query = endpoint.query(percentEncoded: true).map { FormCoding.decode($0) } ?? []
        guard let query, own.isDisjoint(with: query.map(\.name)) else {
            throw AuthError(
                .misconfigured,
                "The authorization endpoint's own query is malformed, or has a parameter of the request. Correct its URL."
            )
        }
    }

    /// Returns the URL to open.
    ///
    /// Percent-encoded strictly, a space as `%20`: Apple does not accept `+` for a space.
    package func url(redirectURI: URL) -> URL {
        let redirect = [(name: "redirect_uri", value: redirectURI.absoluteString)]
        let own = FormCoding.encode(fields.filter { $0.name != "redirect_uri" } + redirect)
        guard var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else { return endpoint }
        parts.percentEncodedQuery = [parts.percentEncodedQuery, own].compactMap(\.self).joined(separator: "&")
        return parts.url ?? endpoint
    }
}

extension AuthorizationRequest: CustomStringConvertible, CustomReflectable {
    /// The endpoint; never the parameters.
    package var description: String { "authorization at \(AuthError.scrubbed(endpoint))" }
    /// A mirror without children, because the parameters hold the state.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Scopes in order, each once.
package func joinedScopes(_ scopes: [String]) -> String {
    var seen: Set<String> = []
    return scopes.filter { seen.insert($0).inserted }.joined(separator: " ")
}
