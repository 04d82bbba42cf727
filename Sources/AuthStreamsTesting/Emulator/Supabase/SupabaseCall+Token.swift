import AuthStreams
import AuthStreamsOAuth
import Foundation

/// `token` and `logout` (`token.go`, `token_oidc.go`, `tokens/service.go`, `logout.go`).
extension SupabaseCall {
    func token() throws(SupabaseError) -> AuthJSON {
        switch request.query["grant_type"] {
        case "password": return try signInByPassword()
        case "id_token": return try signInByIDToken()
        case "refresh_token": return try refresh()
        default: throw SupabaseError("invalid_credentials", "unsupported_grant_type")
        }
    }

    private func signInByPassword() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        let refusal = SupabaseError("invalid_credentials", "Invalid login credentials")
        guard let user = user(of: SupabaseContact(in: body)), let password = user.password else { throw refusal }
        guard !user.isBanned else { throw SupabaseError("user_banned", "User is banned") }
        guard password == body["password"]?.text else { throw refusal }
        guard user.emailConfirmedAt != nil || body["email"]?.text == nil else {
            throw SupabaseError("email_not_confirmed", "Email not confirmed")
        }
        return begin(user, by: "password")
    }

    private func signInByIDToken() throws(SupabaseError) -> AuthJSON {
        let body = try body()
        guard let token = body["id_token"]?.text else { throw .oauth("invalid request", "id_token required") }
        let isLink = body["link_identity"]?.bool ?? false
        guard !isLink || request.header("Authorization") != nil else {
            throw .oauth("invalid request", "Linking requires a valid user access token in Authorization")
        }
        let target = isLink ? try caller().user : nil
        let provider = body["provider"]?.text ?? ""
        guard let rules = verifier(of: provider) else {
            throw SupabaseError("validation_failed", "Custom OIDC provider \"\(provider)\" not allowed")
        }
        guard self.rules.providers.contains(provider) else {
            throw SupabaseError("provider_disabled", "Provider (issuer \"\(rules.issuer)\") is not enabled")
        }
        let claims: [String: AuthJSON]
        do throws(CredentialRefusal) { claims = try rules.claims(ofSigned: token, in: context) } catch {
            throw .oauth("invalid request", "Bad ID token")
        }
        try check(claims, nonce: body["nonce"]?.text, accessToken: body["access_token"]?.text)
        let identity = SupabaseUser.Identity(
            provider: provider, providerID: claims["sub"]?.string ?? "", data: Self.data(of: claims))
        let now = now
        let mayHaveNone = self.rules.allowsUsersWithoutEmail
        var user = try state.withLock { (state) throws(SupabaseError) in
            if let target { return try state.link(identity, to: target.id, at: now) }
            return try state.user(of: identity, mayHaveNoEmail: mayHaveNone, at: now)
        }
        if target != nil, target?.email != user.email, user.emailConfirmedAt == nil {
            try send(.confirmation, to: &user, as: .emailVerification)
            save(user)
            throw SupabaseError(
                "email_not_confirmed",
                "Unverified email with \(provider). A confirmation email has been sent to your \(provider) email",
                status: 422)
        }
        return begin(user, by: "oauth")
    }

    private func check(_ claims: [String: AuthJSON], nonce: String?, accessToken: String?) throws(SupabaseError) {
        guard claims["sub"]?.text != nil else { throw .oauth("invalid request", "Missing sub claim in id_token") }
        if let accessToken, let hash = claims["at_hash"]?.text, EmulatorCrypto.halfHash(accessToken) != hash {
            throw .oauth("invalid request", "Bad ID token")
        }
        switch (claims["nonce"]?.text, nonce) {
        case (nil, nil): break
        case (let claim?, let nonce?):
            // Of every provider, and not of Apple alone.
            guard SHA256.hex(nonce) == claim else { throw .oauth("invalid nonce", "Nonces mismatch") }
        default:
            throw .oauth("invalid request", "Passed nonce and nonce in id_token should either both exist or not.")
        }
    }

    private func verifier(of provider: String) -> ServerIDTokenVerifier? {
        switch provider {
        case "apple": .apple(in: context.configuration)
        case "google": .google(in: context.configuration)
        case "kakao": .kakao(in: context.configuration)
        default: nil
        }
    }

    /// What an identity has of the claims (`provider/provider.go`: `Claims`). Kakao's address counts as verified (`provider/oidc.go`).
    private static func data(of claims: [String: AuthJSON]) -> [String: AuthJSON] {
        var data: [String: AuthJSON] = ["iss": claims["iss"] ?? "", "sub": claims["sub"] ?? ""]
        let isKakao = claims["iss"]?.string?.contains("kauth.kakao.com") ?? false
        data["email"] = claims["email"]
        data["email_verified"] = .bool(isKakao || claims["email_verified"]?.lenientBool ?? false)
        for name in ["name", "full_name"] { data[name] = claims["name"] ?? claims["nickname"] }
        for name in ["avatar_url", "picture"] { data[name] = claims["picture"] }
        return data
    }

    private func refresh() throws(SupabaseError) -> AuthJSON {
        guard let token = try body()["refresh_token"]?.text else {
            throw .oauth("invalid_request", "refresh_token required")
        }
        let (now, interval) = (now, rules.reuseInterval / .seconds(1))
        return tokens(
            of: try state.withLock { (state) throws(SupabaseError) in
                guard let token = SessionToken("", token), let session = state.sessions.find(token.session),
                    token.isValid(by: session.secret), let counter = token.numbers.first,
                    let user = state[session.userID]
                else {
                    throw SupabaseError("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
                }
                guard !user.isBanned else { throw SupabaseError("user_banned", "Invalid Refresh Token: User Banned") }
                let behind = session.counter - counter
                // A token that is used again gets the current one, if the client seems to have lost it, or at the same time as another.
                guard behind <= 1 || now.timeIntervalSince(session.refreshedAt) < interval else {
                    state.sessions[session.id] = nil
                    throw SupabaseError("refresh_token_already_used", "Invalid Refresh Token: Already Used")
                }
                return state.advance(session.id, by: behind == 0 ? 1 : 0) {
                    $0.refreshedAt = now
                } ?? session
            })
    }

    func logOut() throws(SupabaseError) -> AuthJSON {
        let (user, session) = try caller()
        switch request.query["scope"] ?? "global" {
        case "global": state.withLock { $0.endSessions(of: user.id) }
        case "local": state.withLock { $0.sessions[session.id] = nil }
        case "others": state.withLock { $0.endSessions(of: user.id) { $0.id != session.id } }
        default: throw SupabaseError("validation_failed", "Unsupported logout scope")
        }
        return .null
    }
}

