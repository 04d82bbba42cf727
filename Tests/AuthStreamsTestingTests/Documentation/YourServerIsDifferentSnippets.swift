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

@Suite struct YourServerIsDifferentSnippets {
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
}

extension ServerRepository {
    fileprivate func failure(
        _ call: (ServerRepository) async throws(AuthError) -> AuthSession
    ) async -> AuthError? {
        do throws(AuthError) { _ = try await call(self) } catch { return error }
        return nil
    }
}
