import AuthStreams
import LoopbackHTTP

/// Naver's authorization server: `nid.naver.com`, with the older endpoints that its SDKs use.
struct NaverLogin: EmulatorService {
    static let host = "nid.naver.com"

    var hosts: [String] { [Self.host] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        switch request.path {
        case "/oauth2.0/authorize": request.taking("GET") { authorize(request, context) }
        case ConsentPage.path: request.taking("POST") { consent(request, context) }
        case "/oauth2.0/token": token(request, context)
        case "/oauth2.0/revoke": request.taking("POST") { revoke(request, context) }
        case "/emulator/app-code": request.taking("POST") { appCode(request, context) }
        default: nil
        }
    }
}
