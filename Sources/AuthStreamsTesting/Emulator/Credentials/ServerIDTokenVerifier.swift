import AuthStreams
import AuthStreamsOAuth
import Foundation

/// The rules by which a server checks an app's ID token (OpenID Connect Core section 3.1.3.7).
struct ServerIDTokenVerifier {
    enum NonceRule {
        /// The nonce that the app sends.
        case raw
        /// Its SHA-256 in hexadecimal, as in Apple's tokens.
        case hashed
        /// The same, if the app sends one.
        case hashedIfSent
    }

    /// The issuer, as production writes it.
    let issuer: String
    /// The accepted audiences.
    let audiences: Set<String>
    /// What the nonce in a token is compared with.
    var nonceRule = NonceRule.raw

    private static let clockSkew: TimeInterval = 60

    private var keyHost: String { URL(string: issuer)?.host() ?? issuer }

    /// Checks an ID token.
    ///
    /// - Parameter rawNonce: The attempt's nonce before any hashing; `nil` if the app sent none.
    /// - Returns: The claims of a valid token.
    func claims(
        of token: String, rawNonce: String?, in context: EmulatorContext
    ) throws(CredentialRefusal) -> [String: AuthJSON] {
        let claims = try claims(ofSigned: token, in: context)
        guard claims["sub"]?.string?.isEmpty == false else { throw .refused("The ID token lacks sub.") }
        try check(nonce: claims["nonce"]?.string, against: rawNonce)
        return claims
    }

    /// Checks who signed a token, for whom, and when.
    ///
    /// - Returns: Its claims.
    func claims(ofSigned token: String, in context: EmulatorContext) throws(CredentialRefusal) -> [String: AuthJSON] {
        guard let jwt = JSONWebToken(Secret(token)), let claims = jwt.claims.object else {
            throw .refused("The token is not a JSON Web Token.")
        }
        guard let named = claims["iss"]?.string, context.isIssuer(named, issuer) else {
            Mismatch.note("iss", claims["iss"]?.string, [context.issuer(issuer)], remedy: .issuerNames)
            throw .refused("The token has another issuer than the provider.")
        }
        guard context.signer.verifies(jwt, token, byKeyOf: keyHost) else {
            throw .refused("The token's signature is not the provider's.")
        }
        let audience = claims["aud"]?.string.map { [$0] } ?? claims["aud"]?.array?.compactMap(\.string) ?? []
        guard !audience.isEmpty, audiences.isSuperset(of: audience) else {
            Mismatch.note(
                "aud", audience.joined(separator: ", "), audiences.sorted(),
                remedy: .use(["apple", "google", "kakao"]))
            throw .refused("The audience in the token is not a client of this project.")
        }
        guard let expiry = claims["exp"]?.lenientInteger, let issued = claims["iat"]?.lenientInteger else {
            throw .refused("The token lacks exp or iat.")
        }
        let now = context.now.timeIntervalSince1970
        guard now < TimeInterval(expiry) else { throw .refused("The token is expired.") }
        guard TimeInterval(issued) <= now + Self.clockSkew else {
            throw .refused("The token was issued in the future.")
        }
        return claims
    }

    private func check(nonce: String?, against rawNonce: String?) throws(CredentialRefusal) {
        if rawNonce == nil, nonceRule == .hashedIfSent { return }
        let expected = nonceRule == .raw ? rawNonce : rawNonce.map { SHA256.hex($0) }
        guard nonce != expected else { return }
        Mismatch.note(
            "nonce", nonce.map(SecretMasks.start), [expected].compactMap(\.self).map(SecretMasks.start),
            remedy: .sameNonce)
        if nonce == nil { throw .nonce("A nonce was sent, and the ID token has none.") }
        if rawNonce == nil { throw .nonce("The ID token has a nonce, and none was sent.") }
        throw .nonce("The nonce is not the one in the ID token.")
    }
}

extension ServerIDTokenVerifier {
    /// Apple's ID tokens, for the web and for the app.
    static func apple(in configuration: EmulatorConfiguration) -> Self {
        Self(
            issuer: "https://appleid.apple.com",
            audiences: [configuration.apple.servicesID, configuration.apple.bundleID], nonceRule: .hashed)
    }

    /// Google's ID tokens, for any client of the app.
    static func google(in configuration: EmulatorConfiguration) -> Self {
        Self(issuer: "https://accounts.google.com", audiences: Set(configuration.google.clients.map(\.id)))
    }

    /// Kakao's ID tokens, for any key of the app.
    static func kakao(in configuration: EmulatorConfiguration) -> Self {
        Self(
            issuer: "https://kauth.kakao.com",
            audiences: configuration.kakao.keys(ofApp: configuration.kakao.appID))
    }
}

extension AppleNotification {
    /// Reads and checks a notification, as a server does.
    ///
    /// - Throws: `CredentialRefusal` if it is not Apple's, not for this app, or cannot be read.
    init(_ request: EmulatorRequest, in context: EmulatorContext) throws(CredentialRefusal) {
        guard let token = request.json?["payload"]?.string else { throw .refused("The body has no payload.") }
        let claims = try ServerIDTokenVerifier.apple(in: context.configuration).claims(ofSigned: token, in: context)
        // The claim is an object, or its text.
        let event = claims["events"]?.string.flatMap { AuthJSON(json: Data($0.utf8)) } ?? claims["events"]
        guard let type = event?["type"]?.string, let userID = event?["sub"]?.string,
            let milliseconds = event?["event_time"]?.lenientInteger
        else { throw .refused("The event lacks type, sub or event_time.") }
        self.init(
            Event(rawValue: type), of: userID, at: Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000),
            for: claims["aud"]?.string)
    }
}
