import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// An issuer with many tenants, whose metadata name it with `{tenantid}`: Microsoft Entra.
@Suite struct OpenIDTenantTests {
    private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    private static let other = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private static func issuer(_ tenant: String) -> String { "https://id.example/\(tenant)/v2.0" }

    /// - Parameters:
    ///   - configured: The tenant in the configuration.
    ///   - published: The issuer in the metadata.
    private func fixture(
        _ configured: String, published: String = Self.issuer("{tenantid}"), iss: String? = nil,
        tid: String? = Self.tenant
    ) -> OpenIDFixture {
        var fixture = OpenIDFixture()
        fixture.issuer = Self.issuer(configured)
        fixture.metadataPath = "/\(configured)/v2.0/.well-known/openid-configuration"
        fixture.metadata = [
            "issuer": .string(published), "authorization_response_iss_parameter_supported": .null,
        ]
        fixture.claims = [
            "iss": .string(iss ?? Self.issuer(Self.tenant)), "tid": tid.map { .string($0) } ?? .null,
        ]
        fixture.callbackFields = { ["code": "secret-code", "state": $0] }
        return fixture
    }

    @Test(arguments: ["common", "organizations"], [OpenIDProvider.Redeemer.app, .repository])
    func tokenOfAnyTenantIsTaken(alias: String, redeemer: OpenIDProvider.Redeemer) async throws {
        for tenant in [Self.tenant, Self.other, Self.tenant.uppercased()] {
            var fixture = fixture(alias, iss: Self.issuer(tenant), tid: tenant)
            fixture.redeemer = redeemer
            #expect(try await fixture.userID() == "1001")
        }
    }

