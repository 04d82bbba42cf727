import AppleFoundation
public import Foundation

// Not confirmed: that the initializer and `post()` have no isolation.

/// developer.apple.com/documentation/accessibility/accessibilitynotification
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
public enum AccessibilityNotification {
    /// developer.apple.com/documentation/accessibility/accessibilitynotification/announcement
    public struct Announcement {
        private let announcement: AttributedString
        public init(_ announcement: String) { self.announcement = AttributedString(announcement) }
        public init(_ announcement: AttributedString) { self.announcement = announcement }
        public func post() { AppleDevice.Accessibility.add(announcement) }
    }
}

extension AttributeScopes {
    /// developer.apple.com/documentation/foundation/attributescopes/accessibilityattributes
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public struct AccessibilityAttributes {
        /// …/accessibilityspeechannouncementpriority
        @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
        public let accessibilitySpeechAnnouncementPriority: AnnouncementPriorityAttribute

        /// …/announcementpriorityattribute. Not confirmed: the name.
        @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
        public enum AnnouncementPriorityAttribute: AttributedStringKey {
            public typealias Value = AnnouncementPriority
            public static let name = "UIAccessibilitySpeechAttributeAnnouncementPriority"

            /// …/announcementpriorityattribute/announcementpriority
            public enum AnnouncementPriority: Hashable, Sendable { case `default`, high, low }
        }
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension AttributeDynamicLookup {
    /// developer.apple.com/documentation/foundation/attributedynamiclookup
    public subscript<T: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.AccessibilityAttributes, T>
    ) -> T { self[T.self] }
}

extension AppleDevice {
    /// What VoiceOver was told.
    public enum Accessibility {
        private static let log: Locked<[AttributedString]> = {
            onReset { log.withLock { $0 = [] } }
            return Locked([])
        }()

        /// The announcements, the oldest first.
        public static var announcements: [String] { attributed.map { String($0.characters) } }

        /// The same with their attributes.
        public static var attributed: [AttributedString] { log.withLock { $0 } }

        static func add(_ announcement: AttributedString) { log.withLock { $0.append(announcement) } }
    }
}
