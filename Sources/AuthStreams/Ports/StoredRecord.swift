public import Foundation

/// A record of a ``SessionStore`` at one moment.
public struct StoredRecord: Hashable, Sendable {
    /// The bytes; `nil` if there is no record.
    public var data: Data?
    /// The version that a write names to replace this record.
    public var version: RecordVersion

    /// Makes a record.
    public init(data: Data?, version: RecordVersion) {
        self.data = data
        self.version = version
    }

    /// The maximum number of reads after refused writes. Each refusal means that another process wrote, so a store that
    /// refuses more often is broken.
    static let attempts = 100
}

extension StoredRecord: CustomStringConvertible, CustomReflectable {
    /// The version, without the bytes.
    public var description: String { "\(data == nil ? "no record" : "a record") of version \(version.rawValue)" }

    /// A mirror without children, because records hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The version of a record. Versions are ordered by their writes.
public struct RecordVersion: RawRepresentable, Hashable, Comparable, Sendable {
    /// Increases with every write and removal; 0 for a record that was never written.
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
