import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// A signer's tokens pass the rules of a client that knows its keys or its secret, and of no other.
@Suite struct IDTokenSignerTests {
    private static let claims: [String: AuthJSON] = [
        "iss": "https://issuer.example", "aud": "app", "sub": "1001", "iat": 1_800_000_000, "exp": 1_800_003_600,
    ]

    /// An issuer's key set, at any URL.
    private struct Keys: AuthHTTPTransport {
        let keySet: AuthJSON

        func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
            AuthHTTPResponse(status: 200, body: keySet.data)
        }
    }

    private func validate(
        _ token: Secret, keySet: AuthJSON, sharedSecret: Secret? = nil
    ) async throws(AuthError) -> IDToken {
        let clock = ManualClock().authClock(startingAt: Date(timeIntervalSince1970: 1_800_000_000))
        var rules = IDTokenRules(issuers: ["https://issuer.example"], clientID: "app")
        rules.sharedSecret = sharedSecret
        let keys = IssuerKeys(
            url: URL(literal: "https://issuer.example/keys"), transport: Keys(keySet: keySet), clock: clock)
        return try await IDTokenValidator(rules: rules, keys: keys, clock: clock)
            .validate(token, in: IDTokenContext(channel: .tokenEndpoint, nonce: nil))
    }

    @Test(arguments: [IDTokenSigner.rs256, .es256])
    func aTokenIsVerifiedByThePublishedKeys(signer: IDTokenSigner) async throws {
        let token = try await validate(signer.token(Self.claims), keySet: signer.keySet)
        #expect(token.claims == .object(Self.claims))
    }

    @Test(.enabled(if: Signatures.isAvailable)) func aTokenIsNotVerifiedByOtherKeys() async {
        let token = IDTokenSigner.rs256.token(Self.claims)
        let error = await #expect(throws: AuthError.self) {
            try await validate(token, keySet: IDTokenSigner.es256.keySet)
        }
        #expect(error?.code == .invalidIDToken)
    }

    @Test func aTokenIsVerifiedByTheSharedSecretAlone() async throws {
        let signer = IDTokenSigner.hs256(Secret("the secret"))
        let token = signer.token(Self.claims)
        let validated = try await validate(token, keySet: signer.keySet, sharedSecret: Secret("the secret"))
        #expect(validated.subject == "1001")
        let error = await #expect(throws: AuthError.self) {
            try await validate(token, keySet: signer.keySet, sharedSecret: Secret("another secret"))
        }
        #expect(error?.code == .invalidIDToken)
    }
}
