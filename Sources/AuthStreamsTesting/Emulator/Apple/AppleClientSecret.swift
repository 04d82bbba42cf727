import AuthStreams
public import Foundation

/// The signed JWT by which a server authenticates to Apple.
enum AppleClientSecret {
    /// The longest lifetime that Apple accepts: about six months, in seconds.
    static let longestLifetime: Int64 = 15_777_000

    static func isGood(
        _ secret: String, clientID: String, apple: EmulatorConfiguration.Apple, _ context: EmulatorContext
    ) -> Bool {
        guard let jwt = JSONWebToken(Secret(secret)), let (input, signature) = TokenSigner.parts(secret),
            let issued = jwt.claims["iat"]?.lenientInteger, let expiry = jwt.claims["exp"]?.lenientInteger
        else { return false }
        let now = Int64(context.now.timeIntervalSince1970)
        let isOurs =
            jwt.header["alg"] == "ES256" && jwt.header["kid"]?.string == apple.keyID
            && jwt.claims["iss"]?.string == apple.teamID && jwt.claims["sub"]?.string == clientID
            && jwt.claims["aud"]?.string == AppleAccount.issuer
        let isInTime = expiry > now && issued <= now + 60 && expiry <= issued + longestLifetime
        return isOurs && isInTime && (!EmulatorCrypto.isAvailable || EmulatorCrypto.isES256(signature, of: input))
    }
}

extension EmulatorConfiguration.Apple {
    /// Makes the client secret that an app's server sends to Apple, signed with the emulator's development key.
    ///
    /// - Parameters:
    ///   - clientID: The Services ID for codes of the web flow, the bundle identifier for those of the native one.
    ///   - now: The current date.
    ///   - lifetime: How long it is valid; Apple accepts six months at most.
    public func clientSecret(for clientID: String, now: Date, lifetime: TimeInterval = 300) -> String {
        let header: AuthJSON = ["alg": "ES256", "kid": .string(keyID)]
        let claims: AuthJSON = [
            "iss": .string(teamID), "iat": .seconds(now), "exp": .seconds(now + lifetime),
            "aud": .string(AppleAccount.issuer), "sub": .string(clientID),
        ]
        let input = "\(Base64URL.encode(header.data)).\(Base64URL.encode(claims.data))"
        return "\(input).\(Base64URL.encode(EmulatorCrypto.es256(Data(input.utf8)) ?? Data()))"
    }
}
