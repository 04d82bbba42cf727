import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the article about servers that differ shows, between markers, in functions that supply what it leaves out.

private func anotherContract(_ api: URL, _ transport: any AuthHTTPTransport) -> ServerRepository {
    // YourServerIsDifferent: another contract
    var contract = ServerContract()
    contract.signIn.path = "v2/login/social"
    contract.signOut = nil  // this server need not be told
    contract.signInAnonymously = nil  // and has no such users
    contract.unlink = .init(.post, "v2/social/{provider}/unlink")
    contract.credential.idToken = "id_token"
    contract.credential.accessToken = nil  // never sent
    contract.session.accessToken = "access_token"
    contract.user.displayName = "nickname"
    contract.problems["account-locked"] = .userDisabled
    contract.refreshRefusals = [401]  // its problems have no types, and it stands alone
    let repository = ServerRepository(at: api, contract: contract, accepting: [.kakao, .naver], transport: transport)
    // YourServerIsDifferent end
    return repository
}

private func anEnvelope() -> ServerContract {
    // YourServerIsDifferent: an envelope
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
    // YourServerIsDifferent end
    return contract
}

private func tokensInHeaderFields() -> ServerContract {
    // YourServerIsDifferent: tokens in header fields
    var contract = ServerContract()
    contract.signIn.path = "oauth2/{provider}"
    contract.refresh.path = "reissue"
    contract.providerNames = [.apple: "apple", .google: "google"]  // kakao and naver are called so already
    contract.session.accessToken = .bearer()
    contract.session.refreshToken = .bearer("Authorization-refresh")
    contract.session.user = ""  // the members of the answer are the user's
    contract.refreshRequest.accessToken = .bearer()  // it wants both
    // YourServerIsDifferent end
    return contract
}

private func aReissue() -> ServerContract {
    // YourServerIsDifferent: a reissue
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
    // YourServerIsDifferent end
    return contract
}

private func nestedNames(_ api: URL, _ transport: any AuthHTTPTransport, _ device: Device) -> ServerRepository {
    // YourServerIsDifferent: nested names
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
    // YourServerIsDifferent end
    return repository
}

private func refusals(
    _ server: URL, _ providers: [AuthProviderFactory], _ platform: AuthPlatform
) -> AuthService {
    // YourServerIsDifferent: refusals
    var contract = ServerContract()
    contract.refreshRefusals = [401, .code("EXPIRED", at: "error.name", status: 500)]  // the session is over
    contract.accessTokenRefusals = [419]  // at the endpoints of the contract
    let auth = AuthService(
        .server(server, contract: contract), providers: providers, platform: platform,
        api: APIAccess(to: [server], refusals: [401, 419, "E1203"]))  // at every other endpoint
    // YourServerIsDifferent end
    return auth
}

private func businessCodes() -> ServerContract {
    // YourServerIsDifferent: business codes
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
    // YourServerIsDifferent end
    return contract
}

private func django() -> ServerContract {
    // YourServerIsDifferent: django
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
    // YourServerIsDifferent end
    return contract
}

private func node() -> ServerContract {
    // YourServerIsDifferent: node
    var contract = ServerContract()
    contract.signIn.path = "auth/{provider}"
    contract.session.refreshToken = .cookie("refreshToken")
    contract.refreshRefusals = [401]
    contract.accessTokenRefusals = [401]
    contract.errorMessage = "message"
    // YourServerIsDifferent end
    return contract
}

private func aSignUp() -> ServerContract {
    // YourServerIsDifferent: a sign-up
    var contract = ServerContract()
    contract.signIn.path = "auth/{provider}"
    contract.session.isNewUser = "isNewMember"
    contract.envelope = .init(
        status: "code", success: ["COMMON200"], payload: "result",
        problems: ["MEMBER409": "invalid-input", "SIGNUP410": "challenge-expired"])
    contract.steps = [
        .init(
            .form([
                .init(id: "nickname", label: "별명"),
                .init(id: "terms", kind: .consent, label: "이용약관", url: URL(string: "https://example.com/terms")),
            ]),
            token: "signupToken", to: .init(.post, "signup"), expiresIn: .seconds(600))
    ]
    // YourServerIsDifferent end
    return contract
}

