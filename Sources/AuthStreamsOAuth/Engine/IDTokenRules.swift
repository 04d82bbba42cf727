package import AuthStreams
package import Foundation

/// The rules of OpenID Connect Core section 3.1.3.7 for the claims of an ID token, all but the signature.
///
/// Rules 1, 8, 12 and 13 have no part here: encryption and HMAC are never registered, `acr` and `max_age` never asked for.
package struct IDTokenRules: Sendable {
    /// Who may have issued it. Google has two spellings of itself.
    package var issuers: Set<String>
    /// The client it must be for.
    package var clientID: String
    /// Audiences that may stand beside the client.
    package var trustedAudiences: Set<String> = []
    /// The app's server, where tokens were asked for on its behalf. Such a token is for the server alone and names the
    /// client as the one that asked (`azp`), which it must, because its audience no longer does.
    package var serverClientID: String?
    /// How it may be signed. Never `none`, never HMAC, whatever the token says.
    package var algorithms = Set(JWSAlgorithm.allCases)

    /// How far the two clocks may differ at expiry, in seconds.
    static let skew: TimeInterval = 60
    /// How far ahead of the device's clock a token may have been issued, in seconds. Age is limited by its expiry, and
    /// replay by the nonce, so that a device whose clock is minutes off can still sign in.
    static let futureTolerance: TimeInterval = 600

    package init(issuers: Set<String>, clientID: String) {
        self.issuers = issuers
        self.clientID = clientID
    }

    /// Judges a token.
    ///
    /// - Parameter now: The date now.
    /// - Throws: `invalidIDToken`, `issuerMismatch` or `nonceMismatch`, with the rule that was broken.
    package func check(
        _ token: Secret, in context: IDTokenContext, now: Date
    ) throws(AuthError) -> IDToken {
        let identified = try identify(token, in: context)
        let claims = identified.claims
        try checkTimes(claims, now: now)
        try Self.checkHash(claims["at_hash"], of: context.accessToken, "at_hash does not fit the access token.")
        try Self.checkHash(claims["c_hash"], of: context.code, "c_hash does not fit the authorization code.")
        return identified
    }

    /// Reads whose token it is: of this issuer, for this client, and of this attempt. Whether it is still good is not judged.
    ///
    /// - Throws: `invalidIDToken`, `issuerMismatch` or `nonceMismatch`, with the rule that was broken.
    package func identify(_ token: Secret, in context: IDTokenContext) throws(AuthError) -> IDToken {
        guard let parsed = JSONWebToken(token) else {
            throw Self.broken("It is not a signed JSON Web Token.")
        }
        let claims = parsed.claims
        try checkHeader(parsed.header)
        guard let issuer = claims["iss"]?.string, issuers.contains(issuer) else {
            throw AuthError(
                .issuerMismatch, "The ID token's issuer is not the configured one. Compare issuer and endpoints.")
        }
        try checkAudience(claims)
        try checkNonce(claims, context.nonce)
        guard let subject = claims["sub"]?.string, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ $0 < 0x80 })
        else { throw Self.broken("Its subject is not 1 to 255 ASCII characters.") }
        return IDToken(token: token, subject: subject, claims: claims, header: parsed.header)
    }

    private func checkHeader(_ header: JSONValue) throws(AuthError) {
        guard let algorithm = header["alg"]?.string.flatMap(JWSAlgorithm.init), algorithms.contains(algorithm) else {
            throw Self.broken("It is not signed by an algorithm that is allowed here.")
        }
        guard header["crit"] == nil else {
            throw Self.broken("Its header has critical extensions, and none is known here (RFC 7515 section 4.1.11).")
        }
    }

    private func checkAudience(_ claims: JSONValue) throws(AuthError) {
        let audiences = claims["aud"]?.array?.map(\.string) ?? [claims["aud"]?.string]
        if let serverClientID, audiences == [serverClientID] {
            guard claims["azp"] == .string(clientID) else {
                throw Self.broken("It is for the app's server, and this client did not ask for it (azp).")
            }
            return
        }
        guard audiences.contains(clientID) else {
            throw Self.broken("Its audience is another client. Compare the client ID with the provider's console.")
        }
        guard audiences.allSatisfy({ $0.map { $0 == clientID || trustedAudiences.contains($0) } ?? false }) else {
            throw Self.broken("It names a further audience that is not trusted.")
        }
        switch claims["azp"] {
        case nil where audiences.count > 1: throw Self.broken("It has several audiences and no authorized party.")
        case nil, .string(clientID): break
        default: throw Self.broken("Its authorized party (azp) is another client.")
        }
    }

    private func checkTimes(_ claims: JSONValue, now: Date) throws(AuthError) {
        let present = now.timeIntervalSince1970
        guard let expiry = Self.seconds(claims["exp"]), let issued = Self.seconds(claims["iat"]) else {
            throw Self.broken("It does not say when it was issued and when it expires.")
        }
        guard present < expiry + Self.skew else {
            throw Self.broken("It has expired. If the device's clock is wrong, correct it.")
        }
        guard issued <= present + Self.futureTolerance, issued <= expiry else {
            throw Self.broken("It was issued in the future. If the device's clock is wrong, correct it.")
        }
    }

    private func checkNonce(_ claims: JSONValue, _ expected: Secret?) throws(AuthError) {
        guard let expected else { return }
        // `Secret` compares in constant time.
        guard let sent = claims["nonce"]?.string, Secret(sent) == expected else {
            throw AuthError(
                .nonceMismatch, "The ID token's nonce is missing or of another attempt. Start over; do not retry.")
        }
    }

    /// Left half of SHA-256, which all allowed algorithms use (OpenID Connect Core 3.1.3.8 and 3.3.2.11).
    private static func checkHash(_ claim: JSONValue?, of value: Secret?, _ broken: String) throws(AuthError) {
        guard let claim, let value else { return }
        let half = SHA256.hash(value.reveal().utf8).prefix(16)
        guard let sent = claim.string, Secret(sent) == Secret(Base64URL.encode(half)) else { throw Self.broken(broken) }
    }

    private static func seconds(_ claim: JSONValue?) -> TimeInterval? {
        switch claim {
        case .integer(let value): TimeInterval(value)
        case .number(let value): value
        default: nil
        }
    }

    private static func broken(_ rule: String) -> AuthError {
        AuthError(.invalidIDToken, "The ID token was refused. \(rule)")
    }
}
