import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the article about contracts of Spring, Django and Node shows, between markers, in functions that supply what it leaves out.

private func businessCodes() -> ServerContract {
    // ContractExamples: business codes
    var contract = ServerContract()
    contract.session.accessToken = "access"
    contract.session.refreshToken = "refresh"
    contract.session.expiresAt = "expires_at"
    contract.session.user = "member"
    contract.user.id = "no"
    contract.user.displayName = "nick"
    contract.errorMessage = "message"
    contract.envelope = .init(
        status: "code", success: ["OK"], payload: "data",
        problems: ["E1201": "invalid-access-token", "E1203": "session-expired", "E1301": "user-disabled"])
    // ContractExamples end
    return contract
}

private func django() -> ServerContract {
    // ContractExamples: django
    var contract = ServerContract()
    contract.signIn.path = "auth/{provider}/login/"
    contract.refresh.path = "auth/token/refresh/"
    contract.refreshTokenRule = .reusable  // unless it rotates refresh tokens
    contract.session.accessToken = "access"
    contract.session.refreshToken = "refresh"
    contract.user.id = "pk"
    contract.user.displayName = "first_name"
    contract.user.emailVerified = "email_verified"
    contract.errorMessage = "detail"
    contract.envelope = .init(
        status: nil, errorCode: "code", problems: ["token_not_valid": "invalid-access-token"],
        refreshProblems: ["token_not_valid": "session-expired"])
    // ContractExamples end
    return contract
}

private func node() -> ServerContract {
    // ContractExamples: node
    var contract = ServerContract()
    contract.signIn.path = "auth/{provider}"
    contract.session.refreshToken = .cookie("refreshToken")
    contract.refreshRefusals = [401]
    contract.accessTokenRefusals = [401]
    contract.errorMessage = "message"
    // ContractExamples end
    return contract
}

private func anEnvelope() -> ServerContract {
    // ContractExamples: an envelope
    var contract = ServerContract()
    contract.signIn.path = "api/auth/login/social"
    contract.refresh.path = "api/auth/reissue"
    contract.providerNames = [.apple: "APPLE", .google: "GOOGLE", .kakao: "KAKAO", .naver: "NAVER"]
    contract.credential.provider = "socialType"
    contract.session.isNewUser = "isNewMember"
    contract.session.user = "member"
    contract.user.id = "memberId"
    contract.user.displayName = "nickname"
    contract.envelope = .init(
        status: "isSuccess", success: ["true"], errorCode: "code", payload: "result",
        problems: [
            "AUTH4011": "invalid-access-token", "AUTH4012": "session-expired", "AUTH4013": "invalid-credential",
            "MEMBER4031": "user-disabled", "MEMBER4041": "user-not-found",
        ])
    // ContractExamples end
    return contract
}

private func tokensInHeaderFields() -> ServerContract {
    // ContractExamples: tokens in header fields
    var contract = ServerContract()
    contract.signIn.path = "oauth2/{provider}"
    contract.refresh.path = "reissue"
    contract.providerNames = [.apple: "apple", .google: "google"]  // kakao and naver are called so already
    contract.session.accessToken = .bearer()
    contract.session.refreshToken = .bearer("Authorization-refresh")
    contract.session.user = ""  // the members of the answer are the user's
    contract.refreshRequest.accessToken = .bearer()  // it wants both
    // ContractExamples end
    return contract
}

private func aReissue() -> ServerContract {
    // ContractExamples: a reissue
    var contract = ServerContract()
    contract.signIn.path = "auth/login"
    contract.reload = .init(.get, "members/me")
    contract.session.reloadedUser = ""  // the payload is the user
    contract.refresh.path = "auth/reissue"
    contract.refreshRequest.accessToken = "accessToken"
    contract.refreshTokenRule = .reusable
    contract.envelope = .init(
        status: "status", success: ["200"], payload: "data",
        problems: ["40102": "session-expired", "40103": "invalid-access-token"])
    // ContractExamples end
    return contract
}

private func nestedNames(_ api: URL, _ transport: any AuthHTTPTransport, _ device: Device) -> ServerRepository {
    // ContractExamples: nested names
    var contract = ServerContract()
    contract.signIn.path = "v1/sessions"
    contract.refresh.path = "v1/sessions/refresh"
    contract.refreshRequest.refreshToken = .bearer()
    contract.credential.provider = "credential.type"
    contract.credential.idToken = "credential.id_token"
    contract.credential.nonce = "credential.nonce"
    contract.session.accessToken = "tokens.access_token"
    contract.session.refreshToken = "tokens.refresh_token"
    contract.session.expiresIn = "tokens.expires_in"
    contract.envelope = .init(
        status: "code", success: ["0000"], payload: "data",
        problems: ["E102": "session-expired", "E103": "invalid-access-token"])
    let repository = ServerRepository(
        at: api, contract: contract,
        members: { [signIn = contract.signIn] endpoint in
            guard endpoint == signIn else { return [:] }
            return ["device.id": .string(device.id), "device.push_token": .string(try await device.pushToken())]
        }, transport: transport)
    // ContractExamples end
    return repository
}

/// The device of the article's app.
private struct Device: Sendable {
    let id = "d1"
    func pushToken() async throws -> String { "p1" }
}

