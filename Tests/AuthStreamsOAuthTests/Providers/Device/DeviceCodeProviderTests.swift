import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// What an attempt needs, and what comes of the tokens.
@Suite struct DeviceCodeProviderTests {
    @Test func attemptThatShowsNoCodeSendsNothing() async throws {
        let fixture = DeviceFixture()
        let transport = fixture.transport()
        let error = try #require(
            await #expect(throws: AuthError.self) { try await fixture.signIn(transport, AuthRequest()) })
        #expect(error.code == .misconfigured && error.explanation.contains("presenting()"))
        #expect(transport.requests.isEmpty)
    }

    /// RFC 8628 section 5.4: another person may have read the code, and answer.
    @Test(arguments: [AuthRequest.Purpose.link, .reauthenticate])
    func codeIsNoProofForAnAccount(purpose: AuthRequest.Purpose) async throws {
        let fixture = DeviceFixture()
        let transport = fixture.transport()
        var request = fixture.request
        request.purpose = purpose
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport, request) }
        #expect(error?.code == .unsupportedProvider && transport.requests.isEmpty)
        #expect(try await fixture.signIn().isBound == false)
    }

    @Test func silentAttemptAndAnotherKindSendNothing() async throws {
        let fixture = DeviceFixture()
        let transport = fixture.transport()
        var (silent, page) = (fixture.request, fixture.request)
        silent.prompts = [.none]
        page.methodKind = .web
        for request in [silent, page] {
            let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport, request) }
            #expect(error?.code == .unsupportedProvider)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["client_id", "scope", "client_secret", ""])
    func parameterOfTheRequestIsNotReplaced(name: String) async throws {
        var fixture = DeviceFixture()
        fixture.parameters = [name: "other"]
        let transport = fixture.transport()
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport) }
        #expect(error?.code == .misconfigured && transport.requests.isEmpty)
    }

    @Test func serverWithoutIDTokensGivesAnAccessToken() async throws {
        let fixture = DeviceFixture()
        let recorder = StepRecorder()
        var request = fixture.request
        request.onStep = recorder.record
        let credential = try await fixture.signIn(nil, request)
        #expect(credential.provider == "tv" && credential.accessToken == Secret("access-1"))
        #expect(credential.idToken == nil && credential.userID == nil && recorder.steps == [.presenting, .exchanging])
    }

    @Test func issuerGivesAValidatedIDToken() async throws {
        let fixture = DeviceFixture.openID
        let credential = try await fixture.signIn()
        #expect(credential.userID == "1001" && credential.idToken != nil && credential.rawNonce == nil)
    }

    @Test(
        arguments: [
            (["aud": "other"], .invalidIDToken), (["iss": "https://other.example"], .issuerMismatch),
            (["exp": 1_700_000_000], .invalidIDToken), (["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], .invalidIDToken),
        ] as [([String: AuthJSON], AuthError.Code)])
    func refusedIDTokenEndsTheTokens(claims: [String: AuthJSON], code: AuthError.Code) async throws {
        var fixture = DeviceFixture.openID
        fixture.claims?.merge(claims) { $1 }
        let transport = fixture.transport()
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn(transport) }
        #expect(error?.code == code && error?.step == .exchanging)
        #expect(transport.forms.last?["token"] == "refresh-1" && transport.requests.last?.url.path() == "/revoke")
    }

    @Test(.enabled(if: Signatures.isAvailable)) func signatureOfTheIDTokenIsVerified() async throws {
        var fixture = DeviceFixture.openID
        fixture.sign = { claims in
            let parts = try SignedTokens.token(claims).split(separator: ".")
            let other = try SignedTokens.token(claims.merging(["name": "Other"]) { $1 }).split(separator: ".")
            return "\(parts[0]).\(parts[1]).\(other[2])"
        }
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .invalidIDToken)
    }

    @Test func missingIDTokenIsAnError() async throws {
        var fixture = DeviceFixture.openID
        fixture.claims = nil
        let error = await #expect(throws: AuthError.self) { try await fixture.signIn() }
        #expect(error?.code == .invalidResponse)
    }

    /// A request of the issuer's page cannot be repeated here, and the ID token is checked by it.
    @Test func logInThatCannotBeRequestedIsAMistakeOfTheConfiguration() async throws {
        let fixture = DeviceFixture.openID
        let transport = fixture.transport()
        var configuration = OpenIDProvider.Configuration(
            "tv", issuer: DeviceFixture.issuer, clientID: "app", redirect: .loopback(path: "/callback"))
        configuration.options.acrValues = ["urn:example:gold"]
        let provider = DeviceCodeProvider(configuration, transport: transport, clock: fixture.authClock)
        let error = await #expect(throws: AuthError.self) { try await provider.authenticate(fixture.request).value }
        #expect(error?.code == .misconfigured && transport.requests.isEmpty)
    }

    /// A key of this device is of no use to another server.
    @MainActor @Test func boundTokensAreForTheRepositoryOfTheIssuerAlone() async throws {
        var issuer = OpenIDProvider.Configuration(
            "tv", issuer: DeviceFixture.issuer, clientID: "app", redirect: .loopback(path: "/callback"))
        issuer.usesDPoP = true
        let fixture = DeviceFixture.openID
        let transport = fixture.transport()
        let auth = AuthService(
            .repository(ScriptedRepository()), providers: [.deviceCode(issuer)],
            platform: .isolated(transport: transport))
        let error = await #expect(throws: AuthError.self) {
            try await auth.signIn(with: "tv", fixture.request).value
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains("usesDPoP") == true)
        #expect(transport.requests.isEmpty)
    }

    /// The repository of the issuer keeps the tokens, and redeems nothing.
    @Test func issuersTokensAreTheSession() async throws {
        let fixture = DeviceFixture.openID
        let transport = fixture.transport()
        let credential = try await fixture.signIn(transport)
        let repository = repository(fixture, transport)
        let session = try await repository.signIn(with: credential)
        #expect(session.user.id == "1001" && session.accessToken == Secret("access-1"))
        #expect(session.refreshToken == Secret("refresh-1") && session.openID?.scopes == ["openid", "email"])
        #expect(session.expiresAt == fixture.authClock.date.addingTimeInterval(300))
        #expect(fixture.seconds.count == 1, "The code is redeemed once.")
        let next = try await repository.refresh(session)
        #expect(next.accessToken == Secret("access-2") && next.refreshToken == Secret("refresh-2"))
        try await repository.signOut(next)
        #expect(transport.forms.last?["token"] == "refresh-2")
    }

    /// The kind says which of them is asked.
    @MainActor @Test func codeAndPageOfOneIssuerStandSideBySide() async throws {
        let issuer = OpenIDProvider.Configuration(
            "tv", issuer: DeviceFixture.issuer, clientID: "app", redirect: .loopback(path: "/callback"))
        let auth = AuthService(
            .openID(issuer), providers: [.openID(issuer), .deviceCode(issuer)], platform: .isolated())
        #expect(auth.methods == [SignInMethod("tv", using: .web), SignInMethod("tv", using: .deviceCode)])
    }

    /// The service signs in again with the same tokens after a failure that may pass, so that does not end them.
    @Test(arguments: [503, 429]) func tokensOutlastAFailureThatMayPass(status: Int) async throws {
        let fixture = DeviceFixture.openID
        let credential = try await fixture.signIn()
        let isFirst = Lock(true)
        let transport = published(fixture) {
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? .text("", status: status) : nil
            }
        }
        let repository = repository(at: transport, fixture)
        let error = await #expect(throws: AuthError.self) { try await repository.signIn(with: credential) }
        #expect(error?.code == (status == 503 ? .server : .rateLimited))
        #expect(try await repository.signIn(with: credential).user.id == "1001")
        #expect(!transport.requests.contains { $0.url.path() == "/revoke" })
    }

    @Test func tokensThatTheRepositoryRefusesAreEnded() async throws {
        let fixture = DeviceFixture.openID
        let credential = try await fixture.signIn()
        let transport = published(fixture) { nil }
        let repository = repository(at: transport, fixture) { $0.usesDPoP = true }
        let error = await #expect(throws: AuthError.self) { try await repository.signIn(with: credential) }
        #expect(error?.code == .misconfigured && transport.forms.last?["token"] == "refresh-1")
    }

    /// - Parameter answer: In place of the issuer's metadata; `nil` for them.
    private func published(
        _ fixture: DeviceFixture, _ answer: @escaping @Sendable () -> AuthHTTPResponse?
    ) -> ScriptedTransport {
        let base = fixture.transport()
        return ScriptedTransport { request in
            guard request.url.path().contains(".well-known") else { return try await base.send(request) }
            return try answer()
                ?? .json([
                    "issuer": .string(DeviceFixture.issuer), "authorization_endpoint": "https://id.example/auth",
                    "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
                    "revocation_endpoint": "https://id.example/revoke",
                ])
        }
    }

    private func repository(
        at transport: ScriptedTransport, _ fixture: DeviceFixture,
        _ change: (inout OpenIDProvider.Configuration) -> Void = { _ in }
    ) -> OpenIDRepository {
        var issuer = OpenIDProvider.Configuration(
            "tv", issuer: DeviceFixture.issuer, clientID: "app", redirect: .loopback(path: "/callback"))
        change(&issuer)
        return OpenIDRepository(
            for: OpenIDProvider(
                issuer, redeemer: .repository, userAgent: ScriptedAgent { _, _ in "" }, transport: transport,
                clock: fixture.authClock))
    }

    /// An app may have given one identifier to two issuers. The tokens of one are not sent to the other.
    @Test(arguments: [true, false]) func tokensOfAnotherIssuerAreNoSession(hasIDToken: Bool) async throws {
        var fixture = DeviceFixture.openID
        if !hasIDToken { fixture.scopes = ["email"] }
        if !hasIDToken { fixture.claims = nil }
        let credential = try await fixture.signIn()
        fixture.metadata.issuer = hasIDToken ? "https://other.example" : DeviceFixture.issuer
        let transport = fixture.transport()
        let repository = repository(fixture, transport)
        let error = await #expect(throws: AuthError.self) { try await repository.signIn(with: credential) }
        #expect(error?.code == .misconfigured && transport.requests.isEmpty)
    }

    private func repository(_ fixture: DeviceFixture, _ transport: ScriptedTransport) -> OpenIDRepository {
        OpenIDRepository(
            for: OpenIDProvider(
                fixture.client(transport), redirect: .loopback(path: "/callback"), redeemer: .repository,
                userAgent: ScriptedAgent { _, _ in "" }))
    }
}
