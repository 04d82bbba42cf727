import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Whole sign-ins by what the issuer publishes: OpenID Connect Discovery 1.0 section 4, RFC 8414 section 3.
@Suite struct OpenIDDiscoveryTests {
    /// RFC 8414 section 3.1: the well-known part stands before the path.
    @Test func issuerWithOnlyTheMetadataOfRFC8414SignsIn() async throws {
        var fixture = OpenIDFixture()
        fixture.metadataPath = "/.well-known/oauth-authorization-server/realms/app"
        let transport = fixture.transport
        #expect(try await fixture.signIn(transport: transport).userID == "1001")
        #expect(
            transport.requests.filter { $0.url.path().contains("/.well-known/") }.map { $0.url.path() } == [
                "/realms/app/.well-known/openid-configuration", "/.well-known/openid-configuration/realms/app",
                "/.well-known/oauth-authorization-server/realms/app",
            ])
    }

    /// discovery-jwks-uri-keys: the keys are where the metadata say, also when that changes.
    @Test(.enabled(if: Signatures.isAvailable))
    func keysThatMoveBetweenTwoSignInsAreFound() async throws {
        let (fixture, place, time) = (OpenIDFixture(), Lock("/keys"), ManualClock())
        let other = fixture.transport
        let transport = ScriptedTransport { request in
            let place = place.withLock { $0 }
            switch request.url.path() {
            case fixture.metadataPath:
                var response = try await other.send(request)
                let members = AuthJSON(json: response.body)?.object ?? [:]
                response.body = try JSONEncoder().encode(
                    members.merging(["jwks_uri": .string("https://id.example\(place)")]) { $1 })
                response.headers = ["cache-control": "no-store"]
                return response
            case place: return try SignedTokens.keys()
            case "/token": return try await other.send(request)
            default: return .text("", status: 404)
            }
        }
        let provider = fixture.provider(transport: transport, clock: time.authClock(startingAt: SignedTokens.now))
        for next in ["/keys", "/next"] {
            place.withLock { $0 = next }
            #expect(try await provider.authenticate().value.userID == "1001")
            time.advance(by: .seconds(60))
        }
        #expect(
            transport.requests.map { $0.url.path() }.filter { ["/keys", "/next"].contains($0) } == ["/keys", "/next"])
    }
}
