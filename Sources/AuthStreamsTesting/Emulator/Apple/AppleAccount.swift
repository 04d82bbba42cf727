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
        case AppleAccountPage.path: await manage(request, context)
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        let base = context.served(Self.issuer)
        return .json([
            "issuer": .string(context.issuer(Self.issuer)),
            "authorization_endpoint": .string("\(base)/auth/authorize"),
            "token_endpoint": .string("\(base)/auth/token"),
            "revocation_endpoint": .string("\(base)/auth/revoke"),
            "jwks_uri": .string("\(base)/auth/keys"),
            "response_types_supported": ["code", "code id_token"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", "email", "name"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce", "nonce_supported",
                "sub",
            ],
        ])
    }

    /// Makes the ID token of a grant.
    ///
    /// Booleans are strings here, as Apple sometimes writes them, and the nonce is echoed unchanged.
    func idToken(
        for grant: Grant, code: String? = nil, accessToken: String? = nil, fault: EmulatorFault.Token?,
        _ context: EmulatorContext
    ) -> String {
        var claims: [String: AuthJSON] = [
            "iss": .string(context.issuer(Self.issuer)), "aud": .string(grant.clientID), "sub": .string(grant.userID),
            "iat": .seconds(context.now), "exp": .seconds(context.now + 86_400),
            "auth_time": .seconds(grant.approvedAt),
            "nonce_supported": true,
        ]
        claims.add("nonce", grant.nonce)
        claims.add("c_hash", code.map(EmulatorCrypto.halfHash))
        claims.add("at_hash", accessToken.map(EmulatorCrypto.halfHash))
        let user = context.configuration.apple.users.first { $0.id == grant.userID }
        if grant.scopes.contains("email"), let user, let email = user.email {
            claims["email"] = .string(email)
            claims["email_verified"] = user.isEmailVerified ? "true" : "false"
            claims["is_private_email"] = email.hasSuffix("@privaterelay.example") ? "true" : "false"
        }
        return context.signer.idToken(claims, host: Self.host, fault: fault)
    }
}

extension AppleAccount {
    /// Shows the page, or makes the change that a person has chosen there.
    func manage(_ request: EmulatorRequest, _ context: EmulatorContext) async -> LoopbackResponse {
        let apple = context.configuration.apple
        var page = AppleAccountPage(appName: context.configuration.appName, users: apple.users)
        switch request.method {
        case "GET": return page.response
        case "POST":
            guard let user = apple.users.first(where: { $0.id == request.form["user"] }),
                let name = request.form["event"]
            else { return MessagePage.error("invalid_request", "The form names no person of this emulator.") }
            let statuses = await EmulatedApple(context: context).make(.init(rawValue: name), of: user.id)
            let answers = statuses.map { $0.map(String.init) ?? "no answer" }.joined(separator: ", ")
            page.message = "\(user.name): \(name). Answers: \(answers)."
            return page.response
        default: return .methodNotAllowed("GET, POST")
        }
    }
}

/// The page on which a person manages how they use Sign in with Apple, as `account.apple.com` has one.
struct AppleAccountPage {
    let appName: String
    let users: [EmulatorUser]
    /// What was done, to be shown.
    var message: String?

    static let path = "/emulator/account"

    var response: LoopbackResponse {
        let people = users.map { user in
            """
            <form method="post" action="/\(AppleAccount.host)\(Self.path)">
            <h2>\(HTML.escape(user.name))</h2>
            \(HTML.hidden("user", user.id))
            <button type="submit" name="event" value="consent-revoked">Stop using Sign in with Apple</button>
            <button type="submit" name="event" value="account-deleted">Delete the Apple Account</button>
            <button type="submit" name="event" value="email-disabled">Stop forwarding mail</button>
            <button type="submit" name="event" value="email-enabled">Forward mail</button>
            </form>
            """
        }
        return LoopbackResponse.html(
            PageStyle.document(
                title: "Apple Account", accent: ConsentPage.Brand.apple.accent, ink: ConsentPage.Brand.apple.ink,
                body: """
                    <h1>Sign in with Apple for \(HTML.escape(appName))</h1>
                    \(message.map { "<p><strong>\(HTML.escape($0))</strong></p>" } ?? "")
                    \(people.joined(separator: "\n"))
                    <p class="quiet">Each change is reported to the app's server.</p>
                    """)
        ).uncached
    }
}

/// What the system asks Apple for, when the person agrees on the sheet of an app.
///
/// Apple does not document that request, so its form is the emulator's own: the client is the bundle identifier, there is
/// no redirect URI, and the answer has the values of `ASAuthorizationAppleIDCredential`.
///
/// ```
/// POST appleid.apple.com/emulator/sheet    client_id, user, nonce, scope     {"user", "identityToken", "authorizationCode",
///                                                                             "givenName", "familyName", "email"}
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
            let scopes = Set((form["scope"] ?? "").split(separator: " ").map(String.init))
            let grant = Grant(
                issuer: .apple, clientID: apple.bundleID, userID: user.id, scopes: scopes, nonce: form["nonce"],
                approvedAt: context.now)
            return answer(grant, to: user, fault: request.tokenFault, context)
        }
    }

    private func answer(
        _ grant: Grant, to user: EmulatorUser, fault: EmulatorFault.Token?, _ context: EmulatorContext
    ) -> LoopbackResponse {
        let code = context.grants.issueCode(for: grant)
        let token = AppleAccount().idToken(for: grant, code: code, fault: fault, context)
        context.note("code", code, host: AppleAccount.host)
        context.note("id_token", token, host: AppleAccount.host)
        var members: [String: AuthJSON] = [
            "user": .string(user.id), "identityToken": .string(token), "authorizationCode": .string(code),
        ]
        if context.grants.consents({ $0.record(grant, as: context.link(of: grant), at: context.now) }) {
            if grant.scopes.contains("name") {
                members.add("givenName", user.givenName)
                members.add("familyName", user.familyName)
            }
            if grant.scopes.contains("email") { members.add("email", user.email) }
        }
        return .json(.object(members))
    }
}
