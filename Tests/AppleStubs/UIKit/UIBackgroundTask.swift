import Foundation

/// developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let invalid = Self(rawValue: 0)
}

@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIApplication {
    /// developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)
    @available(iOS 7.0, tvOS 9.0, *)
    nonisolated public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        AppleDevice.App.begin(handler)
    }

    /// developer.apple.com/documentation/uikit/uiapplication/endbackgroundtask(_:)
    @available(iOS 4.0, tvOS 9.0, *)
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        AppleDevice.App.end(identifier)
    }
}

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension AppleDevice.App {
    private struct Tasks {
        var last = 0
        var running: [UIBackgroundTaskIdentifier: (@MainActor @Sendable () -> Void)?] = [:]
        var areRefused = false
    }

    nonisolated private static let tasks: Locked<Tasks> = {
        let tasks = Locked(Tasks())
        AppleDevice.onReset { tasks.withLock { $0 = Tasks() } }
        return tasks
    }()

    /// Whether the system lets no background task begin: `beginBackgroundTask` answers `.invalid`.
    nonisolated public static var refusesBackgroundTasks: Bool {
        get { tasks.withLock { $0.areRefused } }
        set { tasks.withLock { $0.areRefused = newValue } }
    }

    /// How many background tasks have begun and not ended. The system ends an app that leaves one.
    nonisolated public static var backgroundTasks: Int { tasks.withLock { $0.running.count } }

    /// The time in the background runs out: calls the expiration handlers.
    public static func expireBackgroundTasks() {
        for handler in tasks.withLock({ Array($0.running.values) }) { handler?() }
    }

    nonisolated fileprivate static func begin(
        _ handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier {
        tasks.withLock { tasks in
            guard !tasks.areRefused else { return .invalid }
            tasks.last += 1
            let identifier = UIBackgroundTaskIdentifier(rawValue: tasks.last)
            tasks.running[identifier] = .some(handler)
            return identifier
        }
    }

    nonisolated fileprivate static func end(_ identifier: UIBackgroundTaskIdentifier) {
        tasks.withLock { _ = $0.running.removeValue(forKey: identifier) }
    }
}
