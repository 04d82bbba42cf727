import AuthStreams
import LoopbackHTTP

/// The server behind the KakaoTalk app, as far as an emulated phone needs it.
///
/// The address is the emulator's own: KakaoTalk's requests to its server are not public, only its answers to the app.
struct KakaoTalk: EmulatorService {
    var hosts: [String] { ["talk-apps.kakao.com"] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/emulator/code" else { return nil }
        return request.taking("POST") { code(request, context) }
    }

    private func code(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        let kakao = context.configuration.kakao
        guard let key = form["client_id"], kakao.appID(ofKey: key) != nil, key != kakao.restAPIKey else {
            // KakaoTalk is open by then, so the app receives the error by its callback URL.
            guard let callback = form["redirect_uri"] else { return .json(["error": "KOE101"], status: 400) }
            return redirect(callback, [("error", "invalid_client"), ("error_code", "KOE101")])
        }
        let redirectURI = "kakao\(key)://oauth"
        guard form["redirect_uri"] == redirectURI else { return .json(["error": "KOE006"], status: 400) }
        guard let scopes = KakaoAccount.scopes(form["scope"], kakao) else {
            return .json(["error": "KOE205"], status: 400)
        }
        var challenge: Grant.Challenge?
        if let text = form["code_challenge"] {
            guard form["code_challenge_method"] == "S256" else { return .json(["error": "KOE204"], status: 400) }
            challenge = .s256(text)
        }
        if let error = request.requestedError {
            return redirect(redirectURI, [("error", error), ("error_description", "As the test asked.")])
        }
        switch form["decision"] {
        case "deny":
            return redirect(
                redirectURI, [("error", "access_denied"), ("error_description", "User denied access")])
        case "approve":
            guard let user = kakao.users.named(form["user"]) else {
                return .json(["error": "unknown user"], status: 400)
            }
            let grant = Grant(
                issuer: .kakao, clientID: key, userID: user.id, redirectURI: redirectURI, scopes: scopes,
                nonce: form["nonce"], challenge: challenge, approvedAt: context.now)
            return redirect(redirectURI, [("code", context.grants.issueCode(for: grant))])
        default:
            return .json(["error": "decision must be approve or deny"], status: 400)
        }
    }

    private func redirect(_ uri: String, _ fields: [(name: String, value: String?)]) -> LoopbackResponse {
        .json(["redirect": .string(AuthorizationRedirect.adding(fields, to: uri))])
    }
}
