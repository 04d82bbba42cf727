public import Foundation

/// A passkey of the user, as the server lists it.
public struct Passkey: Hashable, Sendable, Identifiable {
    /// The server's identifier of the passkey: by the documented contract its credential identifier in Base64URL.
    public let id: String
    /// The name that the server gives it, such as that of the password manager; `nil` if it gives none.
    public let name: String?
    /// When it was made; `nil` if the server does not say.
    public let createdAt: Date?
    /// When it last signed in; `nil` if it never did, or the server does not say.
    public let lastUsedAt: Date?

    /// Makes a passkey.
    public init(id: String, name: String? = nil, createdAt: Date? = nil, lastUsedAt: Date? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}
