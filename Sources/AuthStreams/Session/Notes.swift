import Foundation

/// What is remembered beside the session, in one record, so that a sign-in reads and writes it once.
///
/// Each part is a text of its own. One that cannot be decoded counts as absent. Parts that only a newer version of the library
/// knows stay.
struct Notes: Hashable, Sendable {
    /// The name of a part.
    enum Name: String {
        /// Profiles that a provider returns only once, until the server has them.
        case profiles
        /// A deletion of an account that is not known to be complete.
        case deletion
        /// The attempt that the person is away for.
        case attempt
        /// The method of the last sign-in.
        case lastSignIn
    }

    private var parts: [String: String]

    /// Reads a record. A damaged one has no parts.
    init(_ data: Data?) {
        parts = data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
    }

    var isEmpty: Bool { parts.isEmpty }

    /// The record; `nil` without parts.
    func data() throws(AuthError) -> Data? { parts.isEmpty ? nil : try Self.encode(parts) }

    /// What a part says; `nil` if there is none, or it cannot be decoded.
    func part<Content: Decodable>(_ name: Name, as: Content.Type = Content.self) -> Content? {
        parts[name.rawValue].flatMap { try? JSONDecoder().decode(Content.self, from: Data($0.utf8)) }
    }

    /// Replaces or removes a part.
    mutating func set<Content: Encodable>(_ name: Name, to content: Content?) throws(AuthError) {
        parts[name.rawValue] = try content.map { content throws(AuthError) in
            String(decoding: try Self.encode(content), as: UTF8.self)
        }
    }

    /// Changes a part.
    ///
    /// - Parameter change: Receives what the part says, `nil` if there is none or it cannot be decoded.
    mutating func change<Content: Codable>(_ name: Name, _ change: (inout Content?) -> Void) throws(AuthError) {
        var content: Content? = part(name)
        change(&content)
        try set(name, to: content)
    }

    mutating func remove(_ name: Name) { parts[name.rawValue] = nil }

    /// Whether a part says the same in other notes. Nothing is decoded.
    func agrees(with other: Notes, on name: Name) -> Bool { parts[name.rawValue] == other.parts[name.rawValue] }

    /// Removes what a user began, as it was in other notes: a sign-in or a sign-out takes its place. What was noted since stays.
    mutating func removeUnfinished(of earlier: Notes) {
        for name in [Name.deletion, .attempt] where agrees(with: earlier, on: name) { remove(name) }
    }

    private static func encode(_ content: some Encodable) throws(AuthError) -> Data {
        // Equal contents must encode to equal bytes, or every reading would write.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return try encoder.encode(content) } catch {
            throw AuthError(
                .storage, "The record '\(SessionStoreKey.notes.rawValue)' could not be encoded.", cause: error)
        }
    }
}

extension Notes: CustomReflectable {
    /// A mirror without children, because an attempt has secrets.
    var customMirror: Mirror { Mirror(self, children: []) }
}
