public import AuthStreams
public import Foundation

/// A checked answer of an authorization page, with the values that its code and its ID token are checked by.
///
/// It is of one attempt and redeemed once.
public struct AuthorizationGrant: Sendable {
    /// The answer's parameters.
    public let callback: AuthorizationCallback
    /// The redirect URI that the token request repeats (RFC 6749 section 4.1.3); `nil` if the request had none.
    public let redirectURI: URL?
    /// The PKCE verifier; `nil` if the request had no challenge.
    public let verifier: Secret?
    /// The `nonce` that the ID token must repeat, as it was sent; `nil` if none was sent.
    public let nonce: Secret?
    /// The nonce before any hashing, for the credential.
    var rawNonce: Secret?
    /// How long ago the person may have logged in, from `max_age`; `nil` if not requested.
    package let maximumAge: Duration?
    /// The accepted values of `acr`, from `acr_values`; empty if not requested.
    package let acceptedACRs: Set<String>
    /// The scopes that a page requested, which a token response without `scope` grants (RFC 6749 section 5.1); `nil` if it
    /// named none, or the answer came by another way.
    public internal(set) var scopes: [String]?
    /// Whether only the person's browser or the provider's app can have sent the answer; see `Credential.isBound`, which repeats it.
    public let isBound: Bool
    /// How long the person took to answer, by which a log-in may be older than ``maximumAge`` when the ID token arrives.
    package let elapsed: Duration
    /// Receives the errors of the token request and of the ID token that do not end the attempt.
    var onWarning: @Sendable (AuthError) -> Void = { _ in }

    /// Makes the grant of an answer that came by another way than a page, such as a provider's app.
    ///
    /// - Parameters:
    ///   - callback: The answer, from ``ExpectedCallback/parse(_:redirectURI:)``.
    ///   - redirectURI: The redirect URI of the request.
    ///   - verifier: The verifier whose challenge was sent.
    ///   - nonce: The nonce as it was sent.
    ///   - maximumAge: The `max_age` that was sent.
    ///   - acceptedACRs: The `acr_values` that were sent.
    ///   - elapsed: How long the person took to answer.
    ///   - isBound: Whether only the person's browser or the provider's app can have sent the answer; `false` unless given.
    public init(
        callback: AuthorizationCallback, redirectURI: URL?, verifier: Secret?, nonce: Secret?,
        maximumAge: Duration? = nil, acceptedACRs: Set<String> = [], elapsed: Duration = .zero, isBound: Bool = false
    ) {
        self.callback = callback
        self.redirectURI = redirectURI
        self.verifier = verifier
        self.nonce = nonce
        (self.maximumAge, self.acceptedACRs, self.elapsed) = (maximumAge, acceptedACRs, elapsed)
        self.isBound = isBound
        rawNonce = nonce
    }

    /// The grant of a request without a page, such as a refresh.
    static func withoutPage(onWarning: @escaping @Sendable (AuthError) -> Void = { _ in }) -> Self {
        var grant = AuthorizationGrant(callback: .none, redirectURI: nil, verifier: nil, nonce: nil)
        grant.onWarning = onWarning
        return grant
    }

    /// Makes the grant of an attempt's answer.
    ///
    /// - Parameters:
    ///   - attempt: The attempt, of this process or an earlier one.
    ///   - url: The callback URL.
    ///   - elapsed: How long the person took to answer.
    ///   - dialect: Translates the provider's own errors.
    ///   - request: The request of the attempt, which receives warnings.
    /// - Throws: `AuthError`; those of ``ExpectedCallback/parse(_:redirectURI:)``.
    init(
        of attempt: PendingAttempt, answeredBy url: URL, elapsed: Duration, _ dialect: @escaping OAuthFailure.Dialect,
        for request: AuthRequest
    ) throws(AuthError) {
        let expected = ExpectedCallback(
            state: attempt.state, issuer: attempt.issuer, isIssuerRequired: attempt.isIssuerRequired, dialect: dialect)
        self.init(
            callback: try expected.parse(url, redirectURI: attempt.callbackURL), redirectURI: attempt.redirectURI,
            verifier: attempt.verifier, nonce: attempt.nonce, maximumAge: attempt.maximumAge,
            acceptedACRs: attempt.acceptedACRs, elapsed: elapsed, isBound: attempt.isBound)
        rawNonce = attempt.rawNonce
        scopes = attempt.scopes
        onWarning = request.onWarning
    }

    /// What an ID token of this grant is checked by.
    func context(
        _ channel: IDTokenContext.Channel, accessToken: Secret? = nil, code: Secret? = nil, date: Date? = nil
    ) -> IDTokenContext {
        var context = IDTokenContext(
            channel: channel, nonce: nonce, accessToken: accessToken, code: code, date: date)
        context.maximumAge = maximumAge
        context.acceptedACRs = acceptedACRs
        context.elapsed = elapsed
        context.issuer = callback["iss"]
        return context
    }
}

extension AuthorizationGrant: DescriptionOnly {
    /// A fixed text without content of the answer, which holds secrets.
    public var description: String { "authorization grant" }
}
