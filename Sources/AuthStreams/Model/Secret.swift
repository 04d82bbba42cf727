/// A token, code, verifier, nonce or password that shows nothing when printed, dumped or interpolated.
///
/// It is deliberately not `Codable`: code that stores or sends a secret calls ``reveal()``, which a reviewer can see.
public struct Secret: Sendable {
    private let value: String

    /// Wraps a secret value.
    public init(_ value: String) {
        self.value = value
    }

    /// Returns the secret itself. Review each call.
    public func reveal() -> String { value }

    /// Whether the secret is the empty string, which is never a token.
    public var isEmpty: Bool { value.isEmpty }

    /// The secret, unless it is the empty string.
    package var present: Secret? { isEmpty ? nil : self }
}

extension Secret: Hashable {
    /// Compares every byte, so that the duration depends on the length only.
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

extension Secret: DescriptionOnly {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }
}
