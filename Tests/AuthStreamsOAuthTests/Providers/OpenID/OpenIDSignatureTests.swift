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
        let error = await #expect(throws: AuthError.self) { try await fixture.userID(transport: transport) }
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
        #expect(try await fixture.userID(transport: transport) == "1001")
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
            #expect(try await fixture.userID(transport: transport) == "1001")
        } else {
            let error = await #expect(throws: AuthError.self) { try await fixture.userID(transport: transport) }
            #expect(error?.code == .invalidIDToken)
        }
    }

    /// Rule 6: TLS authenticates the token endpoint.
    @Test(arguments: [503, 429, nil], [OpenIDProvider.Redeemer.app, .repository])
    func keysThatCannotBeFetchedAreReported(status: Int?, redeemer: OpenIDProvider.Redeemer) async throws {
        var fixture = fixture(redeemer)
        fixture.keys = {
            guard let status else { throw AuthError(.network, "Down.") }
            return .text("", status: status)
        }
        let warnings = Lock<[AuthError]>([])
        let request = AuthRequest(onWarning: { warning in warnings.withLock { $0.append(warning) } })
        #expect(try await fixture.userID(request) == "1001")
        let warning = try #require(warnings.withLock { $0.count == 1 ? $0.first : nil })
        #expect(warning.code == (status == nil ? .network : status == 429 ? .rateLimited : .server))
        #expect(warning.provider == "keycloak" && warning.explanation.contains("without its signature"))
        expectNoLeak(of: ["secret-"], in: warning)
    }

    /// An answer that is no key set is not the same as none.
    @Test(arguments: [(404, ""), (302, ""), (200, "{}"), (200, "<html>")])
    func keysThatAreNotPublishedRefuseTheToken(status: Int, body: String) async {
        var fixture = OpenIDFixture()
        fixture.keys = { .text(body, status: status) }
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .invalidResponse)
    }

    /// The other rules are checked without a key.
    @Test func tokenOfAnotherPersonsAttemptIsRefusedWithoutKeys() async {
        var fixture = OpenIDFixture()
        fixture.keys = { .text("", status: 503) }
        fixture.claims = ["nonce": "other"]
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .nonceMismatch)
    }

    @MainActor
    @Test func appSeesThatTheSignatureWasNotVerified() async throws {
        var fixture = fixture(.repository)
        fixture.keys = { .text("", status: 503) }
        let provider = fixture.provider()
        let auth = AuthService(
            repository: OpenIDRepository(for: provider), providers: [provider], store: MemorySessionStore(),
            callbacks: CallbackRouter(), clock: SignedTokens.clock)
        var events = auth.events.makeAsyncIterator()
        #expect(try await auth.signIn(with: "keycloak").value.user.id == "1001")
        var warning: AuthEvent?
        while warning == nil, let event = await events.next() {
            if event.kind == .providerWarning { warning = event }
        }
        #expect(warning?.failure?.code == .server && warning?.provider == "keycloak")
    }
}
