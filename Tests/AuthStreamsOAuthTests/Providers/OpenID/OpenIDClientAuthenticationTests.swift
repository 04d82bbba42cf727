import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// How a client proves who it is, as its issuer's metadata or the app choose.
@Suite struct OpenIDClientAuthenticationTests {
    /// RFC 8414 section 2: without the member it is `client_secret_basic`.
    @Test(
        arguments: [
            (nil, true), (["client_secret_post", "client_secret_basic"], true), (["client_secret_post"], false),
            (["private_key_jwt", "client_secret_post"], false),
        ] as [([String]?, Bool)])
    func secretIsSentInAFormThatTheIssuerSupports(methods: [String]?, isInHeader: Bool) async throws {
        var fixture = OpenIDFixture()
        fixture.authentication = .secret(Secret("s3cret"))
        if let methods {
            fixture.metadata = ["token_endpoint_auth_methods_supported": .array(methods.map(AuthJSON.string))]
        }
        let transport = fixture.transport
        _ = try await fixture.signIn(transport: transport)
        let index = try #require(transport.requests.firstIndex { $0.url.path() == "/token" })
        let pair = "Basic \(Data("app:s3cret".utf8).base64EncodedString())"
        #expect(transport.requests[index].headers[.authorization] == (isInHeader ? pair : nil))
        #expect(transport.forms[index]["client_secret"] == (isInHeader ? nil : "s3cret"))
    }

    @Test func issuerThatAcceptsNoSecretIsNamedWithWhatItAccepts() async throws {
        var fixture = OpenIDFixture()
        fixture.authentication = .secret(Secret("s3cret"))
        fixture.metadata = ["token_endpoint_auth_methods_supported": ["private_key_jwt", "tls_client_auth"]]
        let transport = fixture.transport
        let error = try #require(
            await #expect(throws: AuthError.self) { try await fixture.signIn(transport: transport) })
        #expect(error.code == .misconfigured && error.explanation.contains("private_key_jwt, tls_client_auth"))
        #expect(!transport.requests.contains { $0.url.path() == "/token" })
    }

    /// RFC 7523 section 2.2, with each request to the issuer's endpoints.
    @Test func appSignsATokenForEachRequest() async throws {
        let requests = Lock<[ClientAuthentication.AssertionRequest]>([])
        var fixture = IssuerFixture()
        fixture.authentication = .privateKeyJWT { request in
            let count = requests.withLock {
                $0.append(request)
                return $0.count
            }
            return Secret("assertion-\(count)")
        }
        let transport = fixture.transport
        let repository = fixture.repository(transport)
        let session = try await repository.signIn(with: IssuerFixture.credential)
        try await repository.signOut(try await repository.refresh(session))
        let forms = zip(transport.requests, transport.forms).filter { $0.0.method == .post }.map(\.1)
        #expect(forms.map { $0["client_assertion"] } == ["assertion-1", "assertion-2", "assertion-3"])
        #expect(
            forms.allSatisfy {
                $0["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
                    && $0["client_id"] == "app" && $0["client_secret"] == nil
            })
        let asked = requests.withLock { $0 }
        #expect(asked.map(\.endpoint.path) == ["/token", "/token", "/revoke"])
        #expect(asked.allSatisfy { $0.clientID == "app" && $0.issuer == IssuerFixture.issuer })
    }

    @Test func errorOfTheSignerEndsTheRequest() async throws {
        struct NoKey: Error {}
        var fixture = OpenIDFixture()
        fixture.authentication = .privateKeyJWT { _ in throw NoKey() }
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport: transport) }
        #expect(error?.cause?.domain.contains("NoKey") == true)
        fixture.authentication = .privateKeyJWT { _ in Secret("") }
        let empty = await #expect(throws: AuthError.self) { try await fixture.signIn(transport: transport) }
        #expect(empty?.code == .misconfigured)
        #expect(!transport.requests.contains { $0.url.path() == "/token" })
    }

    /// A server may quote what it was sent.
    @Test func assertionIsInNoError() async throws {
        var fixture = OpenIDFixture()
        fixture.authentication = .privateKeyJWT { _ in Secret("short") }
        fixture.refusal = try .json(["error": "invalid_client", "error_description": "bad short one"], status: 401)
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .misconfigured && error.serverMessage?.contains("short") != true)
        var issuer = IssuerFixture()
        issuer.authentication = fixture.authentication
        issuer.revocation = {
            try .json(["error": "invalid_client", "error_description": "bad short one"], status: 401)
        }
        let repository = issuer.repository()
        let session = try await repository.signIn(with: IssuerFixture.credential)
        let refusal = try #require(await #expect(throws: AuthError.self) { try await repository.signOut(session) })
        #expect(refusal.serverCode == "invalid_client" && refusal.serverMessage?.contains("short") != true)
    }
}
