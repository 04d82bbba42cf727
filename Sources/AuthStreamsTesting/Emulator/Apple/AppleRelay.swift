import LoopbackHTTP

/// The page on an app's own server to which Apple posts its answer, and which redirects it to the app.
///
/// Apple posts if any scope was requested, and an app cannot receive a POST. The configuration fixes the redirect's
/// target; a relay that took it from the request would be an open redirector.
struct AppleRelay: EmulatorService {
    var hosts: [String] { ["apple-relay.example"] }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/callback" else { return nil }
        return request.taking("POST") {
            let error = request.requestedError ?? request.form["error"]
            let names = error == nil ? ["code", "id_token", "state", "user"] : ["state"]
            let fields = names.map { (name: $0, value: request.form[$0]) }
            return .redirect(
                to: AuthorizationRedirect.adding(
                    [("error", error)] + fields, to: context.configuration.apple.relayCallback))
        }
    }
}
