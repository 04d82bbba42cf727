public import AuthStreams
import LoopbackHTTP

extension Emulator {
    /// The back office of the OpenID Connect issuer.
    public var issuer: EmulatedIssuer {
        let service = router.services[EmulatorConfiguration.Issuer.host]?.lazy.compactMap { $0 as? OpenIDIssuer }.first
        return EmulatedIssuer(
            grants: router.grants, configuration: configuration, state: service?.state ?? Lock(OpenIDIssuer.State()))
    }
}

/// The back office of the emulated OpenID Connect issuer; see ``Emulator/issuer``.
public struct EmulatedIssuer: Sendable {
    let grants: GrantStore
    let configuration: EmulatorConfiguration
    let state: Lock<OpenIDIssuer.State>

    /// Gives a person another name, which the user information and later ID tokens tell.
    public func rename(_ userID: String, to name: String) { state.withLock { $0.names[userID] = name } }

    /// Ends every session of a person: a refresh is then refused with `invalid_grant`.
    public func revokeSessions(of userID: String) {
        grants.revokeAll(of: .openID, clientIDs: [configuration.issuer.clientID], userID: userID)
    }

    /// Returns whether this access token is accepted now.
    public func accepts(accessToken: Secret) -> Bool {
        grants.valid(accessToken.reveal(), .access, of: .openID) != nil
    }
}

/// An OpenID Connect issuer for the app's own people.
///
/// Its access tokens are opaque, its refresh tokens rotate, and it says in each answer who it is (RFC 9207).
struct OpenIDIssuer: EmulatorService {
    struct State {
        /// The refresh tokens that were used, with what they were issued for.
        var used: [String: Grant] = [:]
        /// The names that replace those of the configuration, by identifier.
        var names: [String: String] = [:]
    }

    let state = Lock(State())

    var hosts: [String] { [EmulatorConfiguration.Issuer.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/realms/main/.well-known/openid-configuration": request.taking("GET") { metadata(context) }
        case Self.path("auth"): request.taking("GET") { authorize(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case Self.path("token"): request.taking("POST") { token(request, context) }
        case Self.path("certs"): request.taking("GET") { .json(context.signer.keySet(host: hosts[0])) }
        case Self.path("userinfo"): request.taking("GET") { userInfo(request, context) }
        case Self.path("revoke"): request.taking("POST") { revoke(request, context) }
        case Self.path("logout"): request.taking("GET") { endSession(request, context) }
        case "/realms/main/account": request.taking("DELETE") { deleteAccount(request, context) }
        default: nil
        }
    }

    private static func path(_ name: String) -> String { "/realms/main/protocol/openid-connect/\(name)" }

    private func metadata(_ context: EmulatorContext) -> LoopbackResponse {
        func url(_ name: String) -> AuthJSON {
            .string(context.served("https://\(hosts[0])\(Self.path(name))"))
        }
        var response = LoopbackResponse.json([
            "issuer": .string(identifier(context)), "authorization_endpoint": url("auth"),
            "token_endpoint": url("token"), "jwks_uri": url("certs"), "userinfo_endpoint": url("userinfo"),
            "revocation_endpoint": url("revoke"), "end_session_endpoint": url("logout"),
            "authorization_response_iss_parameter_supported": true, "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"], "token_endpoint_auth_methods_supported": ["none"],
            "scopes_supported": ["openid", "email", "profile", "offline_access"],
        ])
        response.headers.append(("Cache-Control", "public, max-age=300"))
        return response
    }

    func identifier(_ context: EmulatorContext) -> String { context.served(EmulatorConfiguration.Issuer.identifier) }
}
