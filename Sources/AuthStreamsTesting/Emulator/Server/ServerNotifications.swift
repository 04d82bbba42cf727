import AuthStreams
import Foundation
import LoopbackHTTP

/// What the app's own server does when Apple reports a change of an account.
///
/// A notification may come late or twice. So it ends the sessions that began before the change, and no later one.
struct ServerNotifications: EmulatorService {
    let hosts = [EmulatorConfiguration.Server.host]
    let state: Lock<ServerState>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/auth/apple/notifications" else { return nil }
        return request.taking("POST") {
            guard let notification = try? AppleNotification(request, in: context) else {
                return LoopbackResponse(status: 400)
            }
            state.withLock { $0.note(notification) }
            // Anything else would be sent again.
            return LoopbackResponse(status: 200)
        }
    }
}

extension ServerState {
    fileprivate mutating func note(_ notification: AppleNotification) {
        guard notification.event.endsAccess,
            let owner = accounts.owner(of: notification.userID, at: .apple)
        else { return }
        // Its time has whole milliseconds, so a session that began within this one may be older.
        sessions.endAll(of: owner.id, from: .apple, until: notification.date + 0.001, .revokedAtProvider)
        guard notification.event.isDeletion else { return }
        _ = accounts.update(owner.id) { account in account.identities.removeAll { $0.id == .apple } }
    }
}
