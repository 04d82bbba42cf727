import AuthStreams
import Foundation
import LoopbackHTTP

/// Kakao's API for holders of an access token, and for servers with the admin key: `kapi.kakao.com`.
///
/// Both see what the person agrees to at that moment, and the admin key reaches only people who are linked to the app.
struct KakaoAPI: EmulatorService {
    static let host = "kapi.kakao.com"

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let call = Call(request: request, context: context)
        return switch request.path {
        case "/v2/user/me": call.answer(["GET", "POST"], call.me)
        case "/v2/user/scopes": call.answer(["GET"], call.scopes)
        case "/v2/user/revoke/scopes": call.answer(["POST"], call.revokeScopes)
        case "/v1/user/logout": call.answer(["POST"], call.logOut)
        case "/v1/user/unlink": call.answer(["POST"], call.unlink)
        case "/v1/oidc/userinfo": call.answer(["GET"], takesAdminKey: false, call.userInfo)
        case "/v1/user/access_token_info": call.answer(["GET"], takesAdminKey: false, call.tokenInfo)
        case "/v1/api/talk/friends": call.answer(["GET"], takesAdminKey: false, call.friends)
        default: nil
        }
    }

    fileprivate struct Call {
        let request: EmulatorRequest
        let context: EmulatorContext
        var kakao: EmulatorConfiguration.Kakao { context.configuration.kakao }

        /// Answers about a person; without a token, the server has sent its admin key.
        typealias Answer = (Consents.Link, GrantStore.Token?) -> LoopbackResponse

        func id(_ link: Consents.Link) -> AuthJSON { .integer(Int64(link.id.userID) ?? 0) }
        func keys(_ link: Consents.Link) -> Set<String> { kakao.keys(ofApp: Int64(link.id.app) ?? 0) }
    }
}

extension KakaoAPI.Call {
    /// Answers about the person of the access token, or about the one whom the app's server names with its admin key.
    func answer(_ methods: [String], takesAdminKey: Bool = true, _ answer: Answer) -> LoopbackResponse {
        guard methods.contains(request.method) else { return .methodNotAllowed(methods.joined(separator: ", ")) }
        if let error = request.requestedError { return KakaoDialect.failure(Int64(error) ?? -1, "as the test asked") }
        if takesAdminKey, let value = request.header("Authorization"), value.hasPrefix("KakaoAK ") {
            // Kakao quotes the key, which is one more reason to keep messages out of logs.
            let (key, fields) = (value.dropFirst(8), request.method == "GET" ? request.query : request.form)
            guard key == kakao.adminKey else { return KakaoDialect.failure(-401, "wrong appKey(\(key)) format") }
            guard fields["target_id_type"] == "user_id", let userID = fields["target_id"] else {
                return KakaoDialect.failure(-2, "target_id_type and target_id are required")
            }
            let link = context.grants.consents { $0[.kakao(userID, kakao.appID)] }
            return link.map { answer($0, nil) } ?? KakaoDialect.failure(-101, "NotRegisteredUserException")
        }
        switch context.grants.lookUp(request.bearerToken, .access, of: .kakao) {
        case .valid(let token):
            if let link = context.grants.consents({ $0[context.link(of: token.grant)] }) { return answer(link, token) }
        case .expired: return KakaoDialect.failure(-401, "this access token is already expired")
        case .unknown: break
        }
        return KakaoDialect.failure(-401, "this access token does not exist")
    }

    /// Ends the token pair; with the admin key, every token of the person. The link to the app stays.
    func logOut(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        token.map { context.grants.revoke(pairOf: $0.grant) }
            ?? context.grants.revokeAll(of: link.id, by: keys(link), keepsLink: true)
        return .json(["id": id(link)])
    }

    /// Ends the link to the app, and with it every token.
    func unlink(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        context.grants.revokeAll(of: link.id, by: keys(link))
        return .json(["id": id(link)])
    }

    func tokenInfo(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        let rest = token?.expiresAt.timeIntervalSince(context.now).rounded(.down) ?? 0
        let app = Int64(link.id.app) ?? 0
        return .json(["id": id(link), "expires_in": .integer(Int64(rest)), "app_id": .integer(app)])
    }

    /// The OpenID user-info, which the issuer's metadata names.
    func userInfo(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        context.grants.consents { $0[link.id]?.isLookedUp = true }
        return .json(.object(KakaoAccount.profile(of: link, context).merging(["sub": .string(link.id.userID)]) { $1 }))
    }

    /// The other people who have agreed to be found by the app.
    func friends(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        guard link.agreed.contains("friends") else {
            return KakaoDialect.failure(
                -402, "insufficient scopes.", missing: ["friends"], allowed: link.agreed.sorted())
        }
        let links = context.grants.consents { $0.links(to: link.id.app, at: .kakao) }
        let others = links.filter { $0.agreed.contains("friends") && $0.id != link.id }.map(\.id.userID)
        let friends: [AuthJSON] = kakao.users.filter { others.contains($0.id) }.map { user in
            [
                "id": .integer(Int64(user.id) ?? 0), "uuid": .string("friend-\(user.id)"), "favorite": false,
                "profile_nickname": .string(user.name), "profile_thumbnail_image": .string(user.pictureURL ?? ""),
            ]
        }
        return .json(["elements": .array(friends), "total_count": .integer(Int64(friends.count)), "favorite_count": 0])
    }

