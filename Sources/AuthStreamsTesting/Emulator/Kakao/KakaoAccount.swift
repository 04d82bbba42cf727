import AuthStreams
import LoopbackHTTP

/// Kakao's authorization server: `kauth.kakao.com`.
struct KakaoAccount: EmulatorService {
    static let host = "kauth.kakao.com"
    static let issuer = "https://kauth.kakao.com"

    let links: Lock<KakaoLinks>

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/.well-known/openid-configuration": request.taking("GET") { discovery(context) }
        case "/.well-known/jwks.json": request.taking("GET") { .json(context.signer.keySet(host: Self.host)) }
        case "/oauth/authorize": request.taking("GET") { authorize(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case "/oauth/token": request.taking("POST") { token(request, context) }
        default: nil
        }
    }

    private func discovery(_ context: EmulatorContext) -> LoopbackResponse {
        let base = context.served(Self.issuer)
        return .json([
            "issuer": .string(base),
            "authorization_endpoint": .string("\(base)/oauth/authorize"),
            "token_endpoint": .string("\(base)/oauth/token"),
            "userinfo_endpoint": .string(context.served("https://kapi.kakao.com/v1/oidc/userinfo")),
            "jwks_uri": .string("\(base)/.well-known/jwks.json"),
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "request_uri_parameter_supported": false,
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
        ])
    }

    /// Returns the granted scopes of a request: those it names, otherwise all that the console offers.
    static func scopes(_ requested: String?, _ kakao: EmulatorConfiguration.Kakao) -> Set<String>? {
        let offered = kakao.scopes.union(kakao.isOpenIDEnabled ? ["openid"] : [])
        guard let requested else { return offered }
        let named = Set(requested.split { $0 == " " || $0 == "," }.map(String.init))
        return named.isSubset(of: offered) ? named : nil
    }
}
