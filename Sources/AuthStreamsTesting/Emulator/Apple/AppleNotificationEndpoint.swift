import AuthStreams
import LoopbackHTTP

/// An endpoint of an app's server that Apple reports changes of accounts to.
struct AppleNotificationEndpoint: EmulatorService {
    let hosts: [String]
    let path: String
    /// What the server does when the app may no longer use an account.
    let endAccess: @Sendable (AppleNotification) -> Void

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == path else { return nil }
        return request.taking("POST") {
            guard let notification = try? AppleNotification(request, in: context) else {
                return LoopbackResponse(status: 400)
            }
            if notification.event.endsAccess { endAccess(notification) }
            // Anything else would be sent again.
            return LoopbackResponse(status: 200)
        }
    }
}
