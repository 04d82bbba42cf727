import AuthStreams
import Foundation
import LoopbackHTTP

/// Sign in with Apple on the web: `appleid.apple.com`.
struct AppleAccount: EmulatorService {
    static let host = "appleid.apple.com"
    static let issuer = "https://appleid.apple.com"

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/.well-known/openid-configuration": request.taking("GET") { discovery(context) }
        case "/auth/keys": request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "/auth/authorize": request.taking("GET") { authorize(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case "/auth/token": request.taking("POST") { token(request, context) }
        case "/auth/revoke": request.taking("POST") { revoke(request, context) }
        case AccountPage.path:
            await AccountPage(
                brand: .apple, users: context.configuration.apple.users,
                events: [
                    ("consent-revoked", "Stop using Sign in with Apple"),
                    ("account-deleted", "Delete the Apple Account"),
                    ("email-disabled", "Stop forwarding mail"), ("email-enabled", "Forward mail"),
                ]
            ).respond(to: request, context) { event, user in
                await EmulatedApple(context: context).make(.init(rawValue: event), of: user.id)
            }
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        let base = context.served(Self.issuer)
        return .json([
            "issuer": .string(context.issuer(Self.issuer)),
            "authorization_endpoint": .string("\(base)/auth/authorize"),
            "token_endpoint": .string("\(base)/auth/token"), "revocation_endpoint": .string("\(base)/auth/revoke"),
            "jwks_uri": .string("\(base)/auth/keys"), "response_types_supported": ["code", "code id_token"],
            "response_modes_supported": ["query", "fragment", "form_post"], "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"], "scopes_supported": ["openid", "email", "name"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce", "nonce_supported",
                "real_user_status", "sub", "transfer_sub",
            ],
        ])
    }

    /// Makes the ID token of a grant.
    ///
    /// Apple writes booleans as such or as strings. Here the tokens for the app have booleans, and those of the web have strings.
    /// The nonce is echoed unchanged.
    func idToken(
        for grant: Grant, code: String? = nil, accessToken: String? = nil, realUserStatus: Int? = nil,
        fault: EmulatorFault.Token?, _ context: EmulatorContext
    ) -> String {
        let apple = context.configuration.apple
        func flag(_ value: Bool) -> AuthJSON { grant.clientID == apple.bundleID ? .bool(value) : .string("\(value)") }
        var claims: [String: AuthJSON] = [
            "iss": .string(context.issuer(Self.issuer)), "aud": .string(grant.clientID), "sub": .string(grant.userID),
            "iat": .seconds(context.now), "exp": .seconds(context.now + 86_400),
            "auth_time": .seconds(grant.approvedAt),
            "nonce_supported": true,
        ]
        claims.add("nonce", grant.nonce)
        claims.add("c_hash", code.map(EmulatorCrypto.halfHash))
        claims.add("at_hash", accessToken.map(EmulatorCrypto.halfHash))
        claims.add("transfer_sub", apple.transferIDs[grant.userID])
        claims["real_user_status"] = realUserStatus.map { .integer(Int64($0)) }
        let user = apple.users.first { $0.id == grant.userID }
        if grant.scopes.contains("email"), let user, let email = context.sharedEmail(of: user) {
            claims["email"] = .string(email.address)
            claims["email_verified"] = flag(user.isEmailVerified)
            claims["is_private_email"] = flag(email.isPrivate)
        }
        return context.signer.idToken(claims, host: Self.host, fault: fault)
    }
}

/// What the system asks Apple for, when the person agrees on the sheet of an app.
///
/// Apple does not document that request, so its form is the emulator's own: the client is the bundle identifier, there is
/// no redirect URI, and the answer has the values of `ASAuthorizationAppleIDCredential`.
///
/// ```
/// POST appleid.apple.com/emulator/sheet    client_id, user, nonce, scope,    {"user", "identityToken", "authorizationCode",
///                                          email=share|hide                   "givenName", "familyName", "email",
///                                                                             "realUserStatus"}
/// ```
struct AppleSheetService: EmulatorService {
    static let path = "/emulator/sheet"

    var hosts: [String] { [AppleAccount.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == Self.path else { return nil }
        return request.taking("POST") {
            if let error = request.requestedError { return .oauthError(error) }
            let (apple, form) = (context.configuration.apple, request.form)
            guard form["client_id"] == apple.bundleID else { return .oauthError("invalid_client") }
            guard let user = apple.users.named(form["user"]) else { return .oauthError("access_denied") }
            let grant = Grant(
                issuer: .apple, clientID: apple.bundleID, userID: user.id, scopes: form.words("scope"),
                nonce: form["nonce"], approvedAt: context.now)
            let isFirst = context.record(grant, email: form["email"])
            let (code, status) = (context.grants.issueCode(for: grant), isFirst ? apple.realUserStatus : nil)
            let token = AppleAccount().idToken(
                for: grant, code: code, realUserStatus: status, fault: request.tokenFault, context)
            context.note("code", code, host: AppleAccount.host)
            context.note("id_token", token, host: AppleAccount.host)
            var members: [String: AuthJSON] = [
                "user": .string(user.id), "identityToken": .string(token), "authorizationCode": .string(code),
            ]
            members["realUserStatus"] = status.map { .integer(Int64($0)) }
            if isFirst {
                if grant.scopes.contains("name") {
                    members.add("givenName", user.givenName)
                    members.add("familyName", user.familyName)
                }
                if grant.scopes.contains("email") { members.add("email", context.sharedEmail(of: user)?.address) }
            }
            return .json(.object(members))
        }
    }
}
