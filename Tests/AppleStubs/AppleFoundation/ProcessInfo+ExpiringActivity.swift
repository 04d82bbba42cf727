public import Foundation

extension ProcessInfo {
    /// developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)
    @available(iOS 8.2, tvOS 9.0, watchOS 2.0, *)
    @available(macOS, unavailable)
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        AppleDevice.perform(ExpiringActivity(reason: reason, block: block))
    }
}

/// An activity of `performExpiringActivity` that runs.
private final class ExpiringActivity: Sendable {
    let reason: String
    let block: @Sendable (Bool) -> Void

    init(reason: String, block: @escaping @Sendable (Bool) -> Void) {
        self.reason = reason
        self.block = block
    }
}

extension AppleDevice {
    private struct Activities {
        var running: [ExpiringActivity] = []
        var delayed: [ExpiringActivity] = []
        var areRefused = false
        var areDelayed = false
    }

    private static let activities: Locked<Activities> = {
        let activities = Locked(Activities())
        onReset { activities.withLock { $0 = Activities() } }
        return activities
    }()

    /// Whether the system has no time to give: a block is then called once, with `true`.
    public static var refusesExpiringActivities: Bool {
        get { activities.withLock { $0.areRefused } }
        set { activities.withLock { $0.areRefused = newValue } }
    }

    /// Whether the system calls no block until ``grantDelayedActivities()``. Apple does not document when it calls one.
    public static var delaysExpiringActivities: Bool {
        get { activities.withLock { $0.areDelayed } }
        set { activities.withLock { $0.areDelayed = newValue } }
    }

    /// The reasons of the activities whose blocks have not been called.
    public static var delayedActivities: [String] { activities.withLock { $0.delayed.map(\.reason) } }

    /// Calls the blocks that were delayed.
    public static func grantDelayedActivities() {
        let delayed = activities.withLock { activities in
            activities.areDelayed = false
            defer { activities.delayed = [] }
            return activities.delayed
        }
        for activity in delayed { perform(activity) }
    }

    /// The reasons of the activities whose blocks have not returned.
    public static var expiringActivities: [String] { activities.withLock { $0.running.map(\.reason) } }

    /// The process is about to be suspended: calls every running block a second time, with `true`, and returns when
    /// these calls have.
    public static func expireActivities() {
        for activity in activities.withLock({ $0.running }) { activity.block(true) }
    }

    fileprivate static func perform(_ activity: ExpiringActivity) {
        let isRefused: Bool? = activities.withLock { activities in
            if activities.areDelayed {
                activities.delayed.append(activity)
                return nil
            }
            if !activities.areRefused { activities.running.append(activity) }
            return activities.areRefused
        }
        guard let isRefused else { return }
        // A thread of its own: the block may wait for long, and Linux's queues have few threads.
        Thread.detachNewThread {
            activity.block(isRefused)
            activities.withLock { $0.running.removeAll { $0 === activity } }
        }
    }
}
