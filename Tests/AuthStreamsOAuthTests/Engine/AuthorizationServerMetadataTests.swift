import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct AuthorizationServerMetadataTests {
    private static let name = "https://id.example/realms/app"
    private static let good: [String: AuthJSON] = [
        "issuer": .string(name), "authorization_endpoint": "https://id.example/auth",
        "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
    ]

    private func read(_ changes: [String: AuthJSON?], of issuer: String = Self.name) throws(AuthError)
        -> AuthorizationServerMetadata
    {
        let members = Self.good.merging(changes.compactMapValues { $0 }) { $1 }
            .filter { changes[$0.key, default: .null] != nil }
        return try AuthorizationServerMetadata(.object(members), of: issuer)
    }

    // MARK: The document

    @Test func endpointsAreRead() throws {
        let metadata = try read([
            "authorization_response_iss_parameter_supported": true, "unknown": [1],
            "revocation_endpoint": "https://id.example/revoke", "end_session_endpoint": .null,
            "pushed_authorization_request_endpoint": "https://id.example/par",
            "require_pushed_authorization_requests": true,
        ])
        #expect(
            metadata
                == AuthorizationServerMetadata(
                    issuer: Self.name, authorizationEndpoint: URL(literal: "https://id.example/auth"),
                    tokenEndpoint: URL(literal: "https://id.example/token"),
                    jwksURI: URL(literal: "https://id.example/keys"),
                    revocationEndpoint: URL(literal: "https://id.example/revoke"), namesIssuerInCallbacks: true,
                    pushedAuthorizationRequestEndpoint: URL(literal: "https://id.example/par"),
                    requiresPushedAuthorizationRequests: true))
        #expect(try !read([:]).namesIssuerInCallbacks)
        #expect(try read(["jwks_uri": nil]).jwksURI == nil, "A server that signs nothing has no keys (RFC 8414).")
    }

    @Test(
        arguments: [
            (["issuer": "https://id.example/realms/app/"], .issuerMismatch),
            (["issuer": "https://ID.example/realms/app"], .issuerMismatch), (["issuer": nil], .issuerMismatch),
            (["issuer": ["https://id.example/realms/app"]], .issuerMismatch),
            (["authorization_endpoint": nil], .invalidResponse), (["token_endpoint": 7], .invalidResponse),
            (["token_endpoint": "http://id.example/token"], .invalidResponse),
            (["jwks_uri": "https://id.example/keys#one"], .invalidResponse),
            (["token_endpoint": "http://localhost:8080/token"], .invalidResponse),
            (["token_endpoint": "https://a:b@id.example/token"], .invalidResponse),
            (["jwks_uri": "ftp://id.example/keys"], .invalidResponse), (["jwks_uri": "/keys"], .invalidResponse),
            (["userinfo_endpoint": "http://id.example/me"], .invalidResponse),
            (["end_session_endpoint": false], .invalidResponse), (["revocation_endpoint": "x y"], .invalidResponse),
        ] as [([String: AuthJSON?], AuthError.Code)])
    func documentThatBreaksARuleIsRefused(changes: [String: AuthJSON?], code: AuthError.Code) {
        let error = #expect(throws: AuthError.self) { try read(changes) }
        #expect(error?.code == code)
    }

    // MARK: Fetching

    private func issuer(
        _ name: String = Self.name, _ transport: ScriptedTransport, _ clock: AuthClock = .system
    ) -> Issuer {
        Issuer(name, transport: transport, clock: clock)
    }

    @Test(
        arguments: [
            "http://id.example", "https://id.example?realm=app", "https://id.example#app", "https://a@id.example",
            "id.example", "", "com.example.app:/x", "https://",
        ])
    func identifierThatIsNoIssuersSendsNothing(name: String) async {
        let transport = ScriptedTransport { _ in .text("{}") }
        let error = await #expect(throws: AuthError.self) { try await issuer(name, transport).current() }
        #expect(error?.code == .misconfigured)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("https://id.example", 1, "https://id.example/.well-known/openid-configuration"),
            ("https://id.example", 2, "https://id.example/.well-known/oauth-authorization-server"),
            ("https://id.example/", 1, "https://id.example/.well-known/openid-configuration"),
            (Self.name, 1, "https://id.example/realms/app/.well-known/openid-configuration"),
            (Self.name, 2, "https://id.example/.well-known/openid-configuration/realms/app"),
            (Self.name, 3, "https://id.example/.well-known/oauth-authorization-server/realms/app"),
            ("http://127.0.0.1:8080/r", 1, "http://127.0.0.1:8080/r/.well-known/openid-configuration"),
        ])
    func documentIsLookedForWhereTheStandardsSay(name: String, place: Int, url: String) async throws {
        let count = Lock(0)
        let transport = ScriptedTransport { _ in
            guard
                count.withLock({
                    $0 += 1
                    return $0
                }) == place
            else { return .text("<html>", status: place == 2 ? 403 : 404) }
            return try .json(.object(Self.good.merging(["issuer": .string(name)]) { $1 }))
        }
        #expect(try await issuer(name, transport).current().metadata.issuer == name)
        #expect(transport.requests.last?.url.absoluteString == url)
        #expect(transport.requests.count == place)
    }

    @Test(
        arguments: [
            (200, "<html>", .invalidResponse), (200, "[]", .invalidResponse), (302, "", .invalidResponse),
            (404, "", .invalidResponse), (429, "", .rateLimited), (500, "{}", .server), (401, "{}", .invalidResponse),
            (200, String(repeating: "[", count: 100_000), .invalidResponse),
        ] as [(Int, String, AuthError.Code)])
    func answerThatIsNoDocumentIsExplained(status: Int, body: String, code: AuthError.Code) async {
        let transport = ScriptedTransport { _ in
            .text(body, status: status, headers: ["location": "https://elsewhere.example"])
        }
        let error = await #expect(throws: AuthError.self) { try await issuer(transport: transport).current() }
        #expect(error?.code == code)
        #expect(transport.requests.allSatisfy { $0.url.host() == "id.example" })
    }

    private func issuer(transport: ScriptedTransport) -> Issuer { issuer(Self.name, transport) }

    @Test(
        arguments: [
            (nil, 3599, 1), (nil, 3600, 2), ("max-age=90", 89, 1), ("public, Max-Age=90", 90, 2), ("no-store", 59, 1),
            ("no-store", 60, 2),
            ("max-age=600, no-cache", 60, 2), ("max-age=9999999", 86_399, 1), ("max-age=9999999", 86_400, 2),
            ("max-age=-5", 60, 2), ("max-age=x", 3599, 1), ("max-age=99999999999999999999", 3599, 1),
        ] as [(String?, Int, Int)])
    func documentIsUsedForAsLongAsItSays(control: String?, seconds: Int, requests: Int) async throws {
        let time = ManualClock()
        let transport = ScriptedTransport { _ in
            var response = try AuthHTTPResponse.json(.object(Self.good))
            response.headers["cache-control"] = control
            return response
        }
        let issuer = issuer(Self.name, transport, time.authClock(startingAt: SignedTokens.now))
        let first = try await issuer.current()
        time.advance(by: .seconds(seconds))
        let second = try await issuer.current()
        #expect(transport.requests.count == requests)
        #expect(first.keys === second.keys, "Keys that were fetched stay.")
    }

    @Test func keysThatMovedAreFetchedFromTheirNewPlace() async throws {
        let place = Lock("https://id.example/keys")
        let transport = ScriptedTransport { _ in
            var members = Self.good
            members["jwks_uri"] = .string(place.withLock { $0 })
            var response = try AuthHTTPResponse.json(.object(members))
            response.headers["cache-control"] = "no-store"
            return response
        }
        let time = ManualClock()
        let issuer = issuer(Self.name, transport, time.authClock(startingAt: SignedTokens.now))
        let first = try await issuer.current()
        place.withLock { $0 = "https://id.example/next" }
        time.advance(by: .seconds(60))
        let second = try await issuer.current()
        #expect(first.keys !== second.keys && second.metadata.jwksURI == URL(literal: "https://id.example/next"))
    }
}
