public import Foundation

/// The changes of a user's profile. What is `nil` stays as it is.
///
/// ```swift
/// ProfileChanges(displayName: .set("Minji"), photoURL: .remove)
/// ```
public struct ProfileChanges: Hashable, Sendable {
    /// The change of one value.
    public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The value becomes this one.
        case set(Value)
        /// The user has no such value any more.
        case remove

        /// The next value; `nil` if it is removed.
        public var value: Value? {
            switch self {
            case .set(let value): value
            case .remove: nil
            }
        }
    }

    /// The change of ``AuthUser/displayName``.
    public var displayName: Change<String>?
    /// The change of ``AuthUser/photoURL``.
    public var photoURL: Change<URL>?

    /// Describes the changes.
    public init(displayName: Change<String>? = nil, photoURL: Change<URL>? = nil) {
        self.displayName = displayName
        self.photoURL = photoURL
    }

    /// Whether nothing is to change.
    package var isEmpty: Bool { displayName == nil && photoURL == nil }
}
