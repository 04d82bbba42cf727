import AuthStreams
import AuthStreamsFirebase
import AuthStreamsTesting
import Foundation
import Testing

/// The twin of `socialLogin` on the wire: it ends at the provider what is the caller's own.
@Suite struct SocialRevocationTests {
    private func revocation(_ backend: EmulatedBackend) -> SocialRevocationFunction {
        let project = backend.emulator.configuration.firebase.client(at: backend.emulator.baseURL)
        return SocialRevocationFunction(
            CallableFunctions(project: project, in: .seoul, transport: backend.transport))
    }

    private func repository(_ backend: EmulatedBackend) -> FirebaseRepository {
        .emulated(
            at: backend.emulator.baseURL, project: backend.emulator.configuration.firebase,
            transport: backend.transport, clock: backend.emulator.configuration.clock)
    }

    private func kakao(_ backend: EmulatedBackend, _ id: String = "1001") -> Credential {
        Credential(
            provider: .kakao, idToken: Secret(backend.kakaoToken(["nonce": "n", "sub": .string(id)])),
            rawNonce: Secret("n"))
    }

    private func naver(_ backend: EmulatedBackend) async throws -> Credential {
        let code = Secret(try await backend.naverCode())
        return Credential(provider: .naver, authorizationCode: .init(code: code, state: Secret("s")))
    }

    private func error(_ attempt: () async throws(AuthError) -> Void) async -> AuthError? {
        do throws(AuthError) { try await attempt() } catch { return error }
        return nil
    }

    private func isGood(_ accessToken: String, _ backend: EmulatedBackend) async throws -> Bool {
        let url = backend.emulator.url(for: "https://kapi.kakao.com/v1/user/access_token_info")
        let request = AuthHTTPRequest(.get, url, headers: [.authorization: "Bearer \(accessToken)"])
        return try await backend.transport.send(request).isSuccess
    }

    @Test func kakaoIsUnlinkedByEitherProof() async throws {
        try await EmulatedBackend.run { backend in
            let key = backend.emulator.configuration.kakao.nativeAppKey
            let session = try await repository(backend).signIn(with: kakao(backend))
            let first = try await backend.kakaoAccessToken(ofKey: key)
            try await revocation(backend).revoke(kakao(backend), idToken: session.accessToken)
            #expect(try await !isGood(first, backend))
            let second = try await backend.kakaoAccessToken(ofKey: key)
            #expect(try await isGood(second, backend))
            try await revocation(backend).revoke(
                Credential(provider: .kakao, accessToken: Secret(second)), idToken: session.accessToken)
            #expect(try await !isGood(second, backend))
        }
    }

    @Test func naversTokenIsDeletedWithTheSecret() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await repository(backend).signIn(with: try await naver(backend))
            let before = backend.emulator.journal.entries.count
            try await revocation(backend).revoke(try await naver(backend), idToken: session.accessToken)
            let asked = backend.emulator.journal.entries.dropFirst(before).filter { $0.caller == .service }
            #expect(asked.map(\.path) == ["/oauth2.0/token", "/v1/nid/me", "/oauth2.0/token"])
        }
    }

    @Test func appleAndGoogleAreRevokedForTheLinkedIdentity() async throws {
        try await withEmulator { emulator in
            let spy = CredentialSpy()
            let network = URLSessionTransport.untimed()
            let callbacks = CallbackRouter()
            let browser = await ScriptedBrowser(transport: network) { callbacks.handle($0) }
            let providers = EmulatedProviders(
                at: emulator.baseURL, opener: browser, callbacks: callbacks, transport: network)
            let repository = FirebaseRepository.emulated(at: emulator.baseURL)
            let revocation = SocialRevocationFunction(
                CallableFunctions(
                    project: emulator.configuration.firebase.client(at: emulator.baseURL), in: .seoul,
                    transport: network))
            for provider in [providers.apple, providers.google] as [any AuthProvider] {
                let session = try await repository.signIn(with: try await spy.credential(of: provider))
                try await revocation.revoke(
                    try await spy.credential(of: provider), idToken: session.accessToken)
            }
            let revoked = emulator.journal.entries.filter { $0.path.hasSuffix("/revoke") }
            #expect(revoked.map(\.host) == ["appleid.apple.com", "oauth2.googleapis.com"])
            #expect(revoked.map(\.status) == [200, 200])
        }
    }

    @Test func anotherPersonsCredentialIsRefusedAndNothingIsRevoked() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await repository(backend).signIn(with: kakao(backend))
            for credential in [kakao(backend, "1002"), try await naver(backend)] {
                let error = await error { () throws(AuthError) in
                    try await revocation(backend).revoke(credential, idToken: session.accessToken)
                }
                #expect(error?.code == .accessDenied)
                #expect(error?.serverCode == "PERMISSION_DENIED")
            }
            let paths = backend.emulator.journal.entries.map(\.path)
            #expect(!paths.contains("/v1/user/unlink"))
            #expect(paths.count { $0 == "/oauth2.0/token" } == 1)
        }
    }

    @Test func withoutACallerThereIsNothingToRevoke() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await repository(backend).signIn(with: kakao(backend))
            let forged = await error { () throws(AuthError) in
                try await revocation(backend).revoke(kakao(backend), idToken: Secret("forged"))
            }
            #expect(forged?.code == .invalidCredential)
            let url = "https://asia-northeast3-authstreams-demo.cloudfunctions.net/revokeSocialLogin"
            let data: AuthJSON = ["data": ["provider": "kakao", "idToken": .string(backend.kakaoToken())]]
            #expect(try await backend.post(url, try JSONEncoder().encode(data)).status == 401)
            // A user whose account is deleted does not exist any more.
            backend.emulator.firebase.delete(session.user.id)
            let late = await error { () throws(AuthError) in
                try await revocation(backend).revoke(kakao(backend), idToken: session.accessToken)
            }
            #expect(late?.code == .invalidCredential)
        }
    }

    @Test func aCredentialThatDoesNotHoldAndAProviderInTroubleAreToldApart() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await repository(backend).signIn(with: kakao(backend))
            var wrong = kakao(backend)
            wrong.rawNonce = Secret("another")
            let refused = await error { () throws(AuthError) in
                try await revocation(backend).revoke(wrong, idToken: session.accessToken)
            }
            #expect(refused?.code == .invalidCredential)
            backend.emulator.inject(.status(503), at: EmulatorEndpoint(host: "kapi.kakao.com", path: "/v1/user/unlink"))
            let down = await error { () throws(AuthError) in
                try await revocation(backend).revoke(kakao(backend), idToken: session.accessToken)
            }
            #expect(down?.code == .server)
            #expect(down?.isRetryable == true)
        }
    }

    @Test func whoWasUnlinkedAlreadyCountsAsRevoked() async throws {
        try await EmulatedBackend.run { backend in
            let session = try await repository(backend).signIn(with: kakao(backend))
            backend.emulator.inject(
                .error("-101"), at: EmulatorEndpoint(host: "kapi.kakao.com", path: "/v1/user/unlink"))
            await #expect(throws: Never.self) {
                try await revocation(backend).revoke(kakao(backend), idToken: session.accessToken)
            }
        }
    }
}

/// Takes a credential off a provider, as a repository gets it.
private struct CredentialSpy {
    @MainActor
    func credential(of provider: any AuthProvider) async throws -> Credential {
        try await provider.authenticate(AuthRequest()).value
    }
}
