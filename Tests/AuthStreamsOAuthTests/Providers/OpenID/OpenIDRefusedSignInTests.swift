import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Tokens that were issued to a sign-in that is refused then (RFC 7009).
@Suite struct OpenIDRefusedSignInTests {
    private static let revocation: [String: AuthJSON] = ["revocation_endpoint": "https://id.example/revoke"]

    /// The refresh token ends the access token, too.
    @Test(
        arguments: [AuthJSON.string("secret-refresh"), .null], [OpenIDProvider.Redeemer.app, .repository])
    func tokensOfARefusedIDTokenAreEnded(refreshToken: AuthJSON, redeemer: OpenIDProvider.Redeemer) async throws {
        var fixture = OpenIDFixture()
        fixture.redeemer = redeemer
        fixture.metadata = Self.revocation
        fixture.claims = ["nonce": "of another attempt"]
        fixture.members = ["refresh_token": refreshToken]
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) { try await fixture.userID(transport: transport) }
        #expect(error?.code == .nonceMismatch)
        let ended = zip(transport.requests, transport.forms).filter { $0.0.url.path() == "/revoke" }.map(\.1)
        let isRefreshToken = refreshToken != .null
        #expect(ended.map { $0["token"] } == [isRefreshToken ? "secret-refresh" : "secret-access"])
        #expect(ended.map { $0["token_type_hint"] } == [isRefreshToken ? "refresh_token" : "access_token"])
    }

    @Test func tokensOfAnAcceptedSignInAreNotEnded() async throws {
        var fixture = OpenIDFixture()
        fixture.metadata = Self.revocation
        let transport = fixture.transport
        _ = try await fixture.signIn(transport: transport)
        #expect(!transport.requests.contains { $0.url.path() == "/revoke" })
    }

    @Test(arguments: [true, false]) func tokensOfAnotherPersonAreEnded(isAtUserInfo: Bool) async throws {
        var fixture = IssuerFixture()
        if isAtUserInfo { fixture.userInfo = { try .json(["sub": "1002"]) } }
        let transport = fixture.transport
        let repository = fixture.repository(transport)
        if isAtUserInfo {
            await #expect(throws: AuthError.self) { try await repository.signIn(with: IssuerFixture.credential) }
        } else {
            var session = try await repository.signIn(with: IssuerFixture.credential)
            session.user.id = "1002"
            let error = await #expect(throws: AuthError.self) {
                try await repository.reauthenticate(session, with: IssuerFixture.credential)
            }
            #expect(error?.code == .credentialInUse)
        }
        #expect(transport.forms.filter { $0["token_type_hint"] != nil }.map { $0["token"] } == ["refresh-1"])
    }

    /// The refusal stays the error of the sign-in.
    @Test func failedRevocationIsReported() async throws {
        var fixture = OpenIDFixture()
        fixture.metadata = Self.revocation
        fixture.claims = ["nonce": "of another attempt"]
        let (issuer, warnings) = (fixture.transport, Lock<[AuthError]>([]))
        let transport = ScriptedTransport { request in
            if request.url.path() == "/revoke" { return .text("", status: 503) }
            return try await issuer.send(request)
        }
        let request = AuthRequest(onWarning: { warning in warnings.withLock { $0.append(warning) } })
        let error = await #expect(throws: AuthError.self) {
            try await fixture.signIn(request, transport: transport)
        }
        #expect(error?.code == .nonceMismatch)
        // A system without a library for signatures says so, too.
        #expect(warnings.withLock { $0 }.map(\.code).filter { $0 != .misconfigured } == [.server])
    }

    /// Some servers end all tokens of the person with one, also those of the attempt that follows.
    @Test(.enabled(if: Signatures.isAvailable)) func tokensOfACancelledSignInAreLeft() async throws {
        var fixture = OpenIDFixture()
        fixture.metadata = Self.revocation
        let (issuer, isAtKeys) = (fixture.transport, Promise<Void>())
        let transport = ScriptedTransport { request in
            guard request.url.path() == "/keys" else { return try await issuer.send(request) }
            isAtKeys.resolve(())
            _ = await Promise<Void>().value()
            throw AuthError.cancelled
        }
        let task = Task { [fixture] in
            await #expect(throws: AuthError.self) { try await fixture.signIn(transport: transport) }
        }
        _ = await isAtKeys.value()
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(!transport.requests.contains { $0.url.path() == "/revoke" })
    }

    /// The issuer says that the same person logged in, though not when.
    @Test func tokensOfARefusedReauthenticationAreLeft() async throws {
        var fixture = IssuerFixture()
        let session = try await fixture.repository().signIn(with: IssuerFixture.credential)
        fixture.first = ["auth_time": .null]
        let transport = fixture.transport
        let error = await #expect(throws: AuthError.self) {
            try await fixture.repository(transport).reauthenticate(session, with: IssuerFixture.credential)
        }
        #expect(error?.code == .invalidIDToken)
        #expect(!transport.requests.contains { $0.url.path() == "/revoke" })
    }
}
