import AuthStreams
import Foundation
import LoopbackHTTP

extension KakaoAccount {
    private static let month: TimeInterval = 30 * 86_400

    /// The token endpoint.
    func token(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        let kakao = context.configuration.kakao
        if let error = request.requestedError { return KakaoDialect.failure(error) }
        if form.repeated != nil { return KakaoDialect.failure("KOE204") }
        guard let key = form["client_id"] else { return KakaoDialect.failure("KOE207") }
        guard kakao.appID(ofKey: key) != nil else { return KakaoDialect.failure("KOE101") }
        if let bundleID = form["ios_bundle_id"], kakao.nativeAppKeys.contains(key), !kakao.bundleIDs.contains(bundleID)
        {
            return KakaoDialect.failure("KOE009")
        }
        if key == kakao.restAPIKey, let secret = kakao.restSecret, form["client_secret"] != secret {
            return KakaoDialect.failure("KOE010")
        }
        switch form["grant_type"] {
        case "authorization_code":
            return exchange(request, key: key, context)
        case "refresh_token":
            guard let text = form["refresh_token"] else { return KakaoDialect.failure("KOE319") }
            guard let token = context.grants.valid(text, .refresh, of: .kakao), token.grant.clientID == key else {
                return KakaoDialect.failure("KOE322")
            }
            // A refresh token that is valid for more than a month is not replaced; one with less is, and ends.
            let renews = token.expiresAt < context.now + Self.month
            if renews { context.grants.revoke(text) }
            return tokens(for: token.grant, withRefreshToken: renews, request.tokenFault, context)
        case nil: return KakaoDialect.failure("KOE207")
        default: return KakaoDialect.failure("KOE310")
        }
    }

    private func exchange(_ request: EmulatorRequest, key: String, _ context: EmulatorContext) -> LoopbackResponse {
        guard let code = request.form["code"] else { return KakaoDialect.failure("KOE207") }
        guard let grant = context.grants.redeem(code: code, by: .kakao), grant.clientID == key else {
            // Kakao quotes the code, which is one more reason to keep descriptions out of errors and logs.
            return KakaoDialect.failure("KOE320", "authorization code not found for code=\(code)")
        }
        guard grant.redirectURI == request.form["redirect_uri"] else { return KakaoDialect.failure("KOE303") }
        guard grant.accepts(verifier: request.form["code_verifier"]) else {
            return KakaoDialect.failure("KOE320", "code verifier does not match code challenge.")
        }
        let app = context.configuration.kakao.appID(ofKey: key) ?? 0
        links.withLock { $0.logIn(grant.userID, to: app, at: context.now) }
        return tokens(for: grant, withRefreshToken: true, request.tokenFault, context)
    }

    private func tokens(
        for grant: Grant, withRefreshToken: Bool, _ fault: EmulatorFault.Token?, _ context: EmulatorContext
    ) -> LoopbackResponse {
        let lifetime: Int64 = grant.clientID == context.configuration.kakao.restAPIKey ? 21_599 : 43_199
        let access = context.grants.issueToken(.access, for: grant, lifetime: TimeInterval(lifetime))
        var members: [String: AuthJSON] = [
            "token_type": "bearer", "access_token": .string(access), "expires_in": .integer(lifetime),
            "scope": .string(grant.scopes.sorted().joined(separator: " ")),
        ]
        if withRefreshToken {
            members["refresh_token"] = .string(context.grants.issueToken(.refresh, for: grant, lifetime: 5_183_999))
            members["refresh_token_expires_in"] = 5_183_999
        }
        if grant.scopes.contains("openid") {
            members["id_token"] = .string(idToken(for: grant, lifetime: lifetime, fault, context))
        }
        return .json(.object(members))
    }

    /// The nonce is echoed unchanged, and `aud` is the key that was used, native or REST.
    private func idToken(
        for grant: Grant, lifetime: Int64, _ fault: EmulatorFault.Token?, _ context: EmulatorContext
    ) -> String {
        var claims: [String: AuthJSON] = [
            "iss": .string(context.served(Self.issuer)), "aud": .string(grant.clientID), "sub": .string(grant.userID),
            "iat": .seconds(context.now), "exp": .seconds(context.now + TimeInterval(lifetime)),
            "auth_time": .seconds(grant.approvedAt),
        ]
        claims.add("nonce", grant.nonce)
        claims.merge(Self.profile(of: grant, context)) { own, _ in own }
        return context.signer.idToken(claims, host: Self.host, fault: fault)
    }

    /// Returns the claims of the person to which the grant has their consent: of an ID token, and of the user-info.
    static func profile(of grant: Grant, _ context: EmulatorContext) -> [String: AuthJSON] {
        guard let user = context.configuration.kakao.users.first(where: { $0.id == grant.userID }) else { return [:] }
        var claims: [String: AuthJSON] = [:]
        if grant.scopes.contains("profile_nickname") { claims["nickname"] = .string(user.name) }
        if grant.scopes.contains("profile_image") { claims.add("picture", user.pictureURL) }
        if grant.scopes.contains("account_email") { claims.add("email", user.email) }
        return claims
    }
}
