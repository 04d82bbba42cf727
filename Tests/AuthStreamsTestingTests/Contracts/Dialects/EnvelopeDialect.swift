import AuthStreams
import LoopbackHTTP

/// An envelope around every answer, which has HTTP 200 in any case: `{isSuccess, code, message, result}`. Users have
/// numbers.
struct EnvelopeDialect: Dialect {
    let providers: [ProviderID: String] = [.google: "GOOGLE", .kakao: "KAKAO"]
    let routes = [
        ("POST /api/auth/login/social", "POST /auth/sign-in"), ("POST /api/auth/login/guest", "POST /auth/anonymous"),
        ("POST /api/auth/reissue", "POST /auth/refresh"), ("POST /api/auth/logout", "POST /auth/sign-out"),
        ("POST /api/auth/logout/all", "POST /auth/sign-out-everywhere"),
        ("POST /api/auth/verify", "POST /auth/reauthenticate"), ("POST /api/auth/revoke", "POST /auth/revoke-access"),
        ("POST /api/members/me/socials", "POST /auth/links"),
        ("POST /api/members/me/socials/{provider}/remove", "DELETE /auth/links/{provider}"),
        ("GET /api/members/me", "GET /auth/user"), ("PATCH /api/members/me", "PATCH /auth/user"),
        ("DELETE /api/members/me", "DELETE /auth/account"),
    ].map { (own: $0, documented: $1) }

    var contract: ServerContract {
        var contract = ServerContract()
        contract.signIn.path = "api/auth/login/social"
        contract.signInAnonymously?.path = "api/auth/login/guest"
        contract.refresh.path = "api/auth/reissue"
        contract.signOut?.path = "api/auth/logout"
        contract.signOutEverywhere?.path = "api/auth/logout/all"
        contract.reauthenticate?.path = "api/auth/verify"
        contract.revokeAccess?.path = "api/auth/revoke"
        contract.link?.path = "api/members/me/socials"
        contract.unlink = .init(.post, "api/members/me/socials/{provider}/remove")
        contract.reload?.path = "api/members/me"
        contract.updateProfile?.path = "api/members/me"
        contract.deleteAccount.path = "api/members/me"
        contract.providerNames = providers
        contract.credential.provider = "socialType"
        contract.session.expiresIn = "accessTokenExpiresIn"
        contract.session.isNewUser = "isNewMember"
        contract.session.provider = "socialType"
        contract.session.user = "member"
        contract.session.reloadedUser = ""
        contract.user.id = "memberId"
        contract.user.displayName = "nickname"
        contract.user.photoURL = "profileImage"
        contract.user.providers = "socials"
        contract.user.providerID = "type"
        contract.user.isAnonymous = "isGuest"
        contract.conflict.providers = "socialTypes"
        contract.envelope = .init(
            status: "isSuccess", success: ["true"], errorCode: "code", payload: "result",
            problems: Dictionary(uniqueKeysWithValues: DocumentedAnswer.problems.map { (Self.code(of: $0), $0) }))
        return contract
    }

    private static func code(of problem: String) -> String { problem.uppercased().replacing("-", with: "_") }

    func documentedID(_ id: String) -> String { "user-\(id)" }

    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest {
        var documented = DocumentedRequest(route)
        documented.accessToken = request.bearer("Authorization")
        documented.members = body.object ?? [:]
        documented.members["provider"] = provider(named: body["socialType"]?.string).map(AuthJSON.string)
        documented.members["displayName"] = body["nickname"]
        documented.members["photoURL"] = body["profileImage"]
        return documented
    }

    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse {
        if let problem = answer.problem {
            var result = DocumentedAnswer.renamed(answer.json, ["email": "email"])
            result["socialTypes"] = answer["providers"]?.array.map { .array($0.compactMap { name(of: $0.string) }) }
            return .json([
                "isSuccess": false, "code": .string(Self.code(of: problem)), "message": "실패했습니다.",
                "result": .object(result),
            ])
        }
        var result: [String: AuthJSON] = request.isUser ? member(answer["user"]) : [:]
        if !request.isUser {
            result = DocumentedAnswer.renamed(
                answer.json,
                [
                    "accessToken": "accessToken", "refreshToken": "refreshToken", "isNewUser": "isNewMember",
                    "expiresIn": "accessTokenExpiresIn",
                ])
            result["socialType"] = name(of: answer["provider"]?.string)
            if answer["user"] != nil { result["member"] = .object(member(answer["user"])) }
        }
        return .json([
            "isSuccess": true, "code": "COMMON200", "message": "성공입니다.",
            "result": result.isEmpty ? .null : .object(result),
        ])
    }

    private func member(_ user: AuthJSON?) -> [String: AuthJSON] {
        var member = DocumentedAnswer.renamed(
            user,
            [
                "email": "email", "emailVerified": "emailVerified", "displayName": "nickname",
                "photoURL": "profileImage", "isAnonymous": "isGuest", "claims": "claims",
            ])
        member["memberId"] = user?["id"]?.string.flatMap { Int64($0.dropFirst("user-".count)) }.map(AuthJSON.integer)
        member["socials"] = .array(
            (user?["providers"]?.array ?? []).map { identity in
                var social = DocumentedAnswer.renamed(identity, ["userID": "userID", "email": "email"])
                social["type"] = name(of: identity["id"]?.string)
                return .object(social)
            })
        return member
    }
}
