import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// The log-out page of the emulated issuer (OpenID Connect RP-Initiated Logout).
@Suite(.enabled(if: EmulatorCrypto.isAvailable)) struct IssuerLogOutTests {
    private static let realm = "https://id.pulseboard.example/realms/main/protocol/openid-connect"
    private static let issuer = EmulatorConfiguration().issuer
    private static let callback = "com.example.pulseboard:/callback"

    private static func tokens(_ wire: Wire) async throws -> AuthHTTPResponse {
        let page = try await wire.get(
            realm + "/auth",
            [
                "client_id": issuer.clientID, "redirect_uri": callback, "response_type": "code", "scope": "openid",
                "nonce": "nonce-1", "code_challenge": Pair.challenge, "code_challenge_method": "S256",
            ])
        return try await token(
            wire,
            [
                "grant_type": "authorization_code", "code": try await wire.approve(page)["code"],
                "redirect_uri": callback, "code_verifier": Pair.verifier,
            ])
    }

    private static func token(_ wire: Wire, _ form: [String: String?]) async throws -> AuthHTTPResponse {
        try await wire.post(realm + "/token", form.with(["client_id": issuer.clientID]))
    }

    private static func logOut(_ wire: Wire, hint: String?) async throws -> AuthHTTPResponse {
        try await wire.get(
            realm + "/logout",
            [
                "client_id": issuer.clientID, "post_logout_redirect_uri": issuer.postLogoutRedirectURIs[0],
                "id_token_hint": hint, "state": "state-1",
            ])
    }

    private static func isSignedIn(_ wire: Wire, _ tokens: AuthHTTPResponse) async throws -> Bool {
        try await token(wire, ["grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]]).status == 200
    }

    @Test(arguments: [true, false])
    func idTokenSaysWhoseSessionEnds(isNamed: Bool) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.tokens(wire)
            let answer = try Callback(try await Self.logOut(wire, hint: isNamed ? tokens["id_token"] : nil))
            #expect(answer.target == Self.issuer.postLogoutRedirectURIs[0] && answer.parameters == ["state": "state-1"])
            #expect(try await Self.isSignedIn(wire, tokens) == !isNamed)
        }
    }

    @Test(arguments: ["malformed", "of another issuer", "forged"])
    func tokenThatIsNotTheIssuersEndsNothing(kind: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.tokens(wire)
            let parts = try #require(tokens["id_token"]).split(separator: ".")
            let claims = try tokens.claims("id_token").object ?? [:]
            let hint =
                switch kind {
                case "malformed": "no token"
                case "of another issuer":
                    TokenSigner().token(
                        claims.merging(["iss": "https://kauth.kakao.com"]) { $1 }, host: "kauth.kakao.com")
                default: "\(parts[0]).\(parts[1]).\(Base64URL.encode(Data(count: 256)))"
                }
            #expect(try await Self.logOut(wire, hint: hint).isDeadEnd)
            #expect(try await Self.isSignedIn(wire, tokens))
        }
    }
}