    /// A person's data, as far as they agree to it, and as far as `property_keys` names it.
    func me(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        let list = request.form["property_keys"] ?? request.query["property_keys"]
        let keys = list.flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) }
        guard list == nil || keys != nil else {
            return KakaoDialect.failure(-2, "property_keys must be a JSON array of strings")
        }
        if let key = keys?.first(where: { !Self.propertyKeys.contains($0) && !$0.hasPrefix("properties.") }) {
            return KakaoDialect.failure(-201, "user property not found ([\(key)] for appId=\(link.id.app))")
        }
        context.grants.consents { $0[link.id]?.isLookedUp = true }
        var members: [String: AuthJSON] = ["id": id(link)]
        if keys == nil { members["connected_at"] = .string(link.since.formatted(.iso8601)) }
        guard let user = kakao.users.first(where: { $0.id == link.id.userID }) else { return .json(.object(members)) }
        let account = account(of: user, link.agreed)
        let properties = account["profile"]?.object?.filter { $0.key == "nickname" } ?? [:]
        for (member, all) in [("properties", properties), ("kakao_account", account)] {
            let named = all.filter { name, _ in keys.map { Self.names($0, name, of: member) } ?? true }
            if keys == nil || !named.isEmpty { members[member] = .object(named) }
        }
        return .json(.object(members))
    }

    /// Whether `property_keys` names a member. A key names each of which it is a word: `email` names `is_email_valid`.
    private static func names(_ keys: [String], _ name: String, of member: String) -> Bool {
        name.split(separator: "_").contains { keys.contains("\(member).\($0)") }
    }

    /// What `property_keys` may name, beside `properties.` and a name of the app's own. The emulated people have only some of it.
    private static let propertyKeys: Set = [
        "id", "has_signed_up", "kakao_account.profile", "kakao_account.name", "kakao_account.email",
        "kakao_account.age_range", "kakao_account.birthday", "kakao_account.gender",
    ]

    /// Each part requires a consent; the `…_needs_agreement` flags mark the missing ones.
    private func account(of user: EmulatorUser, _ scopes: Set<String>) -> [String: AuthJSON] {
        let (name, image) = (scopes.contains("profile_nickname"), scopes.contains("profile_image"))
        var account: [String: AuthJSON] = [
            "profile_nickname_needs_agreement": .bool(!name), "profile_image_needs_agreement": .bool(!image),
            "has_email": .bool(user.email != nil), "email_needs_agreement": .bool(!scopes.contains("account_email")),
        ]
        var profile: [String: AuthJSON] = name ? ["nickname": .string(user.name)] : [:]
        if image {
            profile.add("profile_image_url", user.pictureURL)
            profile.add("thumbnail_image_url", user.pictureURL)
            profile["is_default_image"] = .bool(user.pictureURL == nil)
        }
        if name || image { account["profile"] = .object(profile) }
        if scopes.contains("account_email"), let email = user.email {
            account["email"] = .string(email)
            account["is_email_valid"] = true
            account["is_email_verified"] = .bool(user.isEmailVerified)
        }
        return account
    }

    /// What the console offers, and what the person has agreed to of it or of what it has offered before.
    func scopes(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        let named = request.query["scopes"].map(Self.scopes)
        let scopes = kakao.scopes.union(link.agreed).filter { named?.contains($0) ?? true }.sorted().map { scope in
            let isAgreed = link.agreed.contains(scope)
            var members: [String: AuthJSON] = [
                "id": .string(scope), "display_name": .string(Self.displayNames[scope] ?? scope),
                "type": ["friends", "talk_message"].contains(scope) ? "SERVICE" : "PRIVACY",
                "using": .bool(kakao.scopes.contains(scope)), "agreed": .bool(isAgreed),
            ]
            if isAgreed { members["revocable"] = .bool(!kakao.requiredScopes.contains(scope)) }
            return AuthJSON.object(members)
        }
        return .json(["id": id(link), "scopes": .array(scopes)])
    }

    /// Withdraws the person's agreement to some scopes. Their tokens stay valid, and show less from now on.
    func revokeScopes(_ link: Consents.Link, _ token: GrantStore.Token?) -> LoopbackResponse {
        let named = request.form["scopes"].map(Self.scopes) ?? []
        func quoted(_ scopes: Set<String>) -> String { "[\(scopes.sorted().joined(separator: ", "))]" }
        let required = named.intersection(kakao.requiredScopes).intersection(link.agreed)
        guard required.isEmpty else {
            let end = "is not revocable. check out if it's set as required on developers.kakao.com"
            return KakaoDialect.failure(-3, "\(quoted(required)) \(end)")
        }
        guard !named.isEmpty, named.isSubset(of: link.agreed) else {
            let end = "check out if given scope id(\(quoted(named.subtracting(link.agreed)))) is correct again."
            return KakaoDialect.failure(-2, "There is no scopes to revoke. \(end)")
        }
        var link = link
        link.withdraw(named)
        context.grants.withdraw(named, from: link.id, by: keys(link))
        return scopes(link, token)
    }

    /// The scopes of a list: a JSON array, as the SDKs send it, or separated by commas.
    private static func scopes(_ list: String) -> Set<String> {
        Set(list.split { "[\"], ".contains($0) }.map(String.init))
    }

    private static let displayNames = [
        "profile_nickname": "닉네임", "profile_image": "프로필 사진", "account_email": "카카오계정(이메일)",
        "friends": "카카오 서비스 내 친구목록", "talk_message": "카카오톡 메시지 전송",
    ]
}
