public import Foundation

/// A record of a ``SessionStore`` as it was at one moment.
public struct StoredRecord: Hashable, Sendable {
    /// The bytes; `nil` where there is no record.
    public var data: Data?
    /// The version to name in a write that replaces it.
    public var version: RecordVersion

    /// Describes a record.
    public init(data: Data?, version: RecordVersion) {
        self.data = data
        self.version = version
    }

    /// How often a record is read again after a refused write. Each refusal means that another process wrote, so a store that
    /// refuses more often than this is broken.
    static let attempts = 100
}

extension StoredRecord: CustomStringConvertible, CustomReflectable {
    /// The version, and nothing of the bytes.
    public var description: String { "\(data == nil ? "no record" : "a record") of version \(version.rawValue)" }

    /// A mirror without children, because records hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Tells the states of one record apart, in the order in which they were written.
public struct RecordVersion: RawRepresentable, Hashable, Comparable, Sendable {
    /// Grows with every write and removal; 0 for a record that was never written.
    public let rawValue: UInt64

    /// Makes a version.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The version of a record that was never written.
    public static let none = Self(rawValue: 0)

    /// The version that replaces this one.
    public var next: Self { Self(rawValue: rawValue &+ 1) }

    /// Whether one version was written before another.
    public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}

extension AuthError {
    static func recordIsBusy(_ key: SessionStoreKey) -> Self {
        AuthError(
            .storage,
            """
            The record '\(key.rawValue)' was refused \(StoredRecord.attempts) times, because it changed between reading and \
            writing. Check that the store accepts the version that its `read` returned last.
            """)
    }
}
