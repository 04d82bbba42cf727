import AuthStreams
import LoopbackHTTP

/// Google's OpenID provider, on its four hosts.
struct GoogleAccounts: EmulatorService {
    static let host = "accounts.google.com"
    static let issuer = "https://accounts.google.com"

    var hosts: [String] {
        [Self.host, "oauth2.googleapis.com", "www.googleapis.com", "openidconnect.googleapis.com"]
    }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.host + request.path {
        case "accounts.google.com/.well-known/openid-configuration": request.taking("GET") { discovery(context) }
        case "accounts.google.com/o/oauth2/v2/auth": request.taking("GET") { authorize(request, context) }
        case "accounts.google.com\(ConsentPage.path)": request.taking("POST") { consent(request, context) }
        case "oauth2.googleapis.com/token": request.taking("POST") { token(request, context) }
        case "oauth2.googleapis.com/revoke": request.taking("POST") { revoke(request, context) }
        case "www.googleapis.com/oauth2/v3/certs":
            request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "openidconnect.googleapis.com/v1/userinfo": userInfo(request, context)
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        func url(_ production: String) -> AuthJSON { .string(context.served(production)) }
        return .json([
            "issuer": url(Self.issuer),
            "authorization_endpoint": url("https://accounts.google.com/o/oauth2/v2/auth"),
            "token_endpoint": url("https://oauth2.googleapis.com/token"),
            "userinfo_endpoint": url("https://openidconnect.googleapis.com/v1/userinfo"),
            "revocation_endpoint": url("https://oauth2.googleapis.com/revoke"),
            "jwks_uri": url("https://www.googleapis.com/oauth2/v3/certs"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", "email", "profile"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "code_challenge_methods_supported": ["plain", "S256"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
        ])
    }

    /// Returns the person's claims for the granted scopes, as in ID tokens and user information.
    func profile(of grant: Grant, _ context: EmulatorContext) -> [String: AuthJSON] {
        var members: [String: AuthJSON] = ["sub": .string(grant.userID)]
        guard let user = context.configuration.google.users.first(where: { $0.id == grant.userID }) else {
            return members
        }
        if grant.scopes.contains("email"), let email = user.email {
            members["email"] = .string(email)
            members["email_verified"] = .bool(user.isEmailVerified)
        }
        if grant.scopes.contains("profile") {
            members["name"] = .string(user.name)
            members["given_name"] = .string(user.givenName)
            members["family_name"] = .string(user.familyName)
            members.add("picture", user.pictureURL)
        }
        return members
    }
}
