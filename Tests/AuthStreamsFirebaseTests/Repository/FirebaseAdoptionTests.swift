import AuthStreams
import AuthStreamsFirebase
import Foundation
import Testing

@Suite struct FirebaseAdoptionTests {
    private func repository(
        _ transport: any AuthHTTPTransport, routes: [ProviderID: FirebaseRoute] = .standard(functionsIn: .seoul)
    ) -> FirebaseRepository {
        FirebaseRepository(project: Fixture.project, routes: routes, transport: transport, clock: Fixture.clock)
    }

    private func refreshed(_ claims: [String: AuthJSON] = [:], user: String = "uid-1", more: String = "")
        -> AuthHTTPResponse
    {
        .json(#"{"id_token":"\#(Fixture.idToken(claims, of: user))","expires_in":"1800"\#(more)}"#)
    }

    private func account(_ user: String = "uid-1", providers: String = "[]") -> AuthHTTPResponse {
        .json(#"{"users":[{"localId":"\#(user)","email":"a@b.example","providerUserInfo":\#(providers)}]}"#)
    }

    @Test func aRefreshTokenBecomesASession() async throws {
        let claims: [String: AuthJSON] = ["role": "admin", "firebase": ["sign_in_provider": "google.com"]]
        let transport = ScriptedTransport(refreshed(claims, more: #","refresh_token":"next""#), account())
        let session = try await repository(transport).adopt(refreshToken: Secret(Fixture.refreshToken))
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["token", "accounts:lookup"])
        #expect(transport.requests.first?.text == "grant_type=refresh_token&refresh_token=refresh%2Btoken%2Fsecret%3D")
        #expect(
            session
                == AuthSession(
                    accessToken: Secret(Fixture.idToken(claims)), refreshToken: Secret("next"),
                    expiresAt: Fixture.now.addingTimeInterval(1800),
                    user: AuthUser(id: "uid-1", email: "a@b.example", claims: ["role": "admin"]), provider: .google,
                    isNewUser: false))
    }

    @Test func theGivenTokenStaysWhereTheAnswerHasNone() async throws {
        let transport = ScriptedTransport(refreshed(), account())
        let session = try await repository(transport).adopt(refreshToken: Secret(Fixture.refreshToken))
        #expect(session.refreshToken == Secret(Fixture.refreshToken))
    }

    @Test(
        arguments: [
            (["firebase": ["sign_in_provider": "apple.com"]], "u", "[]", .apple),
            (["firebase": ["sign_in_provider": "password"]], "u", "[]", .password),
            (["firebase": ["sign_in_provider": "custom"], "provider": "naver"], "u", "[]", .naver),
            (["firebase": ["sign_in_provider": "custom"], "provider": "KAKAO"], "u", "[]", .kakao),
            (["firebase": ["sign_in_provider": "custom"], "provider": "N"], "kakao:1", "[]", .naver),
            (["firebase": ["sign_in_provider": "custom"], "provider": "admin"], "kakao:1", "[]", .kakao),
            (["firebase": ["sign_in_provider": "custom"]], "kakao:1", #"[{"providerId":"google.com"}]"#, .kakao),
            (["firebase": ["sign_in_provider": "custom"]], "u", #"[{"providerId":"google.com"}]"#, .google),
            (["firebase": ["sign_in_provider": "custom"]], "line:1", "[]", "custom"),
            (["firebase": .null], "u", "[]", "custom"),
        ] as [([String: AuthJSON], String, String, ProviderID)])
    func theProviderIsWhatTheSessionWasBegunWith(
        claims: [String: AuthJSON], user: String, linked: String, provider: ProviderID
    ) async throws {
        let transport = ScriptedTransport(refreshed(claims, user: user), account(user, providers: linked))
        let routes: [ProviderID: FirebaseRoute] = .standard(
            functionsIn: .seoul, format: .accessToken(providers: [.naver: "N"]))
        let session = try await repository(transport, routes: routes).adopt(refreshToken: Secret("t"))
        #expect(session.provider == provider)
    }

    @Test(arguments: ["", " ", "\n", "two words", "token\n", "token\u{0}", "토큰"])
    func whatIsNoTokenIsRefusedBeforeAnyRequest(text: String) async throws {
        let repository = repository(ScriptedTransport())
        let error = try await failure { () throws(AuthError) in try await repository.adopt(refreshToken: Secret(text)) }
        #expect(error.code == .invalidCredential)
    }

    @Test(arguments: [
        ("TOKEN_EXPIRED", AuthError.Code.sessionExpired), ("INVALID_REFRESH_TOKEN", .sessionExpired),
        ("USER_NOT_FOUND", .userNotFound), ("USER_DISABLED", .userDisabled),
        ("PROJECT_NUMBER_MISMATCH", .misconfigured),
    ])
    func aDeadOrForeignTokenIsToldAsARefreshTellsIt(message: String, code: AuthError.Code) async throws {
        let repository = repository(ScriptedTransport(.refusal(message)))
        let error = try await failure { () throws(AuthError) in
            try await repository.adopt(refreshToken: Secret(Fixture.refreshToken))
        }
        #expect(error.code == code)
        #expect(error.serverCode == message)
        #expect(!error.debugDescription.contains(Fixture.refreshToken))
    }

    @Test func aLookUpThatFailsLosesNothing() async throws {
        let transport = ScriptedTransport(refreshed(), .html(status: 503), refreshed(), account())
        let repository = repository(transport)
        let error = try await failure { () throws(AuthError) in try await repository.adopt(refreshToken: Secret("t")) }
        #expect(error.code == .server)
        #expect(error.isRetryable)
        // The same token again.
        #expect(try await repository.adopt(refreshToken: Secret("t")).user.id == "uid-1")
    }

    @Test func aLookUpOfSomebodyElseIsNotASession() async throws {
        let repository = repository(ScriptedTransport(refreshed(), account("uid-2")))
        let error = try await failure { () throws(AuthError) in try await repository.adopt(refreshToken: Secret("t")) }
        #expect(error.code == .invalidResponse)
    }
}
