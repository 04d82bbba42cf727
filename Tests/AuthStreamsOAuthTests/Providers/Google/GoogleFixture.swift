import AuthStreams
import Foundation

@testable import AuthStreamsOAuth

/// Google, played: a page and a token endpoint that a test can bend.
struct GoogleFixture: Sendable {
    static let clientID = "1234-abc.apps.googleusercontent.com"

    let secrets = AuthorizationSecrets()
    let recorder = StepRecorder()
    var clientSecret: Secret? = Secret("client-secret")
    var redirect = GoogleProvider.Redirect.loopback
    var hostedDomain: String?
    var clientID = Self.clientID
    var serverClientID: String?
    /// Further members of the token endpoint's answer.
    var members: [String: AuthJSON] = [:]
    /// Changes to the callback, given the state.
    var callbackFields: @Sendable (_ state: String) -> KeyValuePairs<String, String> = {
        ["code": "secret-code", "state": $0, "scope": "openid"]
    }
    /// Changes to the ID token's claims.
    var claims: [String: AuthJSON] = [:]
    /// What the token endpoint answers instead of tokens.
    var tokenAnswer: (@Sendable () async throws -> AuthHTTPResponse)?

    /// All that must not be seen outside the wire.
    var hidden: [String] {
        [secrets.state, secrets.nonce, secrets.proofKey.verifier].map { $0.reveal() } + [
            "secret-code", "secret-access", "secret-server",
        ]
    }

    var agent: ScriptedAgent {
        ScriptedAgent { [callbackFields] page, redirectURI in
            callback(redirectURI, callbackFields(page["state"] ?? ""))
        }
    }

    var transport: ScriptedTransport {
        let claims = SignedTokens.claims(
            [
                "iss": "https://accounts.google.com", "aud": .string(clientID), "azp": .string(clientID),
                "nonce": .string(secrets.nonce.reveal()),
            ].merging(self.claims) { $1 })
        return ScriptedTransport { [tokenAnswer, members] request in
            if request.url.absoluteString == "https://www.googleapis.com/oauth2/v3/certs" {
                return try SignedTokens.keys()
            }
            if let tokenAnswer { return try await tokenAnswer() }
            let answer: [String: AuthJSON] = [
                "access_token": "secret-access", "expires_in": 3599, "token_type": "Bearer", "scope": "openid",
                "id_token": .string(try SignedTokens.token(claims)),
            ]
            return try .json(.object(answer.merging(members) { $1 }))
        }
    }

    func provider(_ agent: ScriptedAgent, _ transport: ScriptedTransport) -> GoogleProvider {
        GoogleProvider(
            clientID: clientID, clientSecret: clientSecret, serverClientID: serverClientID, redirect: redirect,
            hostedDomain: hostedDomain,
            userAgent: agent, transport: transport, clock: SignedTokens.clock)
    }

    func signIn(
        _ request: AuthRequest = AuthRequest(), agent: ScriptedAgent? = nil, transport: ScriptedTransport? = nil
    ) async throws(AuthError) -> Credential {
        var request = request
        request.onStep = recorder.record
        return try await provider(agent ?? self.agent, transport ?? self.transport).attempt(request, secrets: secrets)
    }
}