extension SupabaseState {
    /// Returns the user of an identity, who is made if there is none (`external.go`, `models/linking.go`).
    mutating func user(
        of identity: SupabaseUser.Identity, mayHaveNoEmail: Bool, at now: Date
    ) throws(SupabaseError) -> SupabaseUser {
        let email = identity.data["email"]?.text?.lowercased()
        let isVerified = identity.data["email_verified"]?.bool ?? false
        var user: SupabaseUser
        if let known = self.user(of: identity.provider, identity.providerID) {
            user = known
        } else if isVerified, let email, let known = self.user(email: email) {
            user = known
            // An address that was never confirmed proves nothing about the identities beside it.
            if user.emailConfirmedAt == nil { (user.identities, user.password) = ([], nil) }
            user.identities.append(identity)
        } else {
            user = SupabaseUser(at: now)
            user.email = email.flatMap { self.user(email: $0) == nil ? $0 : nil }
            user.identities = [identity]
        }
        user.take(identity.data)
        guard !user.isBanned else { throw SupabaseError("user_banned", "User is banned", status: 403) }
        if isVerified, user.email != nil, user.emailConfirmedAt == nil { user.emailConfirmedAt = now }
        self[user.id] = user
        guard user.isConfirmed || user.email == nil && mayHaveNoEmail else {
            throw SupabaseError("provider_email_needs_verification", "Unverified email with \(identity.provider).")
        }
        return user
    }

    /// Links an identity to a user, who may get its address, confirmed or not (`identity.go`: `linkIdentityToUser`).
    mutating func link(
        _ identity: SupabaseUser.Identity, to id: String, at now: Date
    ) throws(SupabaseError) -> SupabaseUser {
        guard var user = self[id] else { throw SupabaseError("user_not_found", "User does not exist") }
        guard let owner = self.user(of: identity.provider, identity.providerID) else {
            user.identities.append(identity)
            if user.email == nil, let email = identity.email {
                guard self.user(email: email) == nil else {
                    throw SupabaseError(
                        "email_exists", "A user with this email address has already been registered", status: 400)
                }
                (user.email, user.emailConfirmedAt) = (email, identity.isEmailVerified ? now : nil)
            }
            user.isAnonymous = user.isAnonymous && user.email != nil && user.emailConfirmedAt == nil
            self[id] = user
            return user
        }
        throw SupabaseError(
            "identity_already_exists",
            "Identity is already linked\(owner.id == id ? "" : " to another user")")
    }
}
