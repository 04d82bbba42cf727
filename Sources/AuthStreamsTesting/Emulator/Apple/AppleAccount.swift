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
            "issuer": .string(base),
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
            "iss": .string(context.served(Self.issuer)), "aud": .string(grant.clientID), "sub": .string(grant.userID),
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
