public import AuthStreams
public import Foundation

/// Recognizes and reads the callback of an attempt.
///
/// The order is that of RFC 6749 section 10.12: the URL, then `state`, and only then the other parameters. Unknown
/// parameters are ignored (section 4.1.2).
public struct ExpectedCallback: Sendable {
    /// The attempt's `state`; `nil` only for an app-to-app flow without one, which PKCE or a nonce protects.
    package let state: Secret?
    /// The requested issuer (RFC 9207); `nil` if the provider does not name itself.
    package var issuer: String?
    /// Whether an answer without `iss` is refused, as required if the provider's metadata promises one.
    package var isIssuerRequired = false
    /// The provider's own error codes.
    package var dialect: OAuthFailure.Dialect

    /// Makes an expectation.
    ///
    /// - Parameters:
    ///   - state: The attempt's `state`; `nil` only for an app-to-app flow without one.
    ///   - issuer: The requested issuer; `nil` if the provider does not name itself.
    ///   - isIssuerRequired: Whether an answer without `iss` is refused.
    ///   - dialect: Translates the provider's own errors.
    public init(
        state: Secret?, issuer: String? = nil, isIssuerRequired: Bool = false,
        dialect: @escaping OAuthFailure.Dialect = { _ in nil }
    ) {
        self.state = state
        self.issuer = issuer
        self.isIssuerRequired = isIssuerRequired
        self.dialect = dialect
    }

    /// Returns whether the URL answers this attempt: the right URL and the right `state`, stated once. It may be a
    /// refusal.
    public func accepts(_ url: URL, redirectURI: URL) -> Bool {
        guard isPlace(url, redirectURI), let fields = Self.fields(of: url) else { return false }
        return hasState(fields)
    }

    private func isPlace(_ url: URL, _ redirectURI: URL) -> Bool {
        RedirectURI.matches(url, redirectURI, ignoresLastSlash: state != nil)
    }

    /// Returns whether the URL has the form of an answer: the right URL, each parameter stated once, and the provider's
    /// form of a callback.
    ///
    /// For app-to-app flows without `state`: any app can make such a URL, so only the form can be checked.
    func accepts(
        _ url: URL, redirectURI: URL, ifWellFormed isWellFormed: (AuthorizationCallback) -> Bool
    ) -> Bool {
        guard accepts(url, redirectURI: redirectURI), let fields = Self.fields(of: url) else { return false }
        let values = Dictionary(fields) { first, _ in first }
        return values.count == fields.count && isWellFormed(AuthorizationCallback(fields: values))
    }

    /// Reads a callback.
    ///
    /// - Throws: `invalidResponse` for another URL or a malformed one, `stateMismatch`, `issuerMismatch`, or the
    ///   provider's error.
    public func parse(_ url: URL, redirectURI: URL) throws(AuthError) -> AuthorizationCallback {
        guard isPlace(url, redirectURI) else {
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
            let failure = OAuthFailure(
                origin: .callback, error: error, members: values.mapValues(AuthJSON.string),
                hiding: state.map { [$0] } ?? [])
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
        // Simple string comparison, as RFC 9207 section 2.4 requires.
        if let sent, !(TenantTemplate(issuer)?.includes(sent) ?? (sent == issuer)) {
            throw AuthError(
                .issuerMismatch, "The callback names another issuer than the one that was asked. Start over.")
        }
        if sent == nil, isIssuerRequired {
            throw AuthError(
                .issuerMismatch, "The callback names no issuer, though this provider promises to (RFC 9207).")
        }
    }

    /// The query's fields, without a description that cannot be decoded; the fragment is never read.
    private static func fields(of url: URL) -> [(String, String)]? {
        guard let query = url.query(percentEncoded: true) else { return [] }
        return FormCoding.decodeCallback(query)?.map { ($0.name, $0.value) }
    }
}

/// The parameters of a provider's answer, after they were checked against the attempt.
public struct AuthorizationCallback: Sendable {
    private let fields: [String: String]

    /// An answer without parameters.
    static let none = AuthorizationCallback(fields: [:])

    init(fields: [String: String]) {
        self.fields = fields
    }

    /// A parameter; `nil` if it is absent or empty.
    public subscript(name: String) -> String? {
        guard let value = fields[name], !value.isEmpty else { return nil }
        return value
    }

    /// Returns whether exactly one of the parameters is present, in visible ASCII (RFC 6749 appendix A).
    func hasExactlyOne(of names: String...) -> Bool {
        let values = names.compactMap { self[$0] }
        return values.count == 1 && values[0].utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The authorization code.
    ///
    /// - Throws: `invalidResponse` if there is none.
    public func code(_ name: String = "code") throws(AuthError) -> Secret {
        guard let code = self[name] else {
            throw AuthError(.invalidResponse, "The callback has neither a code nor an error. Start over.")
        }
        return Secret(code)
    }
}

extension AuthorizationCallback: DescriptionOnly {
    /// The names of the parameters; never their values, which hold code and tokens.
    public var description: String { "callback with \(fields.keys.sorted().joined(separator: ", "))" }
}
