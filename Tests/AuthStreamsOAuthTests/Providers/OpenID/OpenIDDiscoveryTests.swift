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

    /// Azure's B2C has them under the name of a policy, and names the tenant as the issuer.
    @Test func metadataElsewhereNameTheIssuerAllTheSame() async throws {
        var fixture = OpenIDFixture()
        fixture.metadataURL = URL(literal: "https://login.example/policy/configuration")
        fixture.metadataPath = "/policy/configuration"
        let transport = fixture.transport
        #expect(try await fixture.signIn(transport: transport).userID == "1001")
        #expect(transport.requests.first?.url == fixture.metadataURL)
        fixture.metadata = ["issuer": "https://other.example"]
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .issuerMismatch)
    }

    @Test(arguments: ["http://login.example/configuration", "ftp://login.example/configuration"])
    func metadataThatOthersCouldChangeAreNotFetched(url: String) async throws {
        var fixture = OpenIDFixture()
        fixture.metadataURL = URL(string: url)
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport: transport) }
        #expect(error?.code == .misconfigured && transport.requests.isEmpty)
    }

    @Test func endpointThatIsMissingOrWrongIsGivenByTheApp() async throws {
        var fixture = OpenIDFixture()
        fixture.metadata = ["token_endpoint": .null, "jwks_uri": "https://wrong.example/none"]
        fixture.metadataOverrides = [
            "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
        ]
        let transport = fixture.transport
        #expect(try await fixture.signIn(transport: transport).userID == "1001")
        #expect(!transport.requests.contains { $0.url.host() == "wrong.example" })
    }

    /// The rules for the document apply.
    @Test(arguments: [
        ("issuer", "https://other.example", AuthError.Code.misconfigured),
        ("token_endpoint", "http://id.example/token", .invalidResponse),
        ("authorization_endpoint", "https://me:secret@id.example/auth", .invalidResponse),
    ])
    func unusableOverrideIsRefused(name: String, value: AuthJSON, code: AuthError.Code) async throws {
        var fixture = OpenIDFixture()
        fixture.metadataOverrides = [name: value]
        let agent = fixture.agent
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(agent: agent) }
        #expect(error?.code == code && error?.explanation.contains("`\(name)`") == true)
        #expect(await agent.pages.isEmpty)
    }

    /// The metadata are older than the page, and the issuer does not say them again.
    @Test(arguments: [503, 429, nil]) func issuerThatFailsWhileThePageIsOpenSignsIn(status: Int?) async throws {
        var issued = OpenIDFixture()
        issued.claims = ["iat": 1_800_003_600, "exp": 1_800_003_900]
        let (fixture, time, isDown) = (issued, ManualClock(), Lock(false))
        let issuer = fixture.transport
        let transport = ScriptedTransport { request in
            guard request.url.path() == fixture.metadataPath, isDown.withLock({ $0 }) else {
                return try await issuer.send(request)
            }
            guard let status else { throw AuthError(.network, "Down.") }
            return .text("", status: status)
        }
        let agent = ScriptedAgent { page, redirectURI in
            time.advance(by: .seconds(3601))
            isDown.withLock { $0 = true }
            return callback(redirectURI, fixture.callbackFields(page["state"] ?? ""))
        }
        let clock = time.authClock(startingAt: SignedTokens.now)
        let provider = fixture.provider(agent: agent, transport: transport, clock: clock)
        #expect(try await provider.authenticate().value.userID == "1001")
        time.advance(by: .seconds(24 * 3600))
        let error = await #expect(throws: AuthError.self) { try await provider.authenticate().value }
        #expect(error?.code == (status == nil ? .network : status == 429 ? .rateLimited : .server))
    }

    /// The code goes where the issuer takes it now.
    @Test func metadataThatChangeWhileThePageIsOpenAreFollowed() async throws {
        let (fixture, time, isMoved) = (OpenIDFixture(), ManualClock(), Lock(false))
        let issuer = fixture.transport
        let transport = ScriptedTransport { request in
            if request.url.path() == fixture.metadataPath, isMoved.withLock({ $0 }) {
                var response = try await issuer.send(request)
                let members = AuthJSON(json: response.body)?.object ?? [:]
                response.body = try JSONEncoder().encode(
                    members.merging(["token_endpoint": "https://id.example/v2/token"]) { $1 })
                return response
            }
            var next = request
            if request.url.path() == "/v2/token" { next.url = URL(literal: "https://id.example/token") }
            return try await issuer.send(next)
        }
        let agent = ScriptedAgent { page, redirectURI in
            time.advance(by: .seconds(3601))
            isMoved.withLock { $0 = true }
            return callback(redirectURI, fixture.callbackFields(page["state"] ?? ""))
        }
        let provider = fixture.provider(
            agent: agent, transport: transport, clock: time.authClock(startingAt: SignedTokens.now))
        _ = try? await provider.authenticate().value
        #expect(transport.requests.filter { $0.method == .post }.map { $0.url.path() } == ["/v2/token"])
    }

    @Test func issuerThatPublishesNothingIsDescribedByTheApp() async throws {
        var fixture = OpenIDFixture()
        fixture.metadataPath = "/none"
        fixture.metadataOverrides = [
            "authorization_endpoint": "https://id.example/auth", "token_endpoint": "https://id.example/token",
            "jwks_uri": "https://id.example/keys",
        ]
        #expect(try await fixture.signIn().userID == "1001")
        fixture.metadataOverrides["token_endpoint"] = nil
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .invalidResponse && error?.explanation.contains("`token_endpoint`") == true)
    }
}
