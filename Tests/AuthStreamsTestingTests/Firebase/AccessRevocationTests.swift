import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// What is withdrawn at the providers before an account is deleted, and sessions that end everywhere.
@Suite struct AccessRevocationTests {
    @MainActor
    private static func credentials(_ emulator: Emulator) -> EmulatedProviders {
        let network = URLSessionTransport.untimed()
        let callbacks = CallbackRouter()
        let browser = ScriptedBrowser(transport: network) { callbacks.handle($0) }
        return EmulatedProviders(
            at: emulator.baseURL, opener: browser, callbacks: callbacks, transport: network)
    }

    @MainActor
    private static func credential(of provider: any AuthProvider) async throws -> Credential {
        try await provider.authenticate(AuthRequest()).value
    }

    @Test func appleForgetsThePersonByAFreshCode() async throws {
        try await withEmulator { emulator in
            let apple = await Self.credentials(emulator).apple
            let repository = FirebaseRepository.emulated(at: emulator.baseURL)
            let first = try await Self.credential(of: apple)
            #expect(first.profile?.name?.givenName != nil)
            let session = try await repository.signIn(with: first)
            #expect(try await Self.credential(of: apple).profile == nil)

            // One credential proves that it is them and revokes: Firebase needs the ID token, Apple the code.
            let fresh = try await Self.credential(of: apple)
            let again = try await repository.reauthenticate(session, with: fresh)
            try await repository.revokeAccess(with: fresh, of: again)
            let asked = emulator.journal.entries.filter { $0.caller == .service && $0.host == "appleid.apple.com" }
            #expect(asked.map(\.path) == ["/auth/token", "/auth/revoke"])
            #expect(asked.map(\.status) == [200, 200])
            // A stranger again: the name is told once more.
            #expect(try await Self.credential(of: apple).profile?.name?.givenName != nil)

            let used = await error { () throws(AuthError) in
                try await repository.revokeAccess(with: fresh, of: again)
            }
            #expect(used?.code == .invalidCredential)
            #expect(used?.serverCode == "INVALID_IDP_RESPONSE")
        }
    }

    @Test func anotherPersonsCodeRevokesNothing() async throws {
        try await withEmulator { emulator in
            let apple = await Self.credentials(emulator).apple
            let repository = FirebaseRepository.emulated(at: emulator.baseURL)
            _ = try await repository.signIn(with: try await Self.credential(of: apple))
            let stranger = try await repository.signInAnonymously()
            let credential = try await Self.credential(of: apple)
            let error = await error { () throws(AuthError) in
                try await repository.revokeAccess(with: credential, of: stranger)
            }
            #expect(error?.code == .invalidCredential)
            #expect(!emulator.journal.entries.contains { $0.path == "/auth/revoke" })
        }
    }

    @Test func appleInTroubleMayBeAskedAgain() async throws {
        try await withEmulator { emulator in
            let apple = await Self.credentials(emulator).apple
            let repository = FirebaseRepository.emulated(at: emulator.baseURL)
            let session = try await repository.signIn(with: try await Self.credential(of: apple))
            emulator.inject(.status(503), at: EmulatorEndpoint(host: "appleid.apple.com", path: "/auth/revoke"))
            let credential = try await Self.credential(of: apple)
            let error = await error { () throws(AuthError) in
                try await repository.revokeAccess(with: credential, of: session)
            }
            #expect(error?.code == .server)
            #expect(error?.isRetryable == true)
        }
    }

    @Test func googlesTokenIsRevokedAndADeadOneCountsAsRevoked() async throws {
        try await withEmulator { emulator in
            let google = await Self.credentials(emulator).google
            let repository = FirebaseRepository.emulated(at: emulator.baseURL)
            let credential = try await Self.credential(of: google)
            let session = try await repository.signIn(with: credential)
            try await repository.revokeAccess(with: credential, of: session)
            let userinfo = AuthHTTPRequest(
                .get, emulator.url(for: "https://openidconnect.googleapis.com/v1/userinfo"),
                headers: [.authorization: "Bearer \(credential.accessToken?.reveal() ?? "")"])
            #expect(try await URLSessionTransport.untimed().send(userinfo).status == 401)
            try await repository.revokeAccess(with: credential, of: session)
        }
    }

    @Test func kakaoIsUnlinkedThroughTheFunction() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let credential = backend.kakao()
            let session = try await repository.signIn(with: credential)
            // Kakao's ID token holds as long as it lasts.
            let again = try await repository.reauthenticate(session, with: credential)
            try await repository.revokeAccess(with: credential, of: again)
            #expect(backend.emulator.journal.entries.contains { $0.path == "/v1/user/unlink" && $0.status == 200 })
        }
    }

    @Test func aLinkedIdentityIsRevokedAsWell() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            var session = try await repository.signIn(with: backend.google())
            session = try await repository.link(try await backend.naver(), to: session)
            try await repository.revokeAccess(with: try await backend.naver(), of: session)
            #expect(backend.emulator.journal.entries.last { $0.host == "nid.naver.com" }?.status == 200)
        }
    }

    // MARK: Sessions

    @Test func everySessionOfTheUserEndsAndNobodyElses() async throws {
        try await EmulatedBackend.run { backend in
            let repository = backend.repository
            let here = try await repository.signIn(with: backend.google())
            let there = try await repository.signIn(with: backend.google())
            let other = try await repository.signIn(with: backend.kakao())
            backend.clock.advance(by: .seconds(1))
            try await repository.signOutEverywhere(here)
            for session in [here, there] {
                let error = await error { () throws(AuthError) in try await repository.refresh(session) }
                #expect(error?.code == .sessionExpired)
                #expect(error?.serverCode == "TOKEN_EXPIRED")
            }
            #expect(try await repository.refresh(other).user.id == other.user.id)
            // The ID token too counts no longer. That the session is over, the refresh says.
            let link = await error { () throws(AuthError) in
                try await repository.link(backend.apple(), to: there)
            }
            #expect(link?.code == .invalidCredential)
            #expect(link?.serverCode == "TOKEN_EXPIRED")
        }
    }

    @Test func withoutACallerNoSessionEnds() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await backend.repository.signIn(with: backend.google())
            let url = "https://asia-northeast3-authstreams-demo.cloudfunctions.net/revokeSessions"
            try await #expect(backend.post(url, Data(#"{"data":null}"#.utf8)).status == 401)
            let bearer: [HeaderName: String] = [.authorization: "Bearer \(session.accessToken.reveal())"]
            let uid = try await backend.post(url, Data(#"{"data":{"uid":"kakao:1001"}}"#.utf8), headers: bearer)
            #expect(uid.status == 400)
            #expect(try await backend.repository.refresh(session).user.id == session.user.id)
        }
    }
}
