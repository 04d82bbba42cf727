/// A token, code, verifier, nonce or password that shows nothing when printed, dumped or interpolated.
///
/// It is deliberately not `Codable`: whoever stores or sends a secret writes ``reveal()`` where a reviewer can see it.
public struct Secret: Sendable {
    private let value: String

    /// Wraps a secret value.
    public init(_ value: String) {
        self.value = value
    }

    /// Returns the secret itself. Each call is a place worth reviewing.
    public func reveal() -> String { value }

    /// Whether the secret is the empty string, which no server means as a token.
    public var isEmpty: Bool { value.isEmpty }

    /// The secret, unless it is the empty string.
    package var present: Secret? { isEmpty ? nil : self }
}

extension Secret: Hashable {
    /// Compares every byte whatever the first difference, so that timing tells nothing but the length.
    public static func == (left: Secret, right: Secret) -> Bool {
        let (a, b) = (left.value.utf8, right.value.utf8)
        guard a.count == b.count else { return false }
        return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Hashes the secret with the process's random seed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Array(value.utf8))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// A mirror without children, so `dump` and reflection find nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
