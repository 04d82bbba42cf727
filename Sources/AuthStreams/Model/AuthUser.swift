public import Foundation

/// A signed-in user, as the server describes them. Holds no token, so it may be shown, compared and logged.
public struct AuthUser: Hashable, Sendable, Codable, Identifiable {
    /// The server's identifier for the person (Firebase: the uid).
    public var id: String
    /// The e-mail address, if there is one.
    public var email: String?
    /// Whether the server has verified the e-mail address.
    public var isEmailVerified: Bool
    /// The name to show.
    public var displayName: String?
    /// The URL of a picture of the user.
    public var photoURL: URL?
    /// The identities linked to this user. Providers that this library does not know are kept as the server sent them.
    public var providers: [LinkedProvider]
    /// Whether this is a user without any identity.
    public var isAnonymous: Bool
    /// The server's own claims about the user.
    public var claims: [String: AuthJSON]

    /// Makes a user. Only the identifier is required.
    public init(
        id: String, email: String? = nil, isEmailVerified: Bool = false, displayName: String? = nil,
        photoURL: URL? = nil, providers: [LinkedProvider] = [], isAnonymous: Bool = false,
        claims: [String: AuthJSON] = [:]
    ) {
        self.id = id
        self.email = email
        self.isEmailVerified = isEmailVerified
        self.displayName = displayName
        self.photoURL = photoURL
        self.providers = providers
        self.isAnonymous = isAnonymous
        self.claims = claims
    }

    /// One identity of a user at a provider.
    public struct LinkedProvider: Hashable, Sendable, Codable {
        /// The provider.
        public var id: ProviderID
        /// The person's identifier there.
        public var userID: String?
        /// The e-mail address there.
        public var email: String?

        /// Makes a linked identity.
        public init(id: ProviderID, userID: String? = nil, email: String? = nil) {
            self.id = id
            self.userID = userID
            self.email = email
        }
    }
}
