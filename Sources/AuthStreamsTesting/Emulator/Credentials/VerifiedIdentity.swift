import AuthStreams

/// A person's identity at a provider, verified for the server's app.
struct VerifiedIdentity {
    let provider: ProviderID
    /// The provider's identifier of the person.
    let userID: String
    var email: String?
    /// Whether the provider has verified the address. Naver never does.
    var isEmailVerified = false
    var displayName: String?
    var photoURL: String?
}

extension VerifiedIdentity {
    /// Reads the claims of a valid ID token.
    init(_ claims: [String: AuthJSON], from provider: ProviderID) {
        self.init(provider: provider, userID: claims["sub"]?.string ?? "")
        email = claims["email"]?.string
        isEmailVerified = claims["email_verified"]?.lenientBool ?? false
        displayName = claims["name"]?.string ?? claims["nickname"]?.string
        photoURL = claims["picture"]?.string
    }
}
