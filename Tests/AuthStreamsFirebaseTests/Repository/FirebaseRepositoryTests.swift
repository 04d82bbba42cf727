import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct FirebaseRepositoryTests {
    private func repository(
        _ transport: any AuthHTTPTransport, routes: [ProviderID: FirebaseRoute] = .standard(functionsIn: .seoul)
    ) -> FirebaseRepository {
        FirebaseRepository(
            project: Fixture.project, routes: routes, transport: transport, clock: Fixture.clock)
    }

    @Test func theFourProvidersHaveRoutes() {
        let repository = repository(ScriptedTransport())
        for provider in [ProviderID.apple, .google, .kakao, .naver] { #expect(repository.accepts(provider)) }
        #expect(!repository.accepts("line"))
    }

    @Test func aProviderWithoutRouteEndsBeforeAnyRequest() async throws {
        let repository = repository(ScriptedTransport(), routes: [.apple: .idp])
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.google) }
        #expect(error.code == .unsupportedProvider)
        #expect(error.provider == .google)
        #expect(error.explanation.contains("google.com"))
    }

    @Test(arguments: [Fixture.apple, Fixture.google])
    func appleAndGoogleGoStraightToFirebase(credential: Credential) async throws {
        let token = Fixture.idToken(["role": "admin"])
        let transport = ScriptedTransport(
            Fixture.signedIn(#","isNewUser":true"#, idToken: token), Fixture.account)
        let session = try await repository(transport).signIn(with: credential)
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["accounts:signInWithIdp", "accounts:lookup"])
        #expect(transport.requests.last?.json?["idToken"] == .string(token))
        #expect(
            session
                == AuthSession(
                    accessToken: Secret(token), refreshToken: Secret(Fixture.refreshToken),
                    expiresAt: Fixture.now.addingTimeInterval(3600),
                    user: AuthUser(id: "uid-1", email: "a@b.example", claims: ["role": "admin"]),
                    provider: credential.provider, isNewUser: true))
    }

    @Test(arguments: [Fixture.kakao, Fixture.naver])
    func kakaoAndNaverGoThroughTheFunction(credential: Credential) async throws {
        let transport = ScriptedTransport(Fixture.functionResult, Fixture.signedIn(user: nil), Fixture.account)
        let session = try await repository(transport).signIn(with: credential)
        #expect(
            transport.requests.map { $0.url.lastPathComponent }
                == ["socialLogin", "accounts:signInWithCustomToken", "accounts:lookup"])
        #expect(transport.requests.first?.url.host() == "asia-northeast3-demo.cloudfunctions.net")
        #expect(transport.requests.dropFirst().first?.json?["token"] == .string(Fixture.customToken))
        #expect(session.provider == credential.provider)
        #expect(session.user.id == "uid-1")
        #expect(!session.isNewUser)
    }

    @Test func routesAreConfiguration() async throws {
        let transport = ScriptedTransport(
            Fixture.functionResult, Fixture.signedIn(user: nil), Fixture.account,
            Fixture.signedIn(), Fixture.account)
        let repository = repository(
            transport,
            routes: [
                .apple: .customToken(function: "appleLogin", region: "europe-west1"), "line": .idp(as: "oidc.line"),
            ])
        _ = try await repository.signIn(with: Fixture.apple)
        _ = try await repository.signIn(with: Credential(provider: "line", idToken: Secret("t")))
        #expect(transport.requests.first?.line == "POST https://europe-west1-demo.cloudfunctions.net/appleLogin")
        #expect(transport.requests[3].json?["postBody"] == "id_token=t&providerId=oidc.line")
    }

    @Test func aLookUpOfSomebodyElseIsNotASession() async throws {
        let transport = ScriptedTransport(Fixture.signedIn(), .json(#"{"users":[{"localId":"uid-2"}]}"#))
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in try await repository.signIn(with: Fixture.google) }
        #expect(error.code == .invalidResponse)
    }

    @Test func aRefreshKeepsTheUserAndTakesTheNewTokens() async throws {
        let token = Fixture.idToken(["new": true, "email": "new@b.example", "email_verified": true])
        let transport = ScriptedTransport(
            .json(#"{"id_token":"\#(token)","refresh_token":"next","expires_in":"1800","user_id":"uid-1"}"#))
        let session = try await repository(transport).refresh(Fixture.session)
        #expect(transport.requests.map { $0.url.host() } == ["securetoken.googleapis.com"])
        #expect(
            session
                == AuthSession(
                    accessToken: Secret(token), refreshToken: Secret("next"),
                    expiresAt: Fixture.now.addingTimeInterval(1800),
                    user: AuthUser(
                        id: "uid-1", email: "new@b.example", isEmailVerified: true, displayName: "Kept",
                        claims: ["new": true]),
                    provider: .kakao, isNewUser: false))
    }

    @Test func aRefreshWithoutNewRefreshTokenKeepsTheOld() async throws {
        let transport = ScriptedTransport(.json(#"{"id_token":"\#(Fixture.idToken())"}"#))
        #expect(try await repository(transport).refresh(Fixture.session).refreshToken == Fixture.session.refreshToken)
    }

    @Test func anotherUsersRefreshIsRefused() async throws {
        let transport = ScriptedTransport(.json(#"{"id_token":"\#(Fixture.idToken(of: "uid-2"))"}"#))
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
        #expect(error.code == .invalidResponse)
    }

    @Test(arguments: [nil, Secret("")])
    func aSessionWithoutRefreshTokenIsOverBeforeAnyRequest(refreshToken: Secret?) async throws {
        var session = Fixture.session
        session.refreshToken = refreshToken
        let repository = repository(ScriptedTransport())
        let error = try await failure { () throws(AuthError) in try await repository.refresh(session) }
        #expect(error.code == .sessionExpired)
    }

    @Test(arguments: [
        ("USER_NOT_FOUND", AuthError.Code.userNotFound), ("USER_DISABLED", .userDisabled),
        ("TOKEN_EXPIRED", .sessionExpired), ("INVALID_REFRESH_TOKEN", .sessionExpired),
    ])
    func aDefiniteNoIsTold(message: String, code: AuthError.Code) async throws {
        let repository = repository(ScriptedTransport(.refusal(message)))
        let error = try await failure { () throws(AuthError) in try await repository.refresh(Fixture.session) }
        #expect(error.code == code)
        #expect(error.provider == .kakao)
    }

    @Test func signingOutAsksNobody() async throws {
        let transport = ScriptedTransport()
        try await repository(transport).signOut(Fixture.session)
        #expect(transport.requests.isEmpty)
    }

    @Test func deletingNeedsARecentSignIn() async throws {
        let transport = ScriptedTransport(.json("{}"), .refusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN"))
        let repository = repository(transport)
        try await repository.deleteAccount(Fixture.session)
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["accounts:delete"])
        #expect(transport.requests.first?.json?["idToken"] == .string(Fixture.idToken()))
        let error = try await failure { () throws(AuthError) in try await repository.deleteAccount(Fixture.session) }
        #expect(error.code == .requiresRecentSignIn)
    }
}
