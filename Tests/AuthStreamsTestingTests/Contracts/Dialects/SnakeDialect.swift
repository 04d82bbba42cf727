import AuthStreams
import LoopbackHTTP

/// Names in snake case, nested: `{"code": "0000", "data": {"tokens": {"access_token": …}}}`. A refresh sends the refresh
/// token as bearer, and a sign-in must name the device. Errors have HTTP 200.
struct SnakeDialect: Dialect {
    let providers: [ProviderID: String] = [.google: "google"]
    let routes = [
        ("POST /v1/sessions", "POST /auth/sign-in"), ("POST /v1/sessions/guest", "POST /auth/anonymous"),
        ("POST /v1/sessions/refresh", "POST /auth/refresh"), ("POST /v1/sessions/end", "POST /auth/sign-out"),
        ("POST /v1/sessions/end-all", "POST /auth/sign-out-everywhere"),
        ("POST /v1/sessions/confirm", "POST /auth/reauthenticate"),
        ("POST /v1/revocations", "POST /auth/revoke-access"),
        ("POST /v1/identities", "POST /auth/links"), ("POST /v1/identities/remove", "DELETE /auth/links/{provider}"),
        ("GET /v1/user", "GET /auth/user"), ("PUT /v1/user", "PATCH /auth/user"),
        ("DELETE /v1/user", "DELETE /auth/account"),
    ].map { (own: $0, documented: $1) }

    var members: (@Sendable (ServerContract.Endpoint) async throws -> [String: AuthJSON])? {
        { endpoint in endpoint.path == "v1/sessions" ? ["device.id": "d-1", "device.push_token": "p-1"] : [:] }
    }

    var contract: ServerContract {
        var contract = ServerContract()
        contract.signIn.path = "v1/sessions"
        contract.signInAnonymously?.path = "v1/sessions/guest"
        contract.refresh.path = "v1/sessions/refresh"
        contract.refreshRequest.refreshToken = .bearer()
        contract.signOut?.path = "v1/sessions/end"
        contract.signOutEverywhere?.path = "v1/sessions/end-all"
        contract.reauthenticate?.path = "v1/sessions/confirm"
        contract.revokeAccess?.path = "v1/revocations"
        contract.link?.path = "v1/identities"
        contract.unlink = .init(.post, "v1/identities/remove")
        contract.reload?.path = "v1/user"
        contract.updateProfile = .init(.put, "v1/user")
        contract.deleteAccount.path = "v1/user"
        contract.providerNames = providers
        contract.credential.provider = "credential.type"
        contract.credential.idToken = "credential.id_token"
        contract.credential.nonce = "credential.nonce"
        contract.credential.accessToken = "credential.access_token"
        contract.credential.serverAuthCode = "credential.server_auth_code"
        contract.session.accessToken = "tokens.access_token"
        contract.session.refreshToken = "tokens.refresh_token"
        contract.session.expiresIn = "tokens.expires_in"
        contract.session.isNewUser = "is_new"
        contract.user.displayName = "profile.name"
        contract.user.photoURL = "profile.photo_url"
        contract.user.isAnonymous = "is_anonymous"
        contract.envelope = .init(
            status: "code", success: ["0000"], payload: "data",
            problems: Dictionary(
                uniqueKeysWithValues: DocumentedAnswer.problems.enumerated().map { ("E\(100 + $0)", $1) }))
        return contract
    }

    func documented(_ request: LoopbackRequest, _ body: AuthJSON, _ route: DialectRoute) -> DocumentedRequest {
        let provider = provider(named: body["credential"]?["type"]?.string)
        let named = DialectRoute(
            method: route.method, path: route.path + (route.isUnlink ? provider ?? "" : ""), provider: nil)
        var documented = DocumentedRequest(named)
        let token = request.bearer("Authorization")
        if token?.hasPrefix("rt-") == true {
            documented.members["refreshToken"] = token.map(AuthJSON.string)
        } else {
            documented.accessToken = token
        }
        let isDeviceNamed = body["device"]?["id"] == "d-1" && body["device"]?["push_token"] == "p-1"
        guard isDeviceNamed || documented.path != "/auth/sign-in" else { return documented }
        let credential = DocumentedAnswer.renamed(
            body["credential"],
            [
                "id_token": "idToken", "nonce": "nonce", "access_token": "accessToken",
                "server_auth_code": "serverAuthCode",
            ])
        documented.members.merge(credential) { $1 }
        documented.members["provider"] = provider.map(AuthJSON.string)
        documented.members["displayName"] = body["profile"]?["name"]
        documented.members["photoURL"] = body["profile"]?["photo_url"]
        return documented
    }

    func spoken(_ answer: DocumentedAnswer, to request: DocumentedRequest) -> LoopbackResponse {
        if let problem = answer.problem {
            let data = DocumentedAnswer.renamed(answer.json, ["email": "email", "providers": "providers"])
            let code = 100 + (DocumentedAnswer.problems.firstIndex(of: problem) ?? -1)
            return .json(["code": .string("E\(code)"), "data": .object(data)])
        }
        var data = DocumentedAnswer.renamed(answer.json, ["isNewUser": "is_new", "provider": "provider"])
        let tokens = DocumentedAnswer.renamed(
            answer.json,
            ["accessToken": "access_token", "refreshToken": "refresh_token", "expiresIn": "expires_in"])
        if !tokens.isEmpty { data["tokens"] = .object(tokens) }
        if let user = answer["user"] {
            var own = DocumentedAnswer.renamed(
                user,
                [
                    "id": "id", "email": "email", "emailVerified": "emailVerified", "isAnonymous": "is_anonymous",
                    "providers": "providers", "claims": "claims",
                ])
            own["profile"] = .object(
                DocumentedAnswer.renamed(user, ["displayName": "name", "photoURL": "photo_url"]))
            data["user"] = .object(own)
        }
        return .json(["code": "0000", "data": .object(data)])
    }
}

extension DialectRoute {
    fileprivate var isUnlink: Bool { method == "DELETE" && path.hasPrefix("/auth/links/") }
}
