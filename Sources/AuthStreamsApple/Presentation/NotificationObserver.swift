import Foundation

/// Observes a notification that the system posts on the main thread, until it is released.
final class NotificationObserver: Sendable {
    // Unsafe: an opaque object, which is handed back from any thread as Apple's documentation allows.
    private nonisolated(unsafe) let token: any NSObjectProtocol

    /// - Parameters:
    ///   - name: The notification.
    ///   - sender: The object whose notifications are observed; any if `nil`.
    ///   - handler: Called on the main actor, within the notification.
    @MainActor
    init(_ name: Notification.Name, of sender: AnyObject, handler: @escaping @MainActor @Sendable () -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: sender, queue: nil) { _ in
            MainActor.assumeIsolated(handler)
        }
    }

    /// - Parameters:
    ///   - name: The notification, of any sender.
    ///   - handler: Called on the main actor, within the notification, with the identity of its sender.
    @MainActor
    init(_ name: Notification.Name, handler: @escaping @MainActor @Sendable (_ sender: ObjectIdentifier?) -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
            let sender = notification.object.map { ObjectIdentifier($0 as AnyObject) }
            MainActor.assumeIsolated { handler(sender) }
        }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
