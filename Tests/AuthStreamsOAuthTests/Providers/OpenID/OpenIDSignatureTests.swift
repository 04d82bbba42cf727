import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Signatures and keys in whole sign-ins, where the app redeems the code and where the repository does: OpenID Connect
/// Core section 3.1.3.7, rules 6 and 7. The names are those of the certification's tests.
@Suite(.enabled(if: Signatures.isAvailable)) struct OpenIDSignatureTests {
    private typealias Redeemer = OpenIDProvider.Redeemer

    /// A token whose signature is that of other claims.
    private static func forged(_ claims: [String: AuthJSON], _ algorithm: JWSAlgorithm) throws -> String {
        let header: [String: AuthJSON] = ["kid": algorithm == .es256 ? "two" : "one"]
        let good = try SignedTokens.token(claims, algorithm: algorithm, header: header)
        let other = try SignedTokens.token(claims.merging(["sub": "1002"]) { $1 }, algorithm: algorithm, header: header)
        return (good.split(separator: ".").prefix(2) + other.split(separator: ".").suffix(1)).joined(separator: ".")
    }

    private static func unsigned(_ header: AuthJSON, _ claims: [String: AuthJSON]) throws -> String {
        try [header, .object(claims)].map { Base64URL.encode(try JSONEncoder().encode($0)) }.joined(separator: ".")
            + "."
    }

    private func userID(_ fixture: OpenIDFixture, _ transport: ScriptedTransport) async throws(AuthError) -> String? {
        let provider = fixture.provider(transport: transport)
        let credential = try await provider.authenticate().value
        guard fixture.redeemer == .repository else { return credential.userID }
        return try await OpenIDRepository(for: provider).signIn(with: credential).user.id
    }

    private func fixture(_ redeemer: OpenIDProvider.Redeemer) -> OpenIDFixture {
        var fixture = OpenIDFixture()
        fixture.redeemer = redeemer
        fixture.metadata = ["userinfo_endpoint": "https://id.example/me"]
        return fixture
    }

    @Test(
        arguments: ["sig-none", "null-alg", "bad-sig-rs256", "bad-sig-es256", "bad-sig-hs256"],
        [OpenIDProvider.Redeemer.app, .repository])
    func tokenThatTheIssuerDidNotSignIsRefused(name: String, redeemer: OpenIDProvider.Redeemer) async {
        var fixture = fixture(redeemer)
        fixture.sign = { claims in
            switch name {
            case "sig-none": try Self.unsigned(["alg": "none"], claims)
            case "null-alg": try Self.unsigned(["alg": .null], claims)
            case "bad-sig-rs256": try Self.forged(claims, .rs256)
            case "bad-sig-es256": try Self.forged(claims, .es256)
            default: try SignedTokens.token(claims, sharedSecret: "")
            }
        }
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) { try await userID(fixture, transport) }
        #expect(error?.code == .invalidIDToken)
        #expect(!transport.requests.contains { $0.url.path() == "/me" }, "Nothing is asked about a refused person.")
    }

    /// What makes the refusals above mean something.
    @Test(arguments: [JWSAlgorithm.rs256, .es256], [OpenIDProvider.Redeemer.app, .repository])
    func tokenThatTheIssuerSignedIsTaken(algorithm: JWSAlgorithm, redeemer: OpenIDProvider.Redeemer) async throws {
        var fixture = fixture(redeemer)
        fixture.sign = {
            try SignedTokens.token($0, algorithm: algorithm, header: ["kid": algorithm == .es256 ? "two" : "one"])
        }
        let transport = fixture.transport
        #expect(try await userID(fixture, transport) == "1001")
        #expect(transport.requests.contains { $0.url.path() == "/me" } == (redeemer == .repository))
    }

    /// kid-absent-single-jwks and kid-absent-multiple-jwks: of several keys of the type none is tried.
    @Test(
        arguments: [["right"], ["elliptic", "right"], ["other", "right"], ["other"], ["elliptic"]],
        [OpenIDProvider.Redeemer.app, .repository])
    func tokenWithoutAKeyNameIsVerifiedByTheOnlyKeyOfItsType(
        keys: [String], redeemer: OpenIDProvider.Redeemer
    ) async throws {
        var fixture = fixture(redeemer)
        fixture.sign = { try SignedTokens.token($0, header: [:]) }
        fixture.keys = {
            let other = String(DevelopmentKeys.rsaModulus.enumerated().map { $0.offset == 40 ? "A" : $0.element })
            return try SignedTokens.keys(
                keys.map { name in
                    switch name {
                    case "right": SignedTokens.rsaKey
                    case "elliptic": SignedTokens.ellipticKey
                    default:
                        .object(
                            (SignedTokens.rsaKey.object ?? [:]).merging(["kid": "three", "n": .string(other)]) { $1 })
                    }
                })
        }
        let transport = fixture.transport
        if keys.filter({ $0 != "elliptic" }) == ["right"] {
            #expect(try await userID(fixture, transport) == "1001")
        } else {
            let error = await #expect(throws: AuthError.self) { try await userID(fixture, transport) }
            #expect(error?.code == .invalidIDToken)
        }
    }
}
