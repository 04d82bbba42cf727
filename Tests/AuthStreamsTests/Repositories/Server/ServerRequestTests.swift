import AuthStreams
import Foundation
import Testing

/// What goes to the server, to the byte.
@Suite struct ServerRequestTests {
    private typealias Fixture = ServerFixture

    private func signIn(
        _ credential: Credential = Fixture.credential, at base: URL = Fixture.base,
        _ contract: ServerContract = ServerContract()
    ) async throws -> AuthHTTPRequest {
        let transport = AnsweringTransport([Fixture.signedIn])
        _ = try await Fixture.repository(transport, at: base, contract).signIn(with: credential)
        #expect(transport.requests.count == 1)
        return try #require(transport.requests.first)
    }

    @Test func everythingOfACredentialIsSentUnderItsName() async throws {
        let request = try await signIn()
        #expect(request.line == "POST https://api.example.com/v1/auth/sign-in")
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.headers[.accept]?.contains("application/problem+json") == true)
        #expect(request.headers[.authorization] == nil)
        #expect(
            request.json == [
                "provider": "google.com", "idToken": "provider+id/token=&.", "nonce": "raw+nonce/&=",
                "accessToken": "provider+access/token=", "code": "authorization+code/&", "state": "state+1",
                "redirectURI": "demo://cb?x=1", "codeVerifier": "verifier~secret", "serverAuthCode": "server+auth/code",
                "userID": "1001",
                "profile": ["givenName": "길동", "familyName": "홍 \"&\"", "email": "gildong@example.com"],
            ])
    }

    @Test func whatACredentialHasNotIsNotSent() async throws {
        let credential = Credential(
            provider: .naver, accessToken: Secret(""), authorizationCode: .init(code: Secret("c")),
            profile: .init())
        #expect(try await signIn(credential).json == ["provider": "naver", "code": "c"])
    }

    @Test(arguments: [
        Credential(provider: .kakao), Credential(provider: .kakao, idToken: Secret(""), rawNonce: Secret("n")),
        Credential(provider: .naver, authorizationCode: .init(code: Secret(""))),
    ])
    func aCredentialThatProvesNothingEndsBeforeAnyRequest(credential: Credential) async throws {
        let repository = Fixture.repository(AnsweringTransport([]))
        let error = try await serverFailure { () throws(AuthError) in try await repository.signIn(with: credential) }
        #expect(error.code == .invalidCredential)
        #expect(error.provider == credential.provider)
        #expect(error.step == .establishingSession)
    }

    @Test func theServersProvidersAreConfiguration() async throws {
        let repository = Fixture.repository(AnsweringTransport([]), accepting: [.kakao])
        #expect(repository.accepts(.kakao))
        #expect(!repository.accepts(.google))
        #expect(Fixture.repository(AnsweringTransport([])).accepts("line"))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: Fixture.credential)
        }
        #expect(error.code == .unsupportedProvider)
        #expect(error.provider == .google)
    }

    @Test(arguments: [
        ("https://api.example.com", "https://api.example.com/auth/sign-in"),
        ("https://api.example.com/", "https://api.example.com/auth/sign-in"),
        ("https://api.example.com/v1/", "https://api.example.com/v1/auth/sign-in"),
        ("https://api.example.com:8443/a%20b", "https://api.example.com:8443/a%20b/auth/sign-in"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/auth/sign-in"),
        ("http://localhost/api", "http://localhost/api/auth/sign-in"),
    ])
    func theBaseMayHaveAPathAndASlash(base: String, url: String) async throws {
        let request = try await signIn(at: try #require(URL(string: base)))
        #expect(request.url.absoluteString == url)
    }

    @Test(arguments: ServerOperation.allCases, ["http://api.example.com", "http://localhost.example.com", "ws://x"])
    func noTokenLeavesTheMachineWithoutTLS(operation: ServerOperation, base: String) async throws {
        let repository = Fixture.repository(
            AnsweringTransport([]), at: try #require(URL(string: base)),
            headers: {
                Issue.record("The closure was called for header fields of a request that is not sent.")
                return [:]
            })
        let error = try await serverFailure { () throws(AuthError) in try await operation.run(repository) }
        #expect(error.code == .misconfigured)
        #expect(error.explanation.contains("https"))
    }

    @Test func refreshSignOutAndDeletionAreWhatTheContractSays() async throws {
        let transport = AnsweringTransport([
            Fixture.signedIn, Fixture.signedIn, AuthHTTPResponse(status: 204), .json("{}"),
        ])
        let repository = Fixture.repository(transport)
        for operation in ServerOperation.allCases.dropFirst() { try await operation.run(repository) }
        let requests = transport.requests
        #expect(
            requests.map(\.line) == [
                "POST https://api.example.com/v1/auth/refresh", "POST https://api.example.com/v1/auth/refresh",
                "POST https://api.example.com/v1/auth/sign-out", "DELETE https://api.example.com/v1/auth/account",
            ])
        #expect(requests.prefix(3).allSatisfy { $0.json == ["refreshToken": "old+refresh"] })
        #expect(requests.map { $0.headers[.authorization] } == [nil, nil, "Bearer old+access", "Bearer old+access"])
        #expect(requests.last?.body == nil)
    }

    // MARK: A server with other names

    @Test func pathsMethodsAndNamesAreConfiguration() async throws {
        var contract = ServerContract()
        contract.signIn = .init(.post, "/login/social")
        contract.refresh.path = "token"
        contract.deleteAccount = .init(.post, "me/delete")
        contract.credential.provider = "kind"
        contract.credential.idToken = "id_token"
        contract.credential.nonce = nil
        contract.credential.profile = nil
        contract.session.accessToken = "access_token"
        contract.session.refreshToken = "refresh_token"
        contract.session.expiresIn = "expires_in"
        contract.session.user = "member"
        contract.user.id = "no"
        contract.user.displayName = "nickname"
        let answer = AuthHTTPResponse.json(
            #"{"access_token":"a","refresh_token":"r","expires_in":60,"member":{"no":"u1","nickname":"N"}}"#)
        let transport = AnsweringTransport([
            answer, answer, AuthHTTPResponse(status: 204), AuthHTTPResponse(status: 204),
        ])
        let repository = Fixture.repository(transport, contract)
        let credential = Credential(
            provider: .apple, idToken: Secret("t"), rawNonce: Secret("n"),
            profile: .init(name: PersonName(givenName: "G")))
        var session = try await repository.signIn(with: credential)
        #expect(
            session
                == AuthSession(
                    accessToken: Secret("a"), refreshToken: Secret("r"),
                    expiresAt: Fixture.now.addingTimeInterval(60), user: AuthUser(id: "u1", displayName: "N"),
                    provider: .apple))
        session = try await repository.refresh(session)
        try await repository.signOut(session)
        try await repository.deleteAccount(session)
        #expect(
            transport.requests.map { $0.url.path() } == [
                "/v1/login/social", "/v1/token", "/v1/auth/sign-out", "/v1/me/delete",
            ])
        #expect(
            transport.requests.map(\.json) == [
                ["kind": "apple.com", "id_token": "t"], ["refresh_token": "r"], ["refresh_token": "r"], nil,
            ])
    }

    @Test func ofTwoWithOneNameTheFirstIsSent() async throws {
        var contract = ServerContract()
        contract.credential.idToken = "token"
        contract.credential.accessToken = "token"
        let both = Credential(provider: .kakao, idToken: Secret("id"), accessToken: Secret("access"))
        let access = Credential(provider: .kakao, accessToken: Secret("access"))
        #expect(try await signIn(both, at: Fixture.base, contract).json == ["provider": "kakao", "token": "id"])
        #expect(try await signIn(access, at: Fixture.base, contract).json == ["provider": "kakao", "token": "access"])
    }

    @Test func aServerWithoutSignOutIsNotAsked() async throws {
        var contract = ServerContract()
        contract.signOut = nil
        let transport = AnsweringTransport([])
        try await Fixture.repository(transport, contract).signOut(Fixture.session)
        #expect(transport.requests.isEmpty)
    }

    // MARK: Header fields of the app's own

    @Test func furtherHeaderFieldsGoWithEveryRequestAndReplaceNone() async throws {
        let asked = Lock(0)
        let transport = AnsweringTransport(ServerOperation.allCases.map { _ in Fixture.signedIn })
        let repository = Fixture.repository(
            transport,
            headers: {
                let count = asked.withLock { count in
                    count += 1
                    return count
                }
                return ["X-Attestation": "\(count)", .authorization: "Basic eDp5", .contentType: "text/plain"]
            })
        for operation in ServerOperation.allCases { try await operation.run(repository) }
        #expect(transport.requests.map { $0.headers["x-attestation"] } == ["1", "2", "3", "4", "5"])
        #expect(transport.requests.prefix(4).allSatisfy { $0.headers[.contentType] == "application/json" })
        #expect(transport.requests.suffix(2).allSatisfy { $0.headers[.authorization] == "Bearer old+access" })
    }

    @Test(arguments: ServerOperation.allCases)
    func aClosureThatThrowsEndsTheRequestBeforeItIsSent(operation: ServerOperation) async throws {
        struct Refused: Error {}
        let repository = Fixture.repository(AnsweringTransport([]), headers: { throw Refused() })
        let error = try await serverFailure { () throws(AuthError) in try await operation.run(repository) }
        #expect(error.code == .unexpected)
        let cancelled = Fixture.repository(AnsweringTransport([]), headers: { throw CancellationError() })
        let end = try await serverFailure { () throws(AuthError) in try await operation.run(cancelled) }
        // The request was not cancelled, so it must not look like the person's own cancel.
        #expect(end.code == .unexpected)
    }
}
