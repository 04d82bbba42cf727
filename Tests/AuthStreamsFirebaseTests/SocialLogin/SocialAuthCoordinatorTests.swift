import AuthStreams
import AuthStreamsFirebase
import Testing

@Suite struct SocialAuthCoordinatorTests {
    /// Both ports, as an app that keeps the Firebase SDK would write them.
    private final class Ports: CustomTokenSource, CustomTokenSignIn {
        let calls = Lock<[String]>([])
        let token: Result<Secret, AuthError>
        let outcome: Result<AuthSession, AuthError>

        init(
            token: Result<Secret, AuthError> = .success(Secret("custom")),
            outcome: Result<AuthSession, AuthError> = .success(Fixture.session)
        ) {
            self.token = token
            self.outcome = outcome
        }

        func customToken(for credential: Credential) async throws(AuthError) -> Secret {
            calls.withLock { $0.append("customToken \(credential.provider)") }
            return try token.get()
        }

        func customToken(linking credential: Credential, to idToken: Secret) async throws(AuthError) -> Secret {
            try await customToken(for: credential)
        }

        func signIn(withCustomToken token: Secret, from provider: ProviderID) async throws(AuthError) -> AuthSession {
            calls.withLock { $0.append("signIn \(token.reveal()) \(provider)") }
            return try outcome.get()
        }
    }

    private func failure(_ ports: Ports, of credential: Credential = Fixture.kakao) async throws -> AuthError {
        let coordinator = SocialAuthCoordinator(source: ports, firebase: ports)
        return try await AuthStreamsFirebaseTests.failure { () throws(AuthError) in
            try await coordinator.signIn(with: credential)
        }
    }

    @Test func theStepsFollowInOrder() async throws {
        let ports = Ports()
        let session = try await SocialAuthCoordinator(source: ports, firebase: ports).signIn(with: Fixture.kakao)
        #expect(session == Fixture.session)
        #expect(ports.calls.withLock { $0 } == ["customToken kakao", "signIn custom kakao"])
    }

    @Test func aCredentialWithNothingInItAsksNobody() async throws {
        let ports = Ports()
        let error = try await failure(ports, of: Credential(provider: .kakao, accessToken: Secret("")))
        #expect(error.code == .invalidCredential)
        #expect(ports.calls.withLock { $0 }.isEmpty)
    }

    @Test func anEmptyCustomTokenIsNotTakenToFirebase() async throws {
        let ports = Ports(token: .success(Secret("")))
        #expect(try await failure(ports).code == .invalidCustomToken)
        #expect(ports.calls.withLock { $0 } == ["customToken kakao"])
    }

    /// A port over Firebase's SDK changes the user that the SDK shows as soon as it is called.
    @Test(arguments: [Fixture.customToken, Fixture.idToken(["uid": "kakao:2002"])])
    func aReauthenticationSignsInNoOneElse(customToken: String) async throws {
        let ports = Ports(token: .success(Secret(customToken)))
        let coordinator = SocialAuthCoordinator(source: ports, firebase: ports)
        let error = try await AuthStreamsFirebaseTests.failure { () throws(AuthError) in
            try await coordinator.reauthenticate(Fixture.session, with: Fixture.kakao)
        }
        #expect(error.code == (customToken == Fixture.customToken ? .invalidCustomToken : .credentialInUse))
        #expect(ports.calls.withLock { $0 } == ["customToken kakao"])
    }

    @Test(arguments: [Fixture.customToken, Fixture.idToken(["uid": "kakao:2002"])])
    func aLinkSignsInNoOneElse(customToken: String) async throws {
        let ports = Ports(token: .success(Secret(customToken)))
        let coordinator = SocialAuthCoordinator(source: ports, firebase: ports)
        let error = try await AuthStreamsFirebaseTests.failure { () throws(AuthError) in
            try await coordinator.link(Fixture.kakao, to: Fixture.session)
        }
        #expect(error.code == (customToken == Fixture.customToken ? .invalidCustomToken : .invalidResponse))
        #expect(ports.calls.withLock { $0 } == ["customToken kakao"])
    }

    @Test func errorsKeepTheirCodeAndLearnWhereTheyHappened() async throws {
        let refused = Ports(token: .failure(AuthError(.invalidCredential, "No.", serverCode: "UNAUTHENTICATED")))
        let error = try await failure(refused)
        #expect(error.code == .invalidCredential)
        #expect(error.serverCode == "UNAUTHENTICATED")
        #expect(error.provider == .kakao)
        #expect(error.step == .establishingSession)
        #expect(refused.calls.withLock { $0 } == ["customToken kakao"])
        let disabled = Ports(outcome: .failure(AuthError(.userDisabled, "No.")))
        #expect(try await failure(disabled).code == .userDisabled)
    }
}