private func aCodeBySMS() -> ServerContract {
    // YourServerIsDifferent: a code by SMS
    var contract = ServerContract()
    contract.signIn.path = "auth/{provider}"
    contract.envelope = .init(
        status: "code", success: ["OK"], payload: "data",
        problems: ["E3002": "invalid-code", "E3003": "challenge-expired"])
    var code = ServerContract.Step(
        .code(.init(length: 6, resendAfter: .seconds(60))), on: ["E3001"], token: "otpToken",
        to: .init(.post, "auth/otp"), resend: .init(.post, "auth/otp/send"))
    code.names.code = "otp"
    contract.steps = [code]
    // YourServerIsDifferent end
    return contract
}

/// The device of the article's app.
private struct Device: Sendable {
    let id = "d1"
    func pushToken() async throws -> String { "p1" }
}

@Suite struct YourServerIsDifferentSnippets {
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

    /// The article's servers with two steps: a refused value, the right one, and a token that is too old.
    @Test func theArticlesStepsAreUnderstood() async throws {
        let rows: [(ServerContract, ChallengeAnswer, [String])] = [
            (
                aSignUp(), .form(["nickname": Secret("민지"), "terms": Secret("true")]),
                [
                    #"{"code":"COMMON200","result":{"isNewMember":true,"signupToken":"st"}}"#,
                    #"{"code":"MEMBER409","result":{"field":"nickname"}}"#,
                    #"{"code":"COMMON200","result":{"isNewMember":true,"accessToken":"at","refreshToken":"rt","user":{"id":"7"}}}"#,
                    #"{"code":"SIGNUP410"}"#,
                ]
            ),
            (
                aCodeBySMS(), .code(Secret("314159")),
                [
                    #"{"code":"E3001","data":{"otpToken":"st","destination":"010-••••-1234","expiresIn":180}}"#,
                    #"{"code":"E3002","data":{"attemptsLeft":2}}"#,
                    #"{"code":"OK","data":{"accessToken":"at","refreshToken":"rt","user":{"id":"7"}}}"#,
                    #"{"code":"E3003"}"#,
                ]
            ),
        ]
        for (contract, answer, answers) in rows {
            let repository = ServerRepository(
                at: URL(literal: "https://api.example.com"), contract: contract,
                transport: AnsweringServer(answers.map { AuthHTTPResponse(status: 200, body: Data($0.utf8)) }))
            let credential = Credential(provider: .kakao, idToken: Secret("id"), rawNonce: Secret("n"))
            let asked = await repository.failure { repository throws(AuthError) in
                try await repository.signIn(with: credential)
            }
            let challenge = try #require(asked?.challenge)
            let respond: (ServerRepository) async throws(AuthError) -> AuthSession = { repository throws(AuthError) in
                try await repository.answer(challenge, with: answer, in: nil)
            }
            let refused = await repository.failure(respond)
            #expect(
                [.invalidInput, .codeMismatch].contains(refused?.code) && refused?.challenge?.step == challenge.step)
            #expect(try await respond(repository).user.id == "7")
            let over = await repository.failure(respond)
            #expect(over?.code == .timedOut && over?.challenge == nil)
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

/// Gives the article's answers, in order.
private final class AnsweringServer: AuthHTTPTransport {
    private let answers: Lock<[AuthHTTPResponse]>

    init(_ answers: [AuthHTTPResponse]) { self.answers = Lock(answers) }

    var hasMore: Bool { answers.withLock { !$0.isEmpty } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        try answers.withLock { (answers) throws(AuthError) in
            guard !answers.isEmpty else { throw AuthError(.network, "There is no answer left.") }
            return answers.removeFirst()
        }
    }
}

extension ServerRepository {
    fileprivate func failure(
        _ call: (ServerRepository) async throws(AuthError) -> AuthSession
    ) async -> AuthError? {
        do throws(AuthError) { _ = try await call(self) } catch { return error }
        return nil
    }

    fileprivate func failureOfRefresh(_ session: AuthSession) async -> AuthError? {
        do throws(AuthError) { _ = try await refresh(session) } catch { return error }
        return nil
    }
}
