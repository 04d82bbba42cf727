import AuthStreams
import LoopbackHTTP

/// A path for each provider, tokens in header fields of requests and answers, and a body that is the user alone. Errors
/// have a status and a code of their own.
struct HeaderDialect: Dialect {
    let providers: [ProviderID: String] = [.google: "google", .kakao: "kakao", .apple: "apple"]
    let routes = [
        ("POST /oauth2/{provider}", "POST /auth/sign-in"), ("POST /oauth2/{provider}/link", "POST /auth/links"),
        ("DELETE /oauth2/{provider}/link", "DELETE /auth/links/{provider}"),
        ("POST /oauth2/{provider}/verify", "POST /auth/reauthenticate"),
        ("POST /oauth2/{provider}/revoke", "POST /auth/revoke-access"), ("POST /guest", "POST /auth/anonymous"),
        ("POST /reissue", "POST /auth/refresh"), ("POST /logout", "POST /auth/sign-out"),
        ("POST /logout/all", "POST /auth/sign-out-everywhere"), ("GET /me", "GET /auth/user"),
        ("PATCH /me", "PATCH /auth/user"), ("DELETE /me", "DELETE /auth/account"),
    ].map { (own: $0, documented: $1) }

    var contract: ServerContract {
        var contract = ServerContract()
        contract.signIn.path = "oauth2/{provider}"
        contract.link?.path = "oauth2/{provider}/link"
        contract.unlink?.path = "oauth2/{provider}/link"
        contract.reauthenticate?.path = "oauth2/{provider}/verify"
        contract.revokeAccess?.path = "oauth2/{provider}/revoke"
        contract.signInAnonymously?.path = "guest"
        contract.refresh.path = "reissue"
        contract.signOut?.path = "logout"
        contract.signOutEverywhere?.path = "logout/all"
        contract.reload?.path = "me"
        contract.updateProfile?.path = "me"
        contract.deleteAccount.path = "me"
        contract.providerNames = providers
        contract.session.accessToken = .bearer()
        contract.session.refreshToken = .bearer("Authorization-refresh")
        contract.refreshRequest.accessToken = .bearer()
        contract.session.user = ""
        contract.session.provider = "lastProvider"
        contract.envelope = .init(
            status: nil, errorCode: "code",
            problems: Dictionary(
                uniqueKeysWithValues: DocumentedAnswer.problems.enumerated().map { ("AUTH-\($0 + 1)", $1) }))
        return contract
    }

    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest {
        var documented = DocumentedRequest(route)
        documented.members = body.object ?? [:]
        documented.members["provider"] = route.provider.map(AuthJSON.string)
        documented.members["refreshToken"] = request.bearer("Authorization-refresh").map(AuthJSON.string)
        documented.accessToken = documented.isRefresh ? nil : request.bearer("Authorization")
        return documented
    }

    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse {
        if let problem = answer.problem {
            var members = DocumentedAnswer.renamed(answer.json, ["email": "email"])
            members["providers"] = answer["providers"]?.array.map { .array($0.compactMap { name(of: $0.string) }) }
            let number = (DocumentedAnswer.problems.firstIndex(of: problem) ?? -2) + 1
            members["code"] = .string("AUTH-\(number)")
            return .json(members, status: answer.status)
        }
        guard answer.status == 200 else { return LoopbackResponse(status: answer.status) }
        var user = answer["user"]?.object ?? [:]
        user["lastProvider"] = name(of: answer["provider"]?.string)
        user["isNewUser"] = answer["isNewUser"]
        user["expiresIn"] = answer["expiresIn"]
        user["providers"] = (user["providers"]?.array).map { identities in
            .array(
                identities.map {
                    .object(($0.object ?? [:]).merging(["id": name(of: $0["id"]?.string) ?? .null]) { $1 })
                })
        }
        // A reissue has nothing but its header fields.
        var response: LoopbackResponse = request.isRefresh ? LoopbackResponse(status: 200) : .json(user)
        if let token = answer["accessToken"]?.string { response.headers.append(("Authorization", "Bearer \(token)")) }
        if let token = answer["refreshToken"]?.string { response.headers.append(("Authorization-refresh", token)) }
        return response
    }
}
