import AuthStreams
import LoopbackHTTP

/// The server behind the KakaoTalk app, as far as an emulated phone needs it.
///
/// The address is the emulator's own, as KakaoTalk's requests are not public. `items` has the optional scopes agreed to, if not all.
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
        let (pending, refusal) = KakaoAccount.pending(form, of: key, to: redirectURI, kakao)
        if let refusal { return .json(["error": .string(refusal)], status: 400) }
        if let error = request.requestedError {
            return redirect(redirectURI, [("error", error), ("error_description", "As the test asked.")])
        }
        switch form["decision"] {
        case "deny":
            return redirect(redirectURI, [("error", "access_denied"), ("error_description", "User denied access")])
        case "approve":
            guard let user = kakao.users.named(form["user"]) else {
                return .json(["error": "unknown user"], status: 400)
            }
            let items = form.items.first { $0.name == "items" }?.value.split(separator: " ").map(String.init)
            let grant = pending.answered(by: user, refusing: { items?.contains($0) == false }, context)
                .grant(userID: user.id, context)
            return redirect(redirectURI, [("code", context.grants.issueCode(for: grant))])
        default: return .json(["error": "decision must be approve or deny"], status: 400)
        }
    }

    private func redirect(_ uri: String, _ fields: [(name: String, value: String?)]) -> LoopbackResponse {
        .json(["redirect": .string(AuthorizationRedirect.adding(fields, to: uri))])
    }
}
