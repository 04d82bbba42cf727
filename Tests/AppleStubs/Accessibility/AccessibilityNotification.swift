import AppleFoundation

// Not confirmed: that the initializer and `post()` have no isolation.

/// developer.apple.com/documentation/accessibility/accessibilitynotification
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public enum AccessibilityNotification {
    /// developer.apple.com/documentation/accessibility/accessibilitynotification/announcement
    public struct Announcement {
        private let text: String
        public init(_ announcement: String) { text = announcement }
        public func post() { AppleDevice.Accessibility.add(text) }
    }
}

extension AppleDevice {
    /// What VoiceOver was told.
    public enum Accessibility {
        private static let log: Locked<[String]> = {
            onReset { log.withLock { $0 = [] } }
            return Locked([])
        }()

        /// The announcements, the oldest first.
        public static var announcements: [String] { log.withLock { $0 } }

        static func add(_ announcement: String) { log.withLock { $0.append(announcement) } }
    }
}