    /// The token's `iss` and `tid`.
    @Test(
        arguments: [
            (issuer(tenant), other), (issuer(tenant), nil), (issuer(tenant), "{tenantid}"),
            (issuer(tenant), tenant.uppercased()), (issuer("{tenantid}"), "{tenantid}"),
            (issuer("{tenantid}"), tenant), (issuer("common"), "common"), (issuer("common"), tenant),
            (issuer("contoso.com"), "contoso.com"), (issuer(""), ""), (issuer("a/b"), "a/b"),
            ("https://evil.example/\(tenant)/v2.0", tenant), ("https://id.example/\(tenant)/v1.0", tenant),
        ] as [(String, String?)])
    func tokenThatDoesNotNameItsTenantInBothIsRefused(iss: String, tid: String?) async {
        let fixture = fixture("common", iss: iss, tid: tid)
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .issuerMismatch && error?.step == .exchanging)
    }

    @Test func configurationOfOneTenantAcceptsThatAlone() async throws {
        #expect(try await fixture(Self.tenant).userID() == "1001")
        for tid in [Self.other, Self.tenant] {
            let fixture = fixture(Self.tenant, iss: Self.issuer(Self.other), tid: tid)
            let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
            #expect(error?.code == .issuerMismatch)
        }
    }

    /// The tenant in the configuration, and the issuer in the metadata.
    @Test(
        arguments: [
            ("common", "https://evil.example/{tenantid}/v2.0"), ("common", "https://id.example/{tenantid}/v1.0"),
            ("common", "https://id.example/{tenantid}"), ("common", "https://{tenantid}/common/v2.0"),
            ("common", "https://id.example/{tenantid}/{tenantid}"), ("common", "{tenantid}"),
            ("common", issuer(tenant)), ("contoso.com", issuer("{tenantid}")), ("realm", issuer("{tenantid}")),
            ("common", "https://id.example/x{tenantid}/v2.0"),
        ])
    func metadataOfAnotherIssuerAreRefused(configured: String, published: String) async {
        let fixture = fixture(configured, published: published)
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent) }
        #expect(error?.code == .issuerMismatch)
        #expect(await agent.pages.isEmpty)
    }

    /// RFC 9207: the callback may name the tenant.
    @Test(arguments: [
        (issuer(tenant), true), (issuer("common"), false), (issuer("{tenantid}"), false),
        ("https://evil.example/\(tenant)/v2.0", false),
    ])
    func callbackOfAnotherIssuerIsRefused(iss: String, isTaken: Bool) async throws {
        var fixture = fixture("common")
        fixture.callbackFields = { ["code": "secret-code", "state": $0, "iss": iss] }
        let transport = fixture.transport
        if isTaken {
            #expect(try await fixture.signIn(transport: transport).userID == "1001")
        } else {
            let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport: transport) }
            #expect(error?.code == .issuerMismatch)
        }
        #expect(transport.requests.contains { $0.method == .post } == isTaken)
    }

    /// The session's tokens go to the issuer of its tenant alone.
    @Test func sessionOfATenantIsTheIssuersOwn() async throws {
        var fixture = fixture("common")
        fixture.redeemer = .repository
        let provider = fixture.provider()
        let repository = OpenIDRepository(for: provider)
        var session = try await repository.signIn(with: try await provider.authenticate().value)
        #expect(session.user.claims["iss"] == .string(Self.issuer(Self.tenant)) && repository.owns(session))
        for issuer in [Self.issuer("contoso.com"), "https://evil.example/\(Self.tenant)/v2.0", ""] {
            session.user.claims["iss"] = .string(issuer)
            #expect(!repository.owns(session))
        }
    }

    /// RFC 9207: the answer of the page and the ID token name one tenant.
    @Test(arguments: [OpenIDProvider.Redeemer.app, .repository])
    func tenantThatChangesBetweenPageAndTokenIsRefused(redeemer: OpenIDProvider.Redeemer) async throws {
        var fixture = fixture("organizations", iss: Self.issuer(Self.other), tid: Self.other)
        fixture.redeemer = redeemer
        fixture.callbackFields = { ["code": "secret-code", "state": $0, "iss": Self.issuer(Self.tenant)] }
        let error = await #expect(throws: AuthError.self) { try await fixture.userID() }
        #expect(error?.code == .issuerMismatch)
        fixture.callbackFields = { ["code": "secret-code", "state": $0, "iss": Self.issuer(Self.other)] }
        #expect(try await fixture.userID() == "1001")
    }

    /// The keys of all tenants are published together. Microsoft Entra's name the issuer whose tokens they sign.
    @Test(
        .enabled(if: Signatures.isAvailable),
        arguments: [
            (nil, tenant, true), (issuer("{tenantid}"), tenant, true), (issuer(tenant), tenant, true),
            (issuer(other), tenant, false), (issuer(tenant), other, false),
            ("https://evil.example/{tenantid}/v2.0", tenant, false),
        ] as [(String?, String, Bool)])
    func keyOfOneTenantSignsNoTokenOfAnother(owner: String?, tenant: String, isTaken: Bool) async throws {
        var fixture = fixture("common", iss: Self.issuer(tenant), tid: tenant)
        fixture.keys = {
            let members = (SignedTokens.rsaKey.object ?? [:]).merging(owner.map { ["issuer": .string($0)] } ?? [:]) {
                $1
            }
            return try SignedTokens.keys([.object(members)])
        }
        if isTaken {
            #expect(try await fixture.userID() == "1001")
        } else {
            let error = await #expect(throws: AuthError.self) { try await fixture.userID() }
            #expect(error?.code == .invalidIDToken)
        }
    }

    /// Entra accepts no token with a placeholder in place of the tenant.
    @Test func appSignsItsAssertionForTheEndpoint() async throws {
        let issuers = Lock<[String?]>([])
        var fixture = fixture("common")
        fixture.authentication = .privateKeyJWT { request in
            issuers.withLock { $0.append(request.issuer) }
            return Secret("assertion")
        }
        _ = try await fixture.signIn()
        #expect(issuers.withLock { $0 } == [nil])
    }
}
