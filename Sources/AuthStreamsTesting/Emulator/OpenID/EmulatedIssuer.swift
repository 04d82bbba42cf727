public import AuthStreams
import LoopbackHTTP

/// The back office of the emulated OpenID Connect issuer; see ``Emulator/issuer``.
public struct EmulatedIssuer: Sendable {
    let grants: GrantStore
    let configuration: EmulatorConfiguration
    let state: Lock<OpenIDIssuer.State>

    /// Gives a person another name, which the user information and later ID tokens tell.
    public func rename(_ userID: String, to name: String) { state.withLock { $0.names[userID] = name } }

    /// Ends every session of a person: a refresh is then refused with `invalid_grant`.
    public func revokeSessions(of userID: String) {
        grants.revokeAll(of: .init(issuer: .openID, app: configuration.issuer.clientID, userID: userID))
    }

    /// Signs with a new key from now on.
    ///
    /// - Parameter keepsEarlier: Whether the earlier keys stay published, for tokens that are still valid.
    package func rotateKeys(keepsEarlier: Bool = true) {
        state.withLock { $0.keys = (keepsEarlier ? $0.keys : []) + [$0.signingKey + 1] }
    }

    /// Publishes the keys at another path of the issuer's host alone, which the metadata name.
    package func moveKeys(to path: String) { state.withLock { $0.keysPath = path } }

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
        var used = KeyedStore<Grant>("used refresh token", limit: EmulatorLimit.tokens)
        /// The names that replace those of the configuration, by identifier.
        var names: [String: String] = [:]
        /// The numbers of the published keys, the signing one last.
        var keys = [1]
        var keysPath = OpenIDIssuer.path("certs")
        /// The parameters that were pushed and not used yet, by `request_uri`.
        var pushed = KeyedStore<PushedRequest>("pushed request", limit: EmulatorLimit.signIns)
        /// The identifiers of the clients' assertions that were used.
        var assertions = KeyedStore<Void>("assertion", limit: EmulatorLimit.tokens)
        /// The nonce that proofs of a key must have, where nonces are demanded.
        var dpopNonce = GrantStore.random()
        /// The proofs that were used: the thumbprint of the key and the identifier of each.
        var proofs = KeyedStore<Void>("proof", limit: EmulatorLimit.tokens)

        var signingKey: Int { keys.last ?? 1 }
    }

    private static let devicePath = "/realms/main/device"

    let state = Lock(State())
    let devices = DeviceCodes(
        issuer: .openID, brand: .issuer, page: "https://\(EmulatorConfiguration.Issuer.host)\(devicePath)")

    var hosts: [String] { [EmulatorConfiguration.Issuer.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        let (keys, keysPath) = state.withLock { ($0.keys, $0.keysPath) }
        return switch request.path {
        case "/realms/main/.well-known/openid-configuration": request.taking("GET") { metadata(context) }
        case Self.path("auth"): request.taking("GET") { authorize(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case Self.path("token"): request.taking("POST") { withNonce(token(request, context), context) }
        case keysPath: request.taking("GET") { .json(context.signer.keySet(host: hosts[0], keys: keys)) }
        case Self.path("userinfo"): request.taking("GET") { withNonce(userInfo(request, context), context) }
        case Self.path("revoke"): request.taking("POST") { revoke(request, context) }
        case Self.path("logout"): request.taking("GET") { endSession(request, context) }
        case Self.path("ext/par/request") where context.configuration.issuer.pushedRequests != .unsupported:
            request.taking("POST") { push(request, context) }
        case Self.path("auth/device") where context.configuration.issuer.acceptsDeviceCodes:
            request.taking("POST") { authorizeDevice(request, context) }
        case Self.devicePath where context.configuration.issuer.acceptsDeviceCodes:
            request.taking("GET") { devices.page(request, context.configuration.issuer.users, context) }
        case "/realms/main/account": request.taking("DELETE") { withNonce(deleteAccount(request, context), context) }
        default: nil
        }
    }

    private static func path(_ name: String) -> String { "/realms/main/protocol/openid-connect/\(name)" }

    private func metadata(_ context: EmulatorContext) -> LoopbackResponse {
        let issuer = context.configuration.issuer
        func url(path: String) -> AuthJSON { .string(context.served("https://\(hosts[0])\(path)")) }
        func url(_ name: String) -> AuthJSON { url(path: Self.path(name)) }
        var members: [String: AuthJSON] = [
            "issuer": .string(identifier(context)), "authorization_endpoint": url("auth"),
            "token_endpoint": url("token"), "jwks_uri": url(path: state.withLock { $0.keysPath }),
            "userinfo_endpoint": url("userinfo"), "revocation_endpoint": url("revoke"),
            "end_session_endpoint": url("logout"),
            "authorization_response_iss_parameter_supported": true, "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": [.string(issuer.authentication.name)],
            "scopes_supported": ["openid", "email", "profile", "offline_access"],
        ]
        if issuer.pushedRequests != .unsupported {
            members["pushed_authorization_request_endpoint"] = url("ext/par/request")
            members["require_pushed_authorization_requests"] = .bool(issuer.pushedRequests == .required)
        }
        if issuer.acceptsDeviceCodes { members["device_authorization_endpoint"] = url("auth/device") }
        if issuer.dpop != .unsupported { members["dpop_signing_alg_values_supported"] = ["ES256"] }
        var response = LoopbackResponse.json(.object(members))
        response.headers = [("Content-Type", "application/json"), ("Cache-Control", "public, max-age=300")]
        return response
    }

    func identifier(_ context: EmulatorContext) -> String { context.served(EmulatorConfiguration.Issuer.identifier) }
}
