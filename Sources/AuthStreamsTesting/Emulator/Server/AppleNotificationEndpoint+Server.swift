import AuthStreams
import Foundation

extension AppleNotificationEndpoint {
    /// The endpoint of the app's own server.
    init(state: Lock<ServerState>) {
        self.init(hosts: [EmulatorConfiguration.Server.host], path: "/auth/apple/notifications") { notification in
            state.withLock { $0.endAccess(by: notification) }
        }
    }
}

extension ServerState {
    /// A notification may come late or twice. So it ends the sessions that began before the change, and no later one.
    fileprivate mutating func endAccess(by notification: AppleNotification) {
        guard let owner = accounts.owner(of: notification.userID, at: .apple) else { return }
        // Its time has whole milliseconds, so a session that began within this one may be older.
        sessions.endAll(of: owner.id, from: .apple, until: notification.date + 0.001, .revokedAtProvider)
        guard notification.event.isDeletion else { return }
        _ = accounts.update(owner.id) { account in account.identities.removeAll { $0.id == .apple } }
    }
}
