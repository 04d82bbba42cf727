import AuthStreams
import LoopbackHTTP

/// The server behind the KakaoTalk app, as far as an emulated phone needs it.
///
/// The address is the emulator's own, as KakaoTalk's requests are not public. `items` has the optional scopes agreed to, if not all.
struct KakaoTalk: EmulatorService {
    var hosts: [String] { ["talk-apps.kakao.com"] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/emulator/code" else { return nil }
        return request.taking("POST") {
            do throws(KakaoRefusal) { return try code(request, context) } catch {
                return .json(["error": .string(error.code)], status: 400)
            }
        }
    }

    private func code(_ request: EmulatorRequest, _ context: EmulatorContext) throws(KakaoRefusal) -> LoopbackResponse {
        let form = request.form
        let kakao = context.configuration.kakao
        guard let key = form["client_id"], kakao.appID(ofKey: key) != nil, key != kakao.restAPIKey else {
            // KakaoTalk is open by then, so the app receives the error by its callback URL.
            guard let callback = form["redirect_uri"] else { throw KakaoRefusal("KOE101") }
            return redirect(callback, [("error", "invalid_client"), ("error_code", "KOE101")])
        }
        let redirectURI = "kakao\(key)://oauth"
        guard form["redirect_uri"] == redirectURI else { throw KakaoRefusal("KOE006") }
        let pending = try KakaoAccount.pending(form, of: key, to: redirectURI, kakao)
        if let error = request.requestedError {
            return redirect(redirectURI, [("error", error), ("error_description", "As the test asked.")])
        }
        switch form["decision"] {
        case "deny":
            return redirect(redirectURI, [("error", "access_denied"), ("error_description", "User denied access")])
        case "approve":
            guard let user = kakao.users.named(form["user"]) else { throw KakaoRefusal("unknown user") }
            let items = form.items.first { $0.name == "items" }?.value.split(separator: " ").map(String.init)
            let grant = pending.answered(by: user, refusing: { items?.contains($0) == false }, context)
                .grant(userID: user.id, context)
            return redirect(redirectURI, [("code", context.grants.issueCode(for: grant))])
        default: throw KakaoRefusal("decision must be approve or deny")
        }
    }

    private func redirect(_ uri: String, _ fields: [(name: String, value: String?)]) -> LoopbackResponse {
        .json(["redirect": .string(AuthorizationRedirect.adding(fields, to: uri))])
    }
}
