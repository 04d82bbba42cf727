import AuthStreams
import AuthStreamsTesting
import Foundation
import LoopbackHTTP

/// The way of Django's REST framework with JSON Web Tokens: paths that end with a slash, `access` and `refresh` without a
/// lifetime, and errors with a `detail` and a `code`. A refresh says nothing of the user.
struct DjangoDialect: Dialect {
    let providers: [ProviderID: String] = [.google: "google", .kakao: "kakao"]
    let routes = [
        ("POST /auth/{provider}/login/", "POST /auth/sign-in"), ("POST /auth/guest/", "POST /auth/anonymous"),
        ("POST /auth/token/refresh/", "POST /auth/refresh"), ("POST /auth/logout/", "POST /auth/sign-out"),
        ("POST /auth/logout/all/", "POST /auth/sign-out-everywhere"),
        ("POST /auth/{provider}/confirm/", "POST /auth/reauthenticate"),
        ("POST /auth/{provider}/revoke/", "POST /auth/revoke-access"),
        ("POST /auth/{provider}/connect/", "POST /auth/links"),
        ("POST /auth/{provider}/disconnect/", "DELETE /auth/links/{provider}"),
        ("GET /auth/user/", "GET /auth/user"), ("PATCH /auth/user/", "PATCH /auth/user"),
        ("DELETE /auth/user/", "DELETE /auth/account"),
    ].map { (own: $0, documented: $1) }

    var contract: ServerContract {
        var contract = ServerContract()
        contract.signIn.path = "auth/{provider}/login/"
        contract.signInAnonymously?.path = "auth/guest/"
        contract.refresh.path = "auth/token/refresh/"
        contract.signOut?.path = "auth/logout/"
        contract.signOutEverywhere?.path = "auth/logout/all/"
        contract.reauthenticate?.path = "auth/{provider}/confirm/"
        contract.revokeAccess?.path = "auth/{provider}/revoke/"
        contract.link?.path = "auth/{provider}/connect/"
        contract.unlink = .init(.post, "auth/{provider}/disconnect/")
        contract.reload?.path = "auth/user/"
        contract.updateProfile?.path = "auth/user/"
        contract.deleteAccount.path = "auth/user/"
        contract.providerNames = providers
        contract.session.accessToken = "access"
        contract.session.refreshToken = "refresh"
        contract.session.reloadedUser = ""
        contract.user.id = "pk"
        contract.user.displayName = "first_name"
        contract.user.emailVerified = "email_verified"
        contract.errorMessage = "detail"
        contract.envelope = .init(
            status: nil, errorCode: "code",
            problems: Dictionary(uniqueKeysWithValues: DocumentedAnswer.problems.map { (Self.code(of: $0), $0) }))
        return contract
    }

    private static func code(of problem: String) -> String {
        problem == "session-expired" ? "token_not_valid" : problem.replacing("-", with: "_")
    }

    func documentedID(_ id: String) -> String { "user-\(id)" }
    func documentedToken(_ token: Secret) -> Secret { Secret(OpaqueInJWT.opaque(token.reveal())) }

    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest {
        var documented = DocumentedRequest(route)
        // A path without the slash leads elsewhere.
        guard request.path.hasSuffix("/") else { return documented }
        documented.accessToken = request.bearer("Authorization").map(OpaqueInJWT.opaque)
        documented.members = body.object ?? [:]
        documented.members["refreshToken"] = body["refresh"]
        documented.members["displayName"] = body["first_name"]
        if let provider = route.provider { documented.members["provider"] = .string(provider) }
        return documented
    }

    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse {
        if let problem = answer.problem {
            var members = DocumentedAnswer.renamed(answer.json, ["email": "email", "providers": "providers"])
            members["code"] = .string(Self.code(of: problem))
            members["detail"] = "요청이 거절되었습니다."
            return .json(members, status: answer.status)
        }
        let user = answer["user"].map(member)
        if request.isUser { return .json(user ?? [:]) }
        var members = DocumentedAnswer.renamed(
            answer.json, ["refreshToken": "refresh", "isNewUser": "isNewUser", "provider": "provider"])
        if let token = answer["accessToken"]?.string {
            members["access"] = .string(OpaqueInJWT.token(token, lifetime: answer["expiresIn"]?.lenientInteger ?? 0))
        }
        if !request.isRefresh { members["user"] = user.map(AuthJSON.object) }
        return .json(members)
    }

    private func member(_ user: AuthJSON) -> [String: AuthJSON] {
        var member = DocumentedAnswer.renamed(
            user,
            [
                "email": "email", "displayName": "first_name", "photoURL": "photoURL", "providers": "providers",
                "isAnonymous": "isAnonymous", "claims": "claims",
            ])
        member["pk"] = user["id"]?.string.flatMap { Int64($0.dropFirst("user-".count)) }.map(AuthJSON.integer)
        member["email_verified"] = user["emailVerified"]?.bool.map { $0 ? "Y" : "N" }
        return member
    }
}

/// The emulated server's opaque access token as the claim of a JSON Web Token.
enum OpaqueInJWT {
    static func token(_ opaque: String, lifetime: Int64) -> String {
        // Only the difference of the two counts: the server's clock may be any.
        let claims: AuthJSON = [
            "jti": .string(opaque), "iat": 1_000_000_000, "exp": .integer(1_000_000_000 + lifetime),
        ]
        return [["alg": "HS256"], claims].map(part).joined(separator: ".") + ".c2ln"
    }

    /// Returns the opaque token; the text itself if it is none of these.
    static func opaque(_ token: String) -> String {
        let parts = token.split(separator: ".")
        guard parts.count == 3 else { return token }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let claims = Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(AuthJSON.self, from: $0) }
        return claims?["jti"]?.string ?? token
    }

    private static func part(_ value: AuthJSON) -> String {
        ((try? JSONEncoder().encode(value)) ?? Data()).base64EncodedString().replacing("=", with: "")
            .replacing("+", with: "-").replacing("/", with: "_")
    }
}
