package import AuthStreams
import Foundation

/// Validates ID tokens by all rules of OpenID Connect Core section 3.1.3.7, signature included.
package struct IDTokenValidator: Sendable {
    /// The rules for the claims.
    package let rules: IDTokenRules
    /// The issuer's keys.
    package let keys: IssuerKeys
    /// Provides the time for answers without a date.
    package let clock: AuthClock
    /// Whether this system verifies signatures. Tests simulate one that does not.
    var canVerify = Signatures.isAvailable
    /// Called with the reason where a token of the token endpoint is accepted without its signature, because the
    /// issuer's keys cannot be fetched and TLS authenticates the sender (rule 6). `nil`, the default, refuses such a
    /// token.
    var onMissingKeys: (@Sendable (AuthError) -> Void)?

    /// Makes a validator.
    package init(rules: IDTokenRules, keys: IssuerKeys, clock: AuthClock) {
        self.rules = rules
        self.keys = keys
        self.clock = clock
    }

    /// Validates a token. Its times are compared with the date of its answer, because the device's clock may be wrong.
    ///
    /// If this system cannot verify signatures, a token directly from the token endpoint is trusted because TLS
    /// authenticates the sender; one that came through the browser is refused.
    ///
    /// - Throws: `invalidIDToken`, `issuerMismatch`, `nonceMismatch`; `misconfigured` if a signature must be verified
    ///   and cannot be; or the error of fetching the keys.
    package func validate(_ token: Secret, in context: IDTokenContext) async throws(AuthError) -> IDToken {
        let judged = try rules.check(token, in: context, now: context.date ?? clock.date)
        if judged.header["alg"]?.string == HMAC.algorithm {
            guard let secret = rules.sharedSecret, HMAC.isSigned(token, with: secret) else { throw Self.wrongSignature }
            return judged
        }
        guard canVerify else {
            if context.channel == .tokenEndpoint { return judged }
            throw AuthError(.misconfigured, "This system cannot verify the ID token's signature. \(Signatures.advice)")
        }
        try await verifySignature(of: judged, from: context.channel)
        return judged
    }

    /// Keys that were fetched and refuse the token stay a reason to refuse it, also if newer ones cannot be fetched. Only
    /// a key that is not among them may be a newer one.
    private func verifySignature(
        of token: IDToken, from channel: IDTokenContext.Channel
    ) async throws(AuthError) {
        guard let signed = SignedToken(token) else {
            throw AuthError(
                .invalidIDToken, "The ID token was refused. Its signature is not Base64url or of an unknown kind.")
        }
        let (verdict, failure) = await keys.verdict(
            onKey: signed.keyID, algorithm: signed.algorithm, from: channel
        ) { key in rules.allows(key, of: token) && signed.isSigned(by: key) }
        switch (verdict, failure) {
        case (.verified, _): break
        case (nil, let failure?), (.noKey, let failure?):
            guard let onMissingKeys, channel == .tokenEndpoint, failure.classification.isTransient else {
                throw failure
            }
            onMissingKeys(failure)
        case (.mismatched, let failure?): throw failure
        case (.mismatched, nil): throw Self.wrongSignature
        case (.noKey, nil), (nil, nil):
            throw AuthError(
                .invalidIDToken, "The ID token was refused. Its issuer publishes no key that it may be signed by.")
        case (.ambiguous, _):
            throw AuthError(
                .invalidIDToken,
                "The ID token was refused. Its issuer publishes several keys that it may be signed by, and the token's "
                    + "`kid` does not tell by which.")
        }
    }

    private static var wrongSignature: AuthError {
        AuthError(.invalidIDToken, "The ID token was refused. Its signature does not verify with the issuer's keys.")
    }
}

/// The signed parts of a JSON Web Token (RFC 7515 section 5.2).
struct SignedToken: Sendable {
    let algorithm: JWSAlgorithm
    /// The name of the key, if the token has one.
    let keyID: String?
    private let signed: Data
    private let signature: Data

    /// `nil` unless the token's header has `alg`, and its signature is Base64url.
    init?(_ token: IDToken) {
        let text = token.token.reveal()
        let header = token.header
        guard let algorithm = header["alg"]?.string.flatMap(JWSAlgorithm.init),
            let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(String(text[text.utf8.index(after: dot)...]))
        else { return nil }
        self.algorithm = algorithm
        self.signature = signature
        keyID = header["kid"]?.string
        signed = Data(text[..<dot].utf8)
    }

    /// Returns whether the key made the signature.
    func isSigned(by key: JSONWebKey) -> Bool {
        // A weak or malformed key verifies nothing.
        (try? key.verificationKey?.verify(signature, of: signed, algorithm: algorithm)) ?? false
    }
}
