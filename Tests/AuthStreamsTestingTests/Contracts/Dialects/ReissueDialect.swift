import AuthStreams
import AuthStreamsTesting
import LoopbackHTTP

/// A sign-in without the user, and a reissue that wants both tokens and answers the access token alone: the refresh token
/// stays the same until the session ends. Every answer is `{status, message, data}`.
struct ReissueDialect: Dialect {
    let providers: [ProviderID: String] = [:]
    let routes = [
        ("POST /auth/login", "POST /auth/sign-in"), ("POST /auth/guest", "POST /auth/anonymous"),
        ("POST /auth/reissue", "POST /auth/refresh"), ("POST /auth/logout", "POST /auth/sign-out"),
        ("POST /auth/logout/all", "POST /auth/sign-out-everywhere"), ("POST /auth/verify", "POST /auth/reauthenticate"),
        ("POST /auth/revoke", "POST /auth/revoke-access"), ("POST /members/link", "POST /auth/links"),
        ("POST /members/unlink/{provider}", "DELETE /auth/links/{provider}"),
        ("GET /members/me", "GET /auth/user"), ("PATCH /members/me", "PATCH /auth/user"),
        ("DELETE /members/me", "DELETE /auth/account"),
    ].map { (own: $0, documented: $1) }
    /// The emulated server's present refresh token, by the one that the app has.
    private let present = Tokens()

    private final class Tokens: Sendable {
        let next = Lock<[String: String]>([:])
    }

    var contract: ServerContract {
        var contract = ServerContract()
        contract.signIn.path = "auth/login"
        contract.signInAnonymously?.path = "auth/guest"
        contract.refresh.path = "auth/reissue"
        contract.refreshTokenRule = .reusable
        contract.refreshRequest.accessToken = "accessToken"
        contract.signOut?.path = "auth/logout"
        contract.signOutEverywhere?.path = "auth/logout/all"
        contract.reauthenticate?.path = "auth/verify"
        contract.revokeAccess?.path = "auth/revoke"
        contract.link?.path = "members/link"
        contract.unlink = .init(.post, "members/unlink/{provider}")
        contract.reload?.path = "members/me"
        contract.updateProfile?.path = "members/me"
        contract.deleteAccount.path = "members/me"
        contract.session.reloadedUser = ""
        contract.envelope = .init(
            status: "status", success: ["200"], payload: "data",
            problems: Dictionary(
                uniqueKeysWithValues: DocumentedAnswer.problems.enumerated().map { ("\(40_000 + $0)", $1) }))
        return contract
    }

    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest {
        var documented = DocumentedRequest(route)
        documented.members = body.object ?? [:]
        if let token = body["refreshToken"]?.string {
            documented.members["refreshToken"] = .string(present.next.withLock { $0[token] ?? token })
        }
        if !documented.isRefresh { documented.accessToken = request.bearer("Authorization") }
        return documented
    }

    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse {
        if let problem = answer.problem {
            let code = 40_000 + (DocumentedAnswer.problems.firstIndex(of: problem) ?? -1)
            let data = DocumentedAnswer.renamed(answer.json, ["email": "email", "providers": "providers"])
            return .json(
                ["status": .integer(Int64(code)), "message": "실패했습니다.", "data": .object(data)],
                status: answer.status)
        }
        var data = answer.json.object ?? [:]
        if request.isUser { data = answer["user"]?.object ?? [:] }
        if request.beginsSession || request.isRefresh { data["user"] = nil }
        if request.isRefresh {
            remember(answer["refreshToken"]?.string, after: request.members["refreshToken"]?.string)
            data["refreshToken"] = nil
        }
        return .json(["status": 200, "message": "성공했습니다.", "data": data.isEmpty ? .null : .object(data)])
    }

    private func remember(_ next: String?, after used: String?) {
        guard let next, let used else { return }
        present.next.withLock { tokens in
            let first = tokens.first { $0.value == used }?.key ?? used
            tokens[first] = next
        }
    }
}
