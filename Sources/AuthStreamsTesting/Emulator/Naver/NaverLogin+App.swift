import AuthStreams
import LoopbackHTTP

extension NaverLogin {
    /// The server behind the Naver app, as far as an emulated phone needs it.
    ///
    /// The answer has no `state`. `authCode` is the code; `code` is the number of an error: 6 invalid_request,
    /// 7 unauthorized_client, 8 unsupported_response_type, 9 server_error, 10 undefined, 2 the person's cancel.
    func appCode(_ request: EmulatorRequest, _ context: EmulatorContext) -> LoopbackResponse {
        let form = request.form
        let naver = context.configuration.naver
        guard form["client_id"] == naver.clientID else { return .json(["error": "unauthorized_client"], status: 400) }
        // Any other scheme would send codes to another app.
        guard form["callback_scheme"] == naver.urlScheme else {
            return .json(["error": "callback_scheme is not registered"], status: 400)
        }
        if let error = request.requestedError { return redirect(context, failure: error) }
        guard form["response_type"] == "code" else { return redirect(context, failure: "8") }
        switch form["decision"] {
        case "deny": return redirect(context, failure: "2")
        case "approve":
            guard let user = naver.users.named(form["user"]) else {
                return .json(["error": "unknown user"], status: 400)
            }
            let grant = Grant(issuer: .naver, clientID: naver.clientID, userID: user.id, approvedAt: context.now)
            return redirect(context, [("authCode", context.grants.issueCode(for: grant))])
        default: return .json(["error": "decision must be approve or deny"], status: 400)
        }
    }

    private static let details = [
        "2": "user_cancel", "6": "invalid_request", "7": "unauthorized_client", "8": "unsupported_response_type",
        "9": "server_error",
    ]

    private func redirect(_ context: EmulatorContext, failure code: String) -> LoopbackResponse {
        redirect(context, [("code", code), ("error_detail", Self.details[code] ?? "undefined")])
    }

    private func redirect(_ context: EmulatorContext, _ fields: [(name: String, value: String?)]) -> LoopbackResponse {
        let callback = "\(context.configuration.naver.urlScheme)://thirdPartyLoginResult"
        return .json(["redirect": .string(AuthorizationRedirect.adding(fields, to: callback))])
    }
}
