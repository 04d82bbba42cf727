import AuthStreams
import Foundation
import LoopbackHTTP

/// The project's function that Apple reports changes of accounts to.
///
/// It writes the custom claim `revokedAtProvider`, which ends the sessions of sign-ins before the change.
struct AppleNotifications: EmulatorService {
    let hosts: [String]
    let accounts: Lock<FirebaseAccounts>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/appleNotifications" else { return nil }
        return request.taking("POST") {
            guard let notification = try? AppleNotification(request, in: context) else {
                return LoopbackResponse(status: 400)
            }
            accounts.withLock { $0.note(notification) }
            return LoopbackResponse(status: 200)
        }
    }
}

extension FirebaseAccounts {
    fileprivate mutating func note(_ notification: AppleNotification) {
        let apple = ProviderID.apple.rawValue
        guard notification.event.endsAccess,
            let account = account(providerID: apple, rawID: notification.userID)
        else { return }
        _ = update(account.id) { account in
            // A notification that comes late does not move an earlier date back.
            account.revocations[apple] = max(notification.date, account.revocations[apple] ?? .distantPast)
        }
    }
}
