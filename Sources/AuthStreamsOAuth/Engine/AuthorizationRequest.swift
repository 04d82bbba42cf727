public import AuthStreams
public import Foundation

/// The request that a person's browser takes to the authorization endpoint (RFC 6749 section 4.1.1).
public struct AuthorizationRequest: Sendable {
    /// The authorization endpoint.
    package let endpoint: URL
    /// The parameters in order, without the redirect URI until it is known.
    private var fields: [(name: String, value: String)] = []
    /// The name of the parameter with the redirect URI: another one on a log-out page; `nil` if the server has it
    /// already.
    var redirectName: String? = "redirect_uri"

    /// Makes a request with `client_id`, `response_type` and `state`.
    ///
    /// - Parameters:
    ///   - endpoint: The authorization endpoint. Its own query is kept.
    ///   - clientID: The client ID.
    ///   - responseType: `code` unless given.
    ///   - state: The attempt's `state`.
    public init(endpoint: URL, clientID: String, responseType: String = "code", state: Secret) {
        self.endpoint = endpoint
        set("client_id", clientID)
        set("response_type", responseType)
        set("state", state.reveal())
    }

    /// A parameter; `nil` if it is not set.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Sets a parameter, replacing one of the same name: no parameter may be repeated (RFC 6749 section 3.1).
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - value: `nil` and the empty string leave the parameter out.
    public mutating func set(_ name: String, _ value: String?) {
        fields.removeAll { $0.name == name }
        if let value, !value.isEmpty { fields.append((name, value)) }
    }

    /// Sets a parameter that is a list of words separated by spaces, each once and in order, such as `scope`.
    public mutating func set(_ name: String, words: [String]) {
        var seen: Set<String> = [""]
        set(name, words.filter { seen.insert($0).inserted }.joined(separator: " "))
    }

    /// Adds the challenge of a proof key (RFC 7636 section 4.3).
    public mutating func challenge(with key: PKCE) {
        set("code_challenge", key.challenge)
        set("code_challenge_method", "S256")
    }

    /// Takes the challenge away, for a server that has no PKCE.
    public mutating func removeChallenge() {
        set("code_challenge", nil)
        set("code_challenge_method", nil)
    }

    /// Checks that the parameters can be read by the server alone, and that the endpoint's own query repeats none of them
    /// (RFC 6749 sections 3.1 and 3.1.2.1).
    ///
    /// - Throws: `misconfigured`.
    func validate() throws(AuthError) {
        guard endpoint.keepsSecrets else {
            throw AuthError(
                .misconfigured,
                "The authorization endpoint is no https URL. Correct it.\(endpoint.privateNetworkAdvice)")
        }
        let own = Set(fields.map(\.name)).union(redirectName.map { [$0] } ?? [])
        let query = endpoint.query(percentEncoded: true).map { FormCoding.decode($0) } ?? []
        guard let query, own.isDisjoint(with: query.map(\.name)) else {
            throw AuthError(
                .misconfigured,
                """
                The authorization endpoint's own query is malformed, or has a parameter of the request. Correct its URL: \
                in the configuration, or at the issuer that publishes it.
                """)
        }
    }

    /// Returns the URL to open.
    ///
    /// Percent-encoded strictly, a space as `%20`: Apple does not accept `+` for a space.
    package func url(redirectURI: URL) -> URL {
        let own = FormCoding.encode(parameters(redirectURI: redirectURI))
        guard var parts = URLComponents(url: endpoint, resolvingAgainstBaseURL: true) else { return endpoint }
        parts.percentEncodedQuery = [parts.percentEncodedQuery, own].compactMap(\.self).joined(separator: "&")
        return parts.url ?? endpoint
    }

    /// The parameters in order.
    func parameters(redirectURI: URL) -> [(name: String, value: String)] {
        guard let redirectName else { return fields }
        return fields.filter { $0.name != redirectName } + [(redirectName, redirectURI.absoluteString)]
    }

    /// Returns the request for the same page after its parameters were pushed (RFC 9126 section 4).
    func pushed(as requestURI: Secret) -> Self {
        var request = self
        request.fields.removeAll { $0.name != "client_id" }
        request.set("request_uri", requestURI.reveal())
        request.redirectName = nil
        return request
    }
}

extension AuthorizationRequest: DescriptionOnly {
    /// The endpoint; never the parameters, which hold the state.
    public var description: String { "authorization at \(AuthError.scrubbed(endpoint))" }
}
