import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

/// The way of Nest: the refresh token is in a cookie, the expiry in milliseconds, and a 401 has no code.
struct NodeDialect: Dialect {
    let providers: [ProviderID: String] = [:]
    let routes = [
        ("POST /auth/login/{provider}", "POST /auth/sign-in"), ("POST /auth/guest", "POST /auth/anonymous"),
        ("POST /auth/refresh", "POST /auth/refresh"), ("POST /auth/logout", "POST /auth/sign-out"),
        ("POST /auth/logout/all", "POST /auth/sign-out-everywhere"),
        ("POST /auth/verify", "POST /auth/reauthenticate"), ("POST /auth/revoke", "POST /auth/revoke-access"),
        ("POST /users/me/identities", "POST /auth/links"),
        ("DELETE /users/me/identities/{provider}", "DELETE /auth/links/{provider}"),
        ("GET /users/me", "GET /auth/user"), ("PATCH /users/me", "PATCH /auth/user"),
        ("DELETE /users/me", "DELETE /auth/account"),
    ].map { (own: $0, documented: $1) }

    /// The problems whose error has no code.
    private static let unauthorized: Set = [
        "session-expired", "refresh-token-reused", "session-revoked", "revoked-at-provider", "invalid-access-token",
    ]

    var contract: ServerContract {
        var contract = ServerContract()
        contract.signIn.path = "auth/login/{provider}"
        contract.signInAnonymously?.path = "auth/guest"
        contract.signOut?.path = "auth/logout"
        contract.signOutEverywhere?.path = "auth/logout/all"
        contract.reauthenticate?.path = "auth/verify"
        contract.revokeAccess?.path = "auth/revoke"
        contract.link?.path = "users/me/identities"
        contract.unlink?.path = "users/me/identities/{provider}"
        contract.reload?.path = "users/me"
        contract.updateProfile?.path = "users/me"
        contract.deleteAccount.path = "users/me"
        contract.session.refreshToken = .cookie("refreshToken")
        contract.session.reloadedUser = ""
        contract.refreshRefusals = [.code("Unauthorized", at: "message", status: 401)]
        contract.accessTokenRefusals = [.code("Unauthorized", at: "message", status: 401)]
        contract.errorMessage = "message"
        contract.envelope = .init(
            status: nil, errorCode: "error",
            problems: Dictionary(uniqueKeysWithValues: DocumentedAnswer.problems.map { (Self.code(of: $0), $0) }))
        return contract
    }

    private static func code(of problem: String) -> String { problem.uppercased().replacing("-", with: "_") }

    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest {
        var documented = DocumentedRequest(route)
        documented.accessToken = documented.isRefresh ? nil : request.bearer("Authorization")
        documented.members = body.object ?? [:]
        let cookies = (request.header("Cookie") ?? "").split(separator: ";")
            .map { $0.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1).map(String.init) }
        documented.members["refreshToken"] = cookies.first { $0.first == "refreshToken" }?.last.map(AuthJSON.string)
        if let provider = route.provider { documented.members["provider"] = .string(provider) }
        return documented
    }

    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse {
        if let problem = answer.problem {
            var members = DocumentedAnswer.renamed(answer.json, ["email": "email", "providers": "providers"])
            members["statusCode"] = .integer(Int64(answer.status))
            members["message"] = Self.unauthorized.contains(problem) ? "Unauthorized" : "요청이 거절되었습니다."
            if !Self.unauthorized.contains(problem) { members["error"] = .string(Self.code(of: problem)) }
            return .json(members, status: answer.status)
        }
        if request.isUser { return .json(answer["user"]?.object ?? [:]) }
        var members = answer.json.object ?? [:]
        members["refreshToken"] = nil
        members["expiresIn"] = nil
        // By the clock of this server, which is the date of its answers.
        if let lifetime = answer["expiresIn"]?.lenientInteger {
            members["expiresAt"] = .integer((Self.now + lifetime) * 1000)
        }
        var response = LoopbackResponse.json(members)
        response.headers.append(("Date", "Fri, 15 Jan 2027 08:00:00 GMT"))
        response.headers.append(("Set-Cookie", "theme=dark; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/"))
        if let token = answer["refreshToken"]?.string {
            response.headers.append(
                ("Set-Cookie", "refreshToken=\(token); Max-Age=1209600; Path=/auth; HttpOnly; SameSite=Strict"))
        }
        return response
    }

    private static let now: Int64 = 1_800_000_000
}
