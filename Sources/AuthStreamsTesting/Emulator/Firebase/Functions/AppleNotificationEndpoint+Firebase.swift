import AuthStreams
import Foundation

extension AppleNotificationEndpoint {
    /// The project's function, which writes the custom claim `revokedAtProvider`. It ends the sessions of sign-ins before the
    /// change.
    init(host: String, accounts: Lock<FirebaseAccounts>) {
        self.init(hosts: [host], path: "/appleNotifications") { notification in
            accounts.withLock { $0.endAccess(by: notification) }
        }
    }
}

extension FirebaseAccounts {
    fileprivate mutating func endAccess(by notification: AppleNotification) {
        let apple = ProviderID.apple.rawValue
        guard let account = account(providerID: apple, rawID: notification.userID) else { return }
        _ = update(account.id) { account in
            // A notification that comes late does not move an earlier date back.
            account.revocations[apple] = max(notification.date, account.revocations[apple] ?? .distantPast)
        }
    }
}
