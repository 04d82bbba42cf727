import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

/// Business codes with HTTP 200 in any case: `{"data": …, "code": "OK"}`, and `{"code": "E1203", "message": "…"}` for errors.
/// The expiry is a date.
struct BusinessDialect: Dialect {
    let providers: [ProviderID: String] = [:]
    let routes = [
        "POST /auth/sign-in", "POST /auth/anonymous", "POST /auth/refresh", "POST /auth/sign-out",
        "POST /auth/sign-out-everywhere", "POST /auth/reauthenticate", "POST /auth/revoke-access", "POST /auth/links",
        "DELETE /auth/links/{provider}", "GET /auth/user", "PATCH /auth/user", "DELETE /auth/account",
    ].map { (own: $0, documented: $0) }

    var contract: ServerContract {
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
            problems: Dictionary(
                uniqueKeysWithValues: DocumentedAnswer.problems.enumerated().map { ("E\(1200 + $0)", $1) }))
        return contract
    }

    func documentedID(_ id: String) -> String { "user-\(id)" }

    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest {
        var documented = DocumentedRequest(route)
        documented.accessToken = request.bearer("Authorization")
        documented.members = body.object ?? [:]
        documented.members["refreshToken"] = body["refresh"]
        documented.members["displayName"] = body["nick"]
        return documented
    }

    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse {
        if let problem = answer.problem {
            let code = 1200 + (DocumentedAnswer.problems.firstIndex(of: problem) ?? -1)
            let data = DocumentedAnswer.renamed(answer.json, ["email": "email", "providers": "providers"])
            return .json(["code": .string("E\(code)"), "message": "실패했습니다.", "data": .object(data)])
        }
        var data = DocumentedAnswer.renamed(
            answer.json,
            ["accessToken": "access", "refreshToken": "refresh", "isNewUser": "isNewUser", "provider": "provider"])
        if let lifetime = answer["expiresIn"]?.lenientInteger {
            // By the clock of this server, which is the date of its answers.
            let end = Date(timeIntervalSince1970: 1_800_000_000 + TimeInterval(lifetime))
            data["expires_at"] = .string(end.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        }
        if let user = answer["user"] {
            var member = DocumentedAnswer.renamed(
                user,
                [
                    "email": "email", "emailVerified": "emailVerified", "displayName": "nick", "photoURL": "photoURL",
                    "providers": "providers", "isAnonymous": "isAnonymous", "claims": "claims",
                ])
            member["no"] = user["id"]?.string.flatMap { Int64($0.dropFirst("user-".count)) }.map(AuthJSON.integer)
            data["member"] = .object(member)
        }
        var response = LoopbackResponse.json(["code": "OK", "data": .object(data)])
        response.headers.append(("Date", "Fri, 15 Jan 2027 08:00:00 GMT"))
        return response
    }
}
