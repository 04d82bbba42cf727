import AuthStreams
import Foundation
import LoopbackHTTP

/// Kakao's API for holders of an access token, and for servers with the admin key: `kapi.kakao.com`.
struct KakaoAPI: EmulatorService {
    static let host = "kapi.kakao.com"

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/v2/user/me": me(request, context)
        case "/v1/oidc/userinfo": withToken(["GET"], request, context) { userInfo($0.grant, context) }
        case "/v1/user/access_token_info": withToken(["GET"], request, context) { tokenInfo($0, context) }
        case "/v1/user/logout": withToken(["POST"], request, context) { logOut($0, context) }
        case "/v1/user/unlink": unlink(request, context)
        default: nil
        }
    }

    private func withToken(
        _ methods: [String], _ request: EmulatorRequest, _ context: EmulatorContext,
        _ answer: (GrantStore.Token) -> LoopbackResponse
    ) -> LoopbackResponse {
        guard methods.contains(request.method) else { return .methodNotAllowed(methods.joined(separator: ", ")) }
        if let error = request.requestedError {
            return KakaoDialect.failure(Int64(error) ?? -1, "as the test asked")
        }
        switch context.grants.lookUp(request.bearerToken, .access, of: .kakao) {
        case .valid(let token): return answer(token)
        case .expired: return KakaoDialect.failure(-401, "this access token is already expired")
        case .unknown: return KakaoDialect.failure(-401, "this access token does not exist")
        }
    }

    /// Returns a person's data: by their access token, with the granted consents, or by the admin key, with all
    /// consents.
    private func me(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let kakao = context.configuration.kakao
        guard request.usesAdminKey else {
            return withToken(["GET", "POST"], request, context) { token in
                let app = kakao.appID(ofKey: token.grant.clientID) ?? 0
                return me(token.grant.userID, of: app, scopes: token.grant.scopes, request, context)
            }
        }
        return withAdminKey(["GET", "POST"], request, context) { userID in
            me(userID, of: kakao.appID, scopes: kakao.scopes, request, context)
        }
    }

    private func me(
        _ userID: String, of app: Int64, scopes: Set<String>, _ request: EmulatorRequest, _ context: EmulatorContext
    ) -> LoopbackResponse {
        if let keys = request.form["property_keys"] ?? request.query["property_keys"],
            (try? JSONDecoder().decode([String].self, from: Data(keys.utf8))) == nil
        {
            return KakaoDialect.failure(-2, "property_keys must be a JSON array of strings")
        }
        let since = context.grants.consents { consents in
            consents[.kakao(userID, app)]?.isLookedUp = true
            return consents[.kakao(userID, app)]?.since
        }
        var members: [String: AuthJSON] = ["id": id(userID)]
        members.add("connected_at", since?.formatted(.iso8601))
        if let user = context.configuration.kakao.users.first(where: { $0.id == userID }) {
            members["properties"] = scopes.contains("profile_nickname") ? ["nickname": .string(user.name)] : [:]
            members["kakao_account"] = account(of: user, scopes: scopes)
        }
        return .json(.object(members))
    }

    /// Each part requires a consent; the `…_needs_agreement` flags mark the missing ones.
    private func account(of user: EmulatorUser, scopes: Set<String>) -> AuthJSON {
        var account: [String: AuthJSON] = [:]
        let sharesName = scopes.contains("profile_nickname")
        let sharesImage = scopes.contains("profile_image")
        account["profile_nickname_needs_agreement"] = .bool(!sharesName)
        account["profile_image_needs_agreement"] = .bool(!sharesImage)
        if sharesName || sharesImage {
            var profile: [String: AuthJSON] = [:]
            if sharesName { profile["nickname"] = .string(user.name) }
            if sharesImage {
                profile.add("profile_image_url", user.pictureURL)
                profile.add("thumbnail_image_url", user.pictureURL)
                profile["is_default_image"] = .bool(user.pictureURL == nil)
            }
            account["profile"] = .object(profile)
        }
        account["has_email"] = .bool(user.email != nil)
        account["email_needs_agreement"] = .bool(!scopes.contains("account_email"))
        if scopes.contains("account_email"), let email = user.email {
            account["email"] = .string(email)
            account["is_email_valid"] = true
            account["is_email_verified"] = .bool(user.isEmailVerified)
        }
        return .object(account)
    }

    /// Returns the OpenID user-info, which the issuer's metadata names.
    private func userInfo(_ grant: Grant, _ context: EmulatorContext) -> LoopbackResponse {
        context.grants.consents { $0[context.link(of: grant)]?.isLookedUp = true }
        return .json(.object(KakaoAccount.profile(of: grant, context).merging(["sub": .string(grant.userID)]) { $1 }))
    }

    private func tokenInfo(_ token: GrantStore.Token, _ context: EmulatorContext) -> LoopbackResponse {
        let rest = token.expiresAt.timeIntervalSince(context.now).rounded(.down)
        let appID = context.configuration.kakao.appID(ofKey: token.grant.clientID) ?? 0
        return .json([
            "id": id(token.grant.userID), "expires_in": .integer(Int64(rest)), "app_id": .integer(appID),
        ])
    }

    /// Ends the token pair. The link to the app stays.
    private func logOut(_ token: GrantStore.Token, _ context: EmulatorContext) -> LoopbackResponse {
        context.grants.revoke(pairOf: token.grant)
        return .json(["id": id(token.grant.userID)])
    }

    /// Ends the link to the app, and with it every token: by the person's own token, or by the server's admin key.
    private func unlink(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let kakao = context.configuration.kakao
        guard request.usesAdminKey else {
            return withToken(["POST"], request, context) { token in
                unlink(token.grant.userID, from: kakao.appID(ofKey: token.grant.clientID) ?? 0, context)
            }
        }
        return withAdminKey(["POST"], request, context) { unlink($0, from: kakao.appID, context) }
    }

    private func unlink(_ userID: String, from app: Int64, _ context: EmulatorContext) -> LoopbackResponse {
        context.grants.unlink(userID, from: app, at: context.configuration.kakao)
        return .json(["id": id(userID)])
    }

    /// Answers about the person whom the app's server names, if it sends the admin key.
    private func withAdminKey(
        _ methods: [String], _ request: EmulatorRequest, _ context: EmulatorContext,
        _ answer: (String) -> LoopbackResponse
    ) -> LoopbackResponse {
        guard methods.contains(request.method) else { return .methodNotAllowed(methods.joined(separator: ", ")) }
        if let error = request.requestedError {
            return KakaoDialect.failure(Int64(error) ?? -1, "as the test asked")
        }
        let kakao = context.configuration.kakao
        guard request.header("Authorization") == "KakaoAK \(kakao.adminKey)" else {
            return KakaoDialect.failure(-401, "wrong appKey")
        }
        let fields = request.method == "GET" ? request.query : request.form
        guard fields["target_id_type"] == "user_id", let userID = fields["target_id"] else {
            return KakaoDialect.failure(-2, "target_id_type and target_id are required")
        }
        guard kakao.users.contains(where: { $0.id == userID }) else {
            return KakaoDialect.failure(-101, "NotRegisteredUserException")
        }
        return answer(userID)
    }

    private func id(_ userID: String) -> AuthJSON { .integer(Int64(userID) ?? 0) }
}

extension EmulatorRequest {
    fileprivate var usesAdminKey: Bool { header("Authorization")?.hasPrefix("KakaoAK ") == true }
}
