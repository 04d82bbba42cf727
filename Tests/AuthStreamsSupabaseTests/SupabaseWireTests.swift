import AuthStreams
import AuthStreamsSupabase
import AuthStreamsTesting
import Foundation
import Testing

/// The requests, as Supabase's own clients send them.
@Suite struct SupabaseWireTests {
    private func sent(
        _ answer: AuthJSON = .session, by call: (SupabaseRepository) async throws -> Void
    ) async throws -> [AuthHTTPRequest] {
        let transport = try AnsweringTransport(answer)
        try await call(try SupabaseRepository.test(transport))
        return transport.sent
    }

    @Test func everyRequestHasKeyAndVersion() async throws {
        let request = try #require(
            try await sent(["id": "u1"]) { _ = try await $0.reload(.test) }.first)
        #expect(request.line == "GET /auth/v1/user" && request.headers["apikey"] == "sb_publishable_1")
        #expect(request.headers["x-supabase-api-version"] == "2024-01-01")
        #expect(request.headers[.authorization] == "Bearer access-1")
    }

    @Test(arguments: [(ProviderID.apple, "apple"), (.google, "google"), (.kakao, "kakao")])
    func anIDTokenSignsIn(_ provider: ProviderID, _ name: String) async throws {
        let credential = Credential(
            provider: provider, idToken: Secret("id-1"), rawNonce: Secret("nonce-1"), accessToken: Secret("at-1"))
        let request = try #require(
            try await sent {
                let session = try await $0.signIn(with: credential)
                #expect(session.accessToken == Secret("access-2") && session.refreshToken == Secret("refresh-2"))
                #expect(session.provider == provider && session.user.id == "u1")
            }.first)
        #expect(request.line == "POST /auth/v1/token?grant_type=id_token" && request.headers[.authorization] == nil)
        #expect(
            request.json == [
                "provider": .string(name), "id_token": "id-1", "nonce": "nonce-1", "access_token": "at-1",
            ])
    }

    /// The refresh token before would end the session.
    @Test(arguments: [
        (AuthError.Code.network, 2), (.timedOut, 2), (.server, 2), (.refused, 1), (.invalidResponse, 1),
        (.cancelled, 1), (.rateLimited, 1),
    ])
    func codeOfAnAppIsSentOnceMoreIfItsAnswerWasLost(failure: AuthError.Code, count: Int) async throws {
        let transport = AnsweringTransport { request throws(AuthError) in
            guard request.url.path().hasSuffix("verify") else {
                return AuthHTTPResponse(status: 200, body: Data(#"{"id": "c-1"}"#.utf8))
            }
            throw AuthError(failure, "The test says so.")
        }
        let repository = try SupabaseRepository.test(transport)
        let enrollment = Challenge.Enrollment(secret: Secret("JBSWY3DP"), url: Secret("otpauth://totp/a"))
        let challenge = Challenge(.enrollment(enrollment), context: ["factor": Secret("f-1")])
        let refusal = await error { () throws(AuthError) in
            try await repository.answer(challenge, with: .code(Secret("123456")), in: .test)
        }
        #expect(refusal?.code == failure)
        #expect(transport.sent.count { $0.url.path().hasSuffix("verify") } == count)
    }

    @Test func naverHasNoIDToken() async throws {
        let transport = try AnsweringTransport(.session)
        let repository = try SupabaseRepository.test(transport)
        #expect(!repository.accepts(.naver) && repository.accepts(.kakao) && repository.accepts(.emailLink))
        for provider in [ProviderID.naver, "example.com"] {
            let refusal = await error { () throws(AuthError) in
                try await repository.signIn(with: Credential(provider: provider, idToken: Secret("id-1")))
            }
            #expect(refusal?.code == .unsupportedProvider)
        }
        let withoutIDToken = await error { () throws(AuthError) in
            try await repository.signIn(with: Credential(provider: .kakao, accessToken: Secret("at-1")))
        }
        #expect(withoutIDToken?.code == .invalidCredential && transport.sent.isEmpty)
    }

    @Test func aFurtherProviderHasItsName() async throws {
        let transport = try AnsweringTransport(.session)
        let url = try #require(URL(string: "https://auth.example.com"))
        let repository = SupabaseRepository(
            project: SupabaseProject(url: url, key: "k", headers: ["x-client-info": "app", "apikey": "another"]),
            providers: ["line": "custom:line"], transport: transport)
        _ = try await repository.signIn(with: Credential(provider: "line", idToken: Secret("id-1")))
        let request = try #require(transport.sent.first)
        #expect(request.json == ["provider": "custom:line", "id_token": "id-1"])
        #expect(request.headers["x-client-info"] == "app" && request.headers["apikey"] == "k")
        #expect(!repository.accepts(.google))
    }

    @Test(arguments: [("minji@example.com", "email"), ("+82 10 1234 5678", "phone")])
    func aPasswordSignsIn(_ address: String, _ name: String) async throws {
        let body = AuthJSON.object([name: .string(address), "password": "horse"])
        let requests = try await sent {
            _ = try await $0.signIn(with: .password(email: address, "horse"))
            #expect(try await $0.signUp(with: .password(email: address, "horse")).isNewUser)
        }
        #expect(requests.map(\.line) == ["POST /auth/v1/token?grant_type=password", "POST /auth/v1/signup"])
        #expect(requests.map(\.json) == [body, body])
    }

    @Test func mailsAreAskedFor() async throws {
        let url = try #require(URL(string: "https://app.example/link"))
        let requests = try await sent([:]) {
            _ = try await $0.prepare(.emailLink(to: "a@b.example", continueURL: url), in: nil)
            _ = try await $0.prepare(.passwordReset(to: "a@b.example"), in: nil)
            _ = try await $0.prepare(.emailVerification, in: .test)
        }
        #expect(
            requests.map(\.line) == [
                "POST /auth/v1/otp?redirect_to=https://app.example/link", "POST /auth/v1/recover",
                "POST /auth/v1/resend",
            ])
        #expect(
            requests.map(\.json) == [
                ["email": "a@b.example", "create_user": true], ["email": "a@b.example"],
                ["type": "signup", "email": "minji@example.com"],
            ])
    }

    /// The hash signs in alone, so the address is compared here.
    @Test func aMailLinkIsForItsAddress() async throws {
        var credential = Credential(provider: .emailLink, authorizationCode: .init(code: Secret("hash-1")))
        credential.address = "Minji@example.com"
        let requests = try await sent { [credential] in _ = try await $0.signIn(with: credential) }
        #expect(requests.map(\.line) == ["POST /auth/v1/verify"])
        #expect(requests.first?.json == ["type": "email", "token_hash": "hash-1"])
        credential.address = "alex@example.com"
        let transport = try AnsweringTransport(.session)
        let repository = try SupabaseRepository.test(transport)
        let refusal = await error { [credential] () throws(AuthError) in try await repository.signIn(with: credential) }
        #expect(refusal?.code == .invalidCredential)
        #expect(transport.sent.map(\.line) == ["POST /auth/v1/verify", "POST /auth/v1/logout?scope=local"])
        #expect(transport.sent.last?.headers[.authorization] == "Bearer access-2")
    }

    @Test func sessionsAreRefreshedAndEnded() async throws {
        let requests = try await sent {
            #expect(try await $0.refresh(.test).refreshToken == Secret("refresh-2"))
            _ = try await $0.adopt(refreshToken: Secret("refresh-1"))
            try await $0.signOut(.test)
            try await $0.signOutEverywhere(.test)
            try await $0.deleteAccount(.test)
            _ = try await $0.signInAnonymously()
        }
        #expect(
            requests.map(\.line) == [
                "POST /auth/v1/token?grant_type=refresh_token", "POST /auth/v1/token?grant_type=refresh_token",
                "POST /auth/v1/logout?scope=local", "POST /auth/v1/logout?scope=global",
                "POST /functions/v1/delete-account", "POST /auth/v1/signup",
            ])
        #expect(requests[0].json == ["refresh_token": "refresh-1"] && requests[5].json == [:])
    }

    /// Supabase knows a session by its access token alone.
    @Test func aSignOutWithoutAnAccessTokenRefreshesFirst() async throws {
        var session = AuthSession.test
        session.accessToken = Secret("")
        let requests = try await sent { [session] in try await $0.signOut(session) }
        #expect(
            requests.map(\.line) == [
                "POST /auth/v1/token?grant_type=refresh_token", "POST /auth/v1/logout?scope=local",
            ])
        #expect(requests.last?.headers[.authorization] == "Bearer access-2")
    }

    @Test func withoutAFunctionNothingIsDeleted() async throws {
        let transport = try AnsweringTransport([:])
        let url = try #require(URL(string: "https://p.supabase.co"))
        let repository = SupabaseRepository(project: SupabaseProject(url: url, key: "k"), transport: transport)
        let refusal = await error { () throws(AuthError) in try await repository.deleteAccount(.test) }
        #expect(refusal?.code == .unsupportedProvider && refusal?.explanation.contains("Edge Function") == true)
        #expect(transport.sent.isEmpty)
    }

    @Test func aProfileIsInTheMetadata() async throws {
        let picture = try #require(URL(string: "https://p.example/1.jpg"))
        let requests = try await sent(["id": "u1"]) {
            _ = try await $0.updateProfile(.init(displayName: .set("민지"), photoURL: .set(picture)), of: .test)
            _ = try await $0.updateProfile(.init(displayName: .remove), of: .test)
        }
        #expect(requests.map(\.line) == ["PUT /auth/v1/user", "PUT /auth/v1/user"])
        #expect(
            requests.map(\.json) == [
                [
                    "data": [
                        "full_name": "민지", "name": "민지", "avatar_url": "https://p.example/1.jpg",
                        "picture": "https://p.example/1.jpg",
                    ]
                ], ["data": ["full_name": nil, "name": nil]],
            ])
    }

    @Test func anAnswerOfAnotherUserIsNotKept() async throws {
        var other = AuthSession.test
        other.user.id = "u2"
        let repository = try SupabaseRepository.test(try AnsweringTransport(.session))
        let refusal = await error { [other] () throws(AuthError) in try await repository.refresh(other) }
        #expect(refusal?.code == .invalidResponse)
    }

    @Test func aProjectWithoutKeyOrHTTPSIsNotAsked() async throws {
        for (address, key) in [("https://p.supabase.co", ""), ("http://p.supabase.co", "k")] {
            let transport = try AnsweringTransport(.session)
            let url = try #require(URL(string: address))
            let repository = SupabaseRepository(project: SupabaseProject(url: url, key: key), transport: transport)
            let refusal = await error { () throws(AuthError) in try await repository.signInAnonymously() }
            #expect(refusal?.code == .misconfigured && transport.sent.isEmpty)
        }
    }

    @Test func theUserIsRead() async throws {
        let answer: AuthJSON = [
            "id": "u1", "email": "minji@example.com", "email_confirmed_at": "2026-01-01T00:00:00Z",
            "is_anonymous": false, "app_metadata": ["provider": "kakao", "tier": "gold"],
            "user_metadata": ["name": "민지", "picture": "https://k.example/1.jpg", "tier": "platinum"],
            "identities": [
                [
                    "identity_id": "i1", "id": "1001", "provider": "kakao",
                    "identity_data": ["email": "m@kakao.example"],
                ],
                ["identity_id": "i2", "id": "u1", "provider": "email"],
                ["identity_id": "i3", "id": "g1", "provider": "github"],
            ],
        ]
        _ = try await sent(answer) {
            let user = try await $0.reload(.test).user
            #expect(user.displayName == "민지" && user.photoURL?.absoluteString == "https://k.example/1.jpg")
            #expect(user.email == "minji@example.com" && user.isEmailVerified && !user.isAnonymous)
            #expect(user.providers.map(\.id) == [.kakao, .password, "github"])
            #expect(user.providers.first?.userID == "1001" && user.providers.first?.email == "m@kakao.example")
            // What the user can change is no claim.
            #expect(user.claims == ["provider": "kakao", "tier": "gold"])
        }
    }

    @Test func aFactoryMakesTheRepository() async throws {
        let url = try #require(URL(string: "https://p.supabase.co"))
        let transport = try AnsweringTransport(.session)
        let service = AuthService(
            .supabase(url: url, key: "sb_publishable_1"), providers: [],
            platform: .isolated(transport: transport))
        let user = try await service.signIn(credential: .password(email: "minji@example.com", "horse")).value.user
        #expect(user.id == "u1" && transport.sent.map(\.line) == ["POST /auth/v1/token?grant_type=password"])
    }
}
