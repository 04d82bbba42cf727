import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// What libraries need that accept the issuers and the certificates of production alone.
@Suite(.limitedParallelization) struct IssuerNamesTests {
    private static let pinned: EmulatorConfiguration = {
        var configuration = EmulatorConfiguration()
        configuration.issuerNames = .production
        return configuration
    }()

    /// An ID token of each provider, fetched in the shortest way.
    private static func idTokens(_ wire: Wire) async throws -> [String: String?] {
        let (apple, google, kakao) = (wire.configuration.apple, wire.configuration.google, wire.configuration.kakao)
        let sheet = try await wire.post("https://appleid.apple.com/emulator/sheet", ["client_id": apple.bundleID])
        let client: [String: String?] = [
            "client_id": google.desktop.id, "redirect_uri": "http://127.0.0.1:51234/callback",
        ]
        let callback = try await wire.approve(
            try await wire.get(
                "https://accounts.google.com/o/oauth2/v2/auth",
                client.with(["response_type": "code", "scope": "openid"])))
        #expect(callback["iss"] == "https://accounts.google.com")
        let googleTokens = try await wire.post(
            "https://oauth2.googleapis.com/token",
            client.with([
                "grant_type": "authorization_code", "client_secret": google.desktop.secret, "code": callback["code"],
            ]))
        let kakaoClient: [String: String?] = [
            "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI,
        ]
        let talk = try await wire.post(
            "https://talk-apps.kakao.com/emulator/code", kakaoClient.with(["decision": "approve"]))
        let code = try Callback(try #require(talk["redirect"]))["code"]
        let kakaoTokens = try await wire.kakaoTokens(code)
        return [
            "https://appleid.apple.com": sheet["identityToken"],
            "https://accounts.google.com": googleTokens["id_token"],
            "https://kauth.kakao.com": kakaoTokens["id_token"],
        ]
    }

    @Test func tokensAndDiscoveryNameTheIssuersOfProduction() async throws {
        try await withEmulator(Self.pinned) { emulator in
            let wire = Wire(emulator)
            let tokens = try await Self.idTokens(wire)
            for (issuer, token) in tokens {
                #expect(JSONWebToken(Secret(token ?? ""))?.claims["iss"]?.string == issuer)
                let discovery = try await wire.get("\(issuer)/.well-known/openid-configuration")
                #expect(discovery["issuer"] == issuer)
                #expect(discovery["jwks_uri"]?.hasPrefix(emulator.baseURL.absoluteString) == true)
            }
        }
    }

    @Test func ownVerifiersAcceptWhatIsIssued() async throws {
        try await withEmulator(Self.pinned) { emulator in
            let tokens = try await Self.idTokens(Wire(emulator))
            let (configuration, context) = (emulator.configuration, emulator.router.context)
            for rules in [ServerIDTokenVerifier.apple, ServerIDTokenVerifier.google, ServerIDTokenVerifier.kakao] {
                let verifier = rules(configuration)
                let token = try #require(tokens[verifier.issuer] ?? nil)
                #expect(try verifier.claims(ofSigned: token, in: context)["sub"] != nil)
            }
        }
    }

    @Test(arguments: [
        ("https://www.googleapis.com/oauth2/v1/certs", "accounts.google.com-1"),
        (
            "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
            "securetoken@system.gserviceaccount.com-1"
        ),
        (
            "https://www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys", "session.firebase.google.com-1"
        ),
    ])
    func certificateHasTheKeyThatSigns(address: String, keyID: String) async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).get(address)
            #expect(answer.headers[HeaderName("Cache-Control")] == "public, max-age=3600")
            let certificates = try #require(answer.json?.object)
            #expect(Array(certificates.keys) == [keyID])
            let lines = try #require(certificates[keyID]?.string?.split(separator: "\n"))
            #expect(lines.first == "-----BEGIN CERTIFICATE-----" && lines.last == "-----END CERTIFICATE-----")
            #expect(lines.allSatisfy { $0.count <= 64 })
            let certificate = try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined()))
            let modulus = try #require(Base64URL.decode(DevelopmentKeys.rsaModulus))
            let exponent = try #require(Base64URL.decode(DevelopmentKeys.rsaExponent))
            // INTEGER with a leading zero, and INTEGER (X.690 section 8.3).
            let key = Data([0x02, 0x82, 0x01, 0x01, 0x00]) + modulus + Data([0x02, UInt8(exponent.count)]) + exponent
            #expect(certificate.range(of: key) != nil)
        }
    }
}
