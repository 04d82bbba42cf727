public import AuthStreams
package import Foundation

/// A user of the emulated Firebase project, as its console shows one.
public struct FirebaseAccount: Hashable, Sendable, Identifiable {
    /// The uid.
    public let id: String
    /// The e-mail address.
    public internal(set) var email: String?
    /// Whether a provider has verified the address.
    public internal(set) var isEmailVerified = false
    /// The name to show.
    public internal(set) var displayName: String?
    /// The URL of a picture.
    public internal(set) var photoURL: String?
    /// The identities at other providers. Empty for a user of custom tokens.
    public internal(set) var identities: [Identity] = []
    /// The identities that the function has linked, by provider: those that Firebase itself does not know.
    public internal(set) var functionIdentities: [String: String] = [:] {
        didSet { functionClaims["identities"] = .object(functionIdentities.mapValues(AuthJSON.string)) }
    }
    /// When the person withdrew the app's access at a provider, as the provider has told a function.
    package internal(set) var revocations: [String: Date] = [:] {
        didSet { functionClaims["revokedAtProvider"] = .object(revocations.mapValues(AuthJSON.seconds)) }
    }
    /// The custom claims that functions have written.
    private var functionClaims: [String: AuthJSON] = [:]
    /// The custom claims that an Admin SDK has written.
    var customClaims: [String: AuthJSON] = [:]
    /// All custom claims.
    var claims: [String: AuthJSON] { functionClaims.merging(customClaims) { $1 } }
    /// Whether a custom token created the user.
    package internal(set) var isCustom = false
    /// Whether the user may no longer sign in or refresh.
    package internal(set) var isDisabled = false
    /// The password; `nil` for none.
    package internal(set) var password: Secret?
    /// Whether the user has signed in by a mail link.
    package internal(set) var signsInByMailLink = false
    /// The authenticator apps that the user has enrolled: one at most, as at Firebase.
    public internal(set) var secondFactors: [SecondFactor] = []
    /// When the user was created.
    package let createdAt: Date
    /// Tells the user from another one who is made with the same uid after a deletion.
    let creation = UUID()
    /// When the user last signed in.
    package internal(set) var lastSignInAt: Date
    /// When the user last got an ID token.
    package internal(set) var lastRefreshAt: Date
    /// Tokens of sign-ins before this date are invalid.
    package internal(set) var validSince: Date

    /// Whether the user has no identity, and so can only continue the session.
    public var isAnonymous: Bool {
        identities.isEmpty && functionIdentities.isEmpty && !isCustom && email == nil
    }

    init(id: String, now: Date) {
        self.id = id
        createdAt = now
        lastSignInAt = now
        lastRefreshAt = now
        validSince = now
    }

    /// Whether the user has Firebase's provider `password`: a password, or mail links.
    var hasEmailProvider: Bool { password != nil || signsInByMailLink }

    /// An authenticator app.
    public struct SecondFactor: Hashable, Sendable, Identifiable {
        /// The identifier of the enrollment.
        public let id: String
        /// The name that the person gave it.
        public let name: String
        /// The secret in Base32, which an ``AuthenticatorApp`` takes.
        public let secret: Secret
        let enrolledAt: Date
        /// The step of the last code that was accepted.
        var lastStep: Int64?

        var app: AuthenticatorApp? { AuthenticatorApp(secret: secret) }
    }

    /// One provider's data about the user.
    public struct Identity: Hashable, Sendable {
        /// The provider, such as `google.com`.
        public let providerID: String
        /// The person's identifier there, the ID token's `sub`.
        package let rawID: String
        /// The identifier as Firebase writes it: a URL for Google.
        package var federatedID: String {
            providerID == "google.com" ? "https://accounts.google.com/\(rawID)" : rawID
        }
        /// The e-mail address there.
        package internal(set) var email: String?
        /// Whether the provider has verified the address.
        package internal(set) var isEmailVerified = false
        /// The name there.
        package internal(set) var displayName: String?
        /// The picture there.
        package internal(set) var photoURL: String?
    }
}
