import AuthStreams
import Foundation

/// LINE: an OpenID Connect issuer that signs the ID tokens of its page with the channel's secret.
extension FakeServer {
    static let lineMetadata: AuthJSON = [
        "issuer": "https://access.line.me", "authorization_endpoint": "https://access.line.me/oauth2/v2.1/authorize",
        "token_endpoint": "https://api.line.me/oauth2/v2.1/token", "jwks_uri": "https://api.line.me/oauth2/v2.1/certs",
    ]

    /// The person's identifier at LINE.
    static let lineUserID = "U4af4980629"

    func lineToken(_ form: [String: String]) -> AuthHTTPResponse {
        guard form["client_id"] == Self.line.id, form["client_secret"].map({ Secret($0) }) == Self.line.secret else {
            return .json(["error": "invalid_client"], status: 401)
        }
        guard let page = redeem(form) else { return .json(["error": "invalid_grant"], status: 400) }
        let now = Int64(Date().timeIntervalSince1970)
        var claims: [String: AuthJSON] = [
            "iss": "https://access.line.me", "aud": .string(Self.line.id), "sub": .string(Self.lineUserID),
            "iat": .integer(now), "exp": .integer(now + 3600),
        ]
        claims["nonce"] = page["nonce"].map { .string($0) }
        // LINE says when the person logged in only if the page asked for it.
        claims["auth_time"] = page["max_age"].map { _ in .integer(now - age) }
        let idToken = signer.token(claims)
        secrets.append(idToken)
        return .json([
            "access_token": .string(newAccessToken().reveal()), "token_type": "Bearer", "expires_in": 2_592_000,
            "id_token": .string(idToken.reveal()),
        ])
    }

    /// Answers the app's server with the channel that an access token was issued to.
    func lineVerify(_ query: [String: String]) -> AuthHTTPResponse {
        guard issued(accessToken: query["access_token"]) else {
            return .json(["error": "invalid_request"], status: 400)
        }
        return .json(["client_id": .string(Self.line.id), "expires_in": 2_592_000, "scope": "openid profile"])
    }
}
