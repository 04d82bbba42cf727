import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

// What the article about your own server shows, between markers, in functions that supply what it leaves out.

private func aRepository(
    _ api: URL, _ providers: [AuthProviderFactory], _ platform: AuthPlatform,
    attestation: @escaping @Sendable () async throws -> String
) -> AuthService {
    // YourServer: a repository
    let auth = AuthService(
        .server(
            api,  // such as https://api.example.com/v1
            headers: { ["X-App-Attestation": try await attestation()] }),
        providers: providers, platform: platform)
    // YourServer end
    return auth
}

private func anotherContract(_ api: URL, _ transport: any AuthHTTPTransport) -> ServerRepository {
    // YourServer: another contract
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
    contract.refreshStatuses[401] = .sessionExpired  // its problems have no types, and it stands alone
    let repository = ServerRepository(at: api, contract: contract, accepting: [.kakao, .naver], transport: transport)
    // YourServer end
    return repository
}

private func anEnvelope() -> ServerContract {
    // YourServer: an envelope
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
    // YourServer end
    return contract
}

private func tokensInHeaderFields() -> ServerContract {
    // YourServer: tokens in header fields
    var contract = ServerContract()
    contract.signIn.path = "oauth2/{provider}"
    contract.refresh.path = "reissue"
    contract.providerNames = [.apple: "apple", .google: "google"]  // kakao and naver are called so already
    contract.session.accessToken = .bearer()
    contract.session.refreshToken = .bearer("Authorization-refresh")
    contract.session.user = ""  // the members of the answer are the user's
    contract.refreshRequest.accessToken = .bearer()  // it wants both
    // YourServer end
    return contract
}

private func aReissue() -> ServerContract {
    // YourServer: a reissue
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
    // YourServer end
    return contract
}

private func nestedNames(_ api: URL, _ transport: any AuthHTTPTransport, _ device: Device) -> ServerRepository {
    // YourServer: nested names
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
    // YourServer end
    return repository
}

/// The device of the article's app.
private struct Device: Sendable {
    let id = "d1"
    func pushToken() async throws -> String { "p1" }
}

@Suite struct YourServerSnippets {
    @Test func theArticlesTestPasses() async throws {
        // YourServer: a test
        try await withEmulator { emulator in
            let device = await EmulatedDevice(at: emulator.baseURL, backend: .server)
            let user = try await device.auth.signIn(with: .kakao).value.user
            #expect(emulator.server.sessionCount(of: user.id) == 1)
            try await device.auth.signOut()
            #expect(emulator.server.sessionCount(of: user.id) == 0)
        }
        // YourServer end
    }

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
    fileprivate func failureOfRefresh(_ session: AuthSession) async -> AuthError? {
        do throws(AuthError) { _ = try await refresh(session) } catch { return error }
        return nil
    }
}
