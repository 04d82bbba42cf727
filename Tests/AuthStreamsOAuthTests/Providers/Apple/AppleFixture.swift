import AuthStreams
import Foundation

@testable import AuthStreamsOAuth

/// Apple and the relay, played: a page whose answer a test can bend.
struct AppleFixture: Sendable {
    static let callbackURL = URL(literal: "com.example.app:/apple")

    let secrets = AuthorizationSecrets()
    let recorder = StepRecorder()
    var relayURL = URL(literal: "https://server.example/apple")
    var callbackURL = Self.callbackURL
    var scopes: [AppleWebProvider.Scope] = [.name, .email]
    /// Changes to the ID token's claims.
    var claims: [String: AuthJSON] = [:]
    /// The `user` field.
    var user: String?
    /// What the relay hands on instead, given the state.
    var fields: (@Sendable (_ state: String) -> KeyValuePairs<String, String>)?
    /// Whether signatures can be verified.
    var canVerify = Signatures.isAvailable

    var hashedNonce: String { AppleNonce.hashed(secrets.nonce) }

    /// All that must not be seen outside the wire.
    var hidden: [String] { [secrets.state.reveal(), secrets.nonce.reveal(), hashedNonce, "secret-code"] }

    func token() throws -> String {
        let claims = SignedTokens.claims(
            [
                "iss": "https://appleid.apple.com", "aud": "com.example.web", "nonce": .string(hashedNonce),
                "c_hash": .string(Base64URL.encode(SHA256.hash("secret-code".utf8).prefix(16))),
                "nonce_supported": true,
                "email": "me@example.com", "email_verified": "true",
            ].merging(self.claims) { $1 })
        return try SignedTokens.token(claims)
    }

    var agent: ScriptedAgent {
        ScriptedAgent { [self] page, redirectURI in
            let state = page["state"] ?? ""
            if let fields { return callback(redirectURI, fields(state)) }
            return callback(
                redirectURI, ["code": "secret-code", "id_token": try token(), "state": state, "user": user ?? ""])
        }
    }

    var transport: ScriptedTransport {
        ScriptedTransport { _ in try SignedTokens.keys() }
    }

    func signIn(
        _ request: AuthRequest = AuthRequest(), agent: ScriptedAgent? = nil, transport: ScriptedTransport? = nil
    ) async throws(AuthError) -> Credential {
        var request = request
        request.onStep = recorder.record
        return try await provider(agent ?? self.agent, transport ?? self.transport).attempt(request, secrets: secrets)
    }

    func provider(_ agent: ScriptedAgent, _ transport: ScriptedTransport) -> AppleWebProvider {
        var apple = AppleWebProvider(
            servicesID: "com.example.web", relayURL: relayURL, callback: callbackURL, scopes: scopes,
            userAgent: agent, transport: transport, clock: SignedTokens.clock)
        apple.client.canVerify = canVerify
        return apple
    }
}
