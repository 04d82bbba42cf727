public import AuthStreams
package import Foundation

/// A user of the emulated server of the app.
public struct ServerAccount: Hashable, Sendable, Identifiable {
    /// The server's identifier, such as `user-1`.
    public let id: String
    /// The e-mail address.
    public internal(set) var email: String?
    /// Whether a provider has verified the address.
    public internal(set) var isEmailVerified = false
    /// The name to show.
    public internal(set) var displayName: String?
    /// The URL of a picture.
    public internal(set) var photoURL: String?
    /// The identities at providers.
    public internal(set) var identities: [AuthUser.LinkedProvider] = []
    /// The server's own claims.
    public internal(set) var claims: [String: AuthJSON] = [:]
    /// Whether the user may no longer sign in or refresh.
    package internal(set) var isDisabled = false
    /// Whether the user has no identity.
    public internal(set) var isAnonymous = false
    /// When the user was created.
    package let createdAt: Date

    init(id: String, now: Date) {
        self.id = id
        createdAt = now
    }
}

extension ServerAccount {
    /// Adds a provider's data without replacing known values.
    mutating func adopt(_ identity: VerifiedIdentity) {
        identities.removeAll { $0.id == identity.provider }
        isAnonymous = false
        identities.append(.init(id: identity.provider, userID: identity.userID, email: identity.email))
        displayName = displayName ?? identity.displayName
        photoURL = photoURL ?? identity.photoURL
        if email == nil {
            email = identity.email
            isEmailVerified = identity.isEmailVerified
        }
    }

    /// The user in the form of the contract.
    var json: AuthJSON {
        var members: [String: AuthJSON] = [
            "id": .string(id), "providers": .array(identities.map(Self.json)), "isAnonymous": .bool(isAnonymous),
            "claims": .object(claims),
        ]
        members.add("email", email)
        if email != nil { members["emailVerified"] = .bool(isEmailVerified) }
        members.add("displayName", displayName)
        members.add("photoURL", photoURL)
        return .object(members)
    }

    private static func json(_ identity: AuthUser.LinkedProvider) -> AuthJSON {
        var members: [String: AuthJSON] = ["id": .string(identity.id.rawValue)]
        members.add("userID", identity.userID)
        members.add("email", identity.email)
        return .object(members)
    }
}
