import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@testable import AuthStreamsTesting

@Suite(.enabled(if: Signatures.isAvailable)) struct TokenSignatureTests {
    /// An ID token of Kakao, fetched by way of KakaoTalk.
    private static func idToken(_ wire: Wire) async throws -> String {
        let kakao = wire.configuration.kakao
        let redirect = try await wire.post(
            "https://talk-apps.kakao.com/emulator/code",
            ["client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "decision": "approve"])
        let callback = try Callback(try #require(redirect["redirect"]))
        return try #require(try await wire.kakaoTokens(callback["code"])["id_token"])
    }

    /// Whether the signature is that of the published key which the token names.
    private static func isSigned(_ token: String, _ wire: Wire) async throws -> Bool {
        let set = try await wire.get("https://kauth.kakao.com/.well-known/jwks.json")
        let header = try #require(JSONWebToken(Secret(token))).header
        #expect(header["alg"] == "RS256")
        let key = try #require(set.json?["keys"]?.array?.first { $0["kid"] == header["kid"] })
        let (input, signature) = try #require(TokenSigner.parts(token))
        let modulus = try #require(Base64URL.decode(key["n"]?.string ?? ""))
        let exponent = try #require(Base64URL.decode(key["e"]?.string ?? ""))
        return try Signatures.verify(
            signature, of: input, algorithm: .rs256, key: .rsa(modulus: modulus, exponent: exponent))
    }

    @Test func aTokenIsSignedByThePublishedKeyItNames() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let isSigned = try await Self.isSigned(try await Self.idToken(wire), wire)
            #expect(isSigned)
        }
    }

    @Test func aWrongSignatureIsOneThatDoesNotVerify() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            emulator.inject(.wrongSignature, at: .kakaoToken)
            let isSigned = try await Self.isSigned(try await Self.idToken(wire), wire)
            #expect(!isSigned)
        }
    }

    @Test func theSignerKnowsItsOwnTokens() throws {
        let signer = TokenSigner()
        func verifies(_ token: String, byKeyOf host: String? = nil) throws -> Bool {
            signer.verifies(try #require(JSONWebToken(Secret(token))), token, byKeyOf: host)
        }
        let token = signer.token(["sub": "1"], host: "kauth.kakao.com")
        #expect(try verifies(token) && verifies(token, byKeyOf: "kauth.kakao.com"))
        #expect(try !verifies(token, byKeyOf: "accounts.google.com"))
        let other = signer.token(["sub": "2"], host: "kauth.kakao.com")
        let dot = try #require(token.lastIndex(of: "."))
        let otherDot = try #require(other.lastIndex(of: "."))
        #expect(try !verifies(String(token[..<dot] + other[otherDot...])))
        #expect(try !verifies(String(token[...dot])))
    }

    @Test func aClientSecretOfAnotherKeyIsRefused() async throws {
        try await withEmulator { emulator in
            let apple = emulator.configuration.apple
            let good = apple.clientSecret(for: apple.servicesID, now: Date())
            let other = apple.clientSecret(for: apple.bundleID, now: Date())
            let dot = try #require(good.lastIndex(of: "."))
            let otherDot = try #require(other.lastIndex(of: "."))
            let wire = Wire(emulator)
            var errors: [String?] = []
            for secret in [good, String(good[..<dot] + other[otherDot...])] {
                let form: [String: String?] = [
                    "client_id": apple.servicesID, "client_secret": secret, "grant_type": "authorization_code",
                    "code": "unknown",
                ]
                errors.append(try await wire.post("https://appleid.apple.com/auth/token", form)["error"])
            }
            #expect(errors == ["invalid_grant", "invalid_client"])
        }
    }
}
