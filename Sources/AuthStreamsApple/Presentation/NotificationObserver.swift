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
    init(_ name: Notification.Name, of sender: AnyObject? = nil, handler: @escaping @MainActor @Sendable () -> Void) {
        token = NotificationCenter.default.addObserver(forName: name, object: sender, queue: nil) { _ in
            MainActor.assumeIsolated(handler)
        }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
