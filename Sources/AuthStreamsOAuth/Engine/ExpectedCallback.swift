package import AuthStreams
package import Foundation

/// What a callback must be to answer an attempt, and how to read it.
///
/// The order is that of RFC 6749 section 10.12: the place, then `state`, and only then what it says. Parameters this
/// library does not know are ignored (section 4.1.2).
package struct ExpectedCallback: Sendable {
    /// The attempt's `state`; `nil` only for an app-to-app flow that knows none, where PKCE or a nonce protects it.
    package let state: Secret?
    /// The issuer that was asked (RFC 9207); `nil` when the provider does not name itself.
    package var issuer: String?
    /// Whether an answer without `iss` is refused, as it must be when the provider's metadata promises one.
    package var isIssuerRequired = false
    /// How this provider words its errors.
    package var dialect: OAuthFailure.Dialect

    package init(
        state: Secret?, issuer: String? = nil, isIssuerRequired: Bool = false,
        dialect: @escaping OAuthFailure.Dialect = { _ in nil }
    ) {
        self.state = state
        self.issuer = issuer
        self.isIssuerRequired = isIssuerRequired
        self.dialect = dialect
    }

    /// Whether the URL answers this attempt at all: right place, right `state`, stated once. It may be a refusal.
    package func accepts(_ url: URL, redirectURI: URL) -> Bool {
        guard RedirectURI.matches(url, redirectURI), let fields = Self.fields(of: url) else { return false }
        return hasState(fields)
    }

    /// Whether the URL has the form of an answer: right place, each parameter stated once, and what the provider says a
    /// callback holds.
    ///
    /// For app-to-app flows without `state`, where any app can write the URL and the form is all that can be checked.
    package func accepts(
        _ url: URL, redirectURI: URL, ifWellFormed isWellFormed: (AuthorizationCallback) -> Bool
    ) -> Bool {
        guard accepts(url, redirectURI: redirectURI), let fields = Self.fields(of: url) else { return false }
        let values = Dictionary(fields) { first, _ in first }
        return values.count == fields.count && isWellFormed(AuthorizationCallback(fields: values))
    }

    /// Reads a callback.
    ///
    /// - Throws: `invalidResponse` for another place or broken form, `stateMismatch`, `issuerMismatch`, or the error that
    ///   the provider sent.
    package func parse(_ url: URL, redirectURI: URL) throws(AuthError) -> AuthorizationCallback {
        guard RedirectURI.matches(url, redirectURI) else {
            throw AuthError(
                .invalidResponse, "The callback came to another place than the redirect URI of this attempt.")
        }
        guard let fields = Self.fields(of: url) else {
            throw AuthError(.invalidResponse, "The callback's query is not validly percent-encoded.")
        }
        guard hasState(fields) else {
            throw AuthError(
                .stateMismatch, "The callback's state is missing, repeated or of another attempt. Start over.")
        }
        let values = Dictionary(fields) { first, _ in first }
        guard values.count == fields.count else {
            throw AuthError(.invalidResponse, "The callback repeats a parameter, which RFC 6749 section 3.1 forbids.")
        }
        try checkIssuer(values["iss"])
        if let error = values["error"], !error.isEmpty {
            let failure = OAuthFailure(origin: .callback, error: error, members: values.mapValues(JSONValue.string))
            throw failure.authError(dialect)
        }
        return AuthorizationCallback(fields: values)
    }

    private func hasState(_ fields: [(String, String)]) -> Bool {
        guard let state else { return true }
        let sent = fields.filter { $0.0 == "state" }
        // `Secret` compares in constant time.
        return sent.count == 1 && sent.allSatisfy { Secret($0.1) == state }
    }

    private func checkIssuer(_ sent: String?) throws(AuthError) {
        guard let issuer else { return }
        // Simple string comparison, as RFC 9207 section 2.4 wants it.
        if let sent, sent != issuer {
            throw AuthError(
                .issuerMismatch, "The callback names another issuer than the one that was asked. Start over.")
        }
        if sent == nil, isIssuerRequired {
            throw AuthError(
                .issuerMismatch, "The callback names no issuer, though this provider promises to (RFC 9207).")
        }
    }

    /// The query's fields; the fragment is never read.
    private static func fields(of url: URL) -> [(String, String)]? {
        guard let query = url.query(percentEncoded: true) else { return [] }
        return FormCoding.decode(query)?.map { ($0.name, $0.value) }
    }
}