@Suite struct ContractExamplesSnippets {
    /// What the article's servers answer, with its contracts: a session, and the next one.
    @Test func theArticlesServersAreUnderstood() async throws {
        let (api, device) = (URL(literal: "https://api.example.com"), Device())
        func repository(_ contract: ServerContract) -> @Sendable (any AuthHTTPTransport) -> ServerRepository {
            { ServerRepository(at: api, contract: contract, transport: $0) }
        }
        let headers: [HeaderName: String] = [.authorization: "Bearer at", "authorization-refresh": "rt"]
        let rows: [(@Sendable (any AuthHTTPTransport) -> ServerRepository, [(String, [HeaderName: String])])] = [
            (
                repository(anEnvelope()),
                [
                    (
                        #"{"isSuccess":true,"code":"COMMON200","result":{"accessToken":"at","refreshToken":"rt","#
                            + #""isNewMember":true,"member":{"memberId":7,"nickname":"민지"}}}"#, [:]
                    ),
                    (#"{"isSuccess":true,"code":"COMMON200","result":{"accessToken":"at2"}}"#, [:]),
                    (#"{"isSuccess":false,"code":"AUTH4012","message":"…","result":null}"#, [:]),
                ]
            ),
            (
                repository(tokensInHeaderFields()),
                [
                    (#"{"id":"7","displayName":"민지"}"#, headers),
                    ("", [.authorization: "Bearer at2", "authorization-refresh": "rt"]),
                ]
            ),
            (
                repository(aReissue()),
                [
                    (#"{"status":200,"message":"OK","data":{"accessToken":"at","refreshToken":"rt"}}"#, [:]),
                    (#"{"status":200,"message":"OK","data":{"id":"7","displayName":"민지"}}"#, [:]),
                    (#"{"status":200,"message":"OK","data":{"accessToken":"at2"}}"#, [:]),
                    (#"{"status":40102,"message":"…","data":null}"#, [:]),
                ]
            ),
            (
                { nestedNames(api, $0, device) },
                [
                    (
                        #"{"code":"0000","data":{"tokens":{"access_token":"at","refresh_token":"rt","expires_in":900},"#
                            + #""user":{"id":"7","displayName":"민지"}}}"#, [:]
                    ),
                    (#"{"code":"0000","data":{"tokens":{"access_token":"at2","expires_in":900}}}"#, [:]),
                    (#"{"code":"E102"}"#, [:]),
                ]
            ),
        ]
        let credential = Credential(provider: .kakao, idToken: Secret("id"), rawNonce: Secret("n"))
        for (make, answers) in rows {
            let server = AnsweringServer(
                answers.map { AuthHTTPResponse(status: 200, headers: $1, body: Data($0.utf8)) })
            let repository = make(server)
            let session = try await repository.signIn(with: credential)
            #expect(session.user == AuthUser(id: "7", displayName: "민지"))
            #expect(session.accessToken == Secret("at") && session.refreshToken == Secret("rt"))
            let next = try await repository.refresh(session)
            #expect(next.accessToken == Secret("at2") && next.refreshToken == Secret("rt"))
            guard server.hasMore else { continue }
            let error = await repository.failureOfRefresh(next)
            #expect(error?.classification.sessionEnd == .expired)
        }
    }

    @Test func theArticlesFurtherServersAreUnderstood() async throws {
        func answer(
            _ text: String, _ status: Int = 200, _ headers: [HeaderName: String] = [:]
        ) -> AuthHTTPResponse { AuthHTTPResponse(status: status, headers: headers, body: Data(text.utf8)) }
        let cookie: [HeaderName: String] = [
            "set-cookie": "refreshToken=rt; Path=/auth/refresh; HttpOnly; Secure; SameSite=Strict"
        ]
        let rows: [(ServerContract, [AuthHTTPResponse])] = [
            (
                businessCodes(),
                [
                    answer(
                        #"{"code":"OK","data":{"access":"at","refresh":"rt","expires_at":"2026-11-25T10:00:00.000Z","#
                            + #""member":{"no":7,"nick":"민지"}}}"#),
                    answer(#"{"code":"OK","data":{"access":"at2"}}"#),
                    answer(#"{"code":"E1203","message":"다시 로그인해 주세요."}"#),
                ]
            ),
            (
                django(),
                [
                    answer(
                        #"{"access":"at","refresh":"rt","user":{"pk":7,"first_name":"민지","email_verified":"N"}}"#),
                    answer(#"{"access":"at2"}"#),
                    answer(#"{"detail":"Token is invalid or expired","code":"token_not_valid"}"#, 401),
                ]
            ),
            (
                node(),
                [
                    answer(
                        #"{"accessToken":"at","expiresAt":1764064800000,"user":{"id":"7","displayName":"민지"}}"#, 201,
                        cookie), answer(#"{"accessToken":"at2","expiresAt":1764064800000}"#, 200, cookie),
                    answer(#"{"statusCode":401,"message":"Unauthorized"}"#, 401),
                ]
            ),
        ]
        for (contract, answers) in rows {
            let repository = ServerRepository(
                at: URL(literal: "https://api.example.com"), contract: contract, transport: AnsweringServer(answers))
            let session = try await repository.signIn(
                with: Credential(provider: .kakao, idToken: Secret("id"), rawNonce: Secret("n")))
            #expect(session.user == AuthUser(id: "7", displayName: "민지"))
            let next = try await repository.refresh(session)
            #expect(next.accessToken == Secret("at2") && next.refreshToken == session.refreshToken)
            let error = try #require(await repository.failureOfRefresh(next))
            #expect(error.classification.sessionEnd == .expired && error.serverMessage?.isEmpty == false)
        }
    }
}

extension ServerRepository {
    fileprivate func failureOfRefresh(_ session: AuthSession) async -> AuthError? {
        do throws(AuthError) { _ = try await refresh(session) } catch { return error }
        return nil
    }
}
