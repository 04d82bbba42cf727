import AuthStreams
package import Foundation

/// A person's approval of an app, which a code or token represents.
package struct Grant: Hashable, Sendable {
    /// The services that issue codes and tokens.
    package enum Issuer: String, CaseIterable, Sendable {
        case apple, google, kakao, naver, openID
    }

    /// Identifies the approval: tokens of the same one are a pair.
    package let id = GrantStore.random()
    /// The service that issued it.
    package var issuer: Issuer
    /// The client it was issued to.
    package var clientID: String
    /// The person, by the issuer's identifier.
    package var userID: String
    /// The redirect URI of the code; the token request must repeat it (RFC 6749 section 4.1.3). `nil` in app-to-app
    /// flows without one.
    package var redirectURI: String?
    /// The granted scopes.
    package var scopes: Set<String> = []
    /// The scopes that the person was asked for, and left out.
    var refused: Set<String> = []
    /// The nonce of the request, to be echoed.
    package var nonce: String?
    /// The `state` of the request.
    package var state: String?
    /// The PKCE challenge of the request, if it had one.
    package var challenge: Challenge?
    /// The thumbprint of the key that the code and the tokens are bound to (RFC 9449); `nil` for none.
    package var keyThumbprint: String?
    /// Google: whether the app may act without the person.
    package var isOffline = false
    /// Google: whether the page asked for a consent. A server gets a refresh token only then.
    var isNewConsent = false
    /// When the person approved.
    package var approvedAt: Date
}

extension Grant {
    /// The public half of a PKCE pair (RFC 7636 section 4.2).
    package enum Challenge: Hashable, Sendable {
        case plain(String)
        case s256(String)

        /// Reads `code_challenge` and `code_challenge_method`; without a method it is `plain` (RFC 7636 section 4.3).
        init?(_ challenge: String, method: String?) {
            switch method {
            case "S256": self = .s256(challenge)
            case "plain", nil: self = .plain(challenge)
            default: return nil
            }
        }

        func accepts(_ verifier: String) -> Bool {
            switch self {
            case .plain(let challenge): challenge == verifier
            case .s256(let challenge): challenge == Base64URL.encode(EmulatorCrypto.sha256(verifier))
            }
        }
    }

    /// Returns whether the verifier of a token request matches the code's challenge.
    ///
    /// A verifier without a challenge is refused as well, as a possible downgrade (RFC 9700 section 4.8).
    package func accepts(verifier: String?) -> Bool {
        switch (challenge, verifier) {
        case (nil, nil): return true
        case (let challenge?, let verifier?) where challenge.accepts(verifier): return true
        default:
            Mismatch.note("code_verifier", verifier.map(SecretMasks.start), remedy: .sameVerifier)
            return false
        }
    }

    /// Returns whether a token request repeats the redirect URI of the authorization request.
    func isRedirected(to uri: String?) -> Bool {
        if redirectURI == uri { return true }
        Mismatch.note("redirect_uri", uri, [redirectURI].compactMap(\.self), remedy: .sameRedirectURI)
        return false
    }
}
