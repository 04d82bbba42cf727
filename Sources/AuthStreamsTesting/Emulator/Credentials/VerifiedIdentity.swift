import AuthStreams

/// Who a person is at a provider, once a server is certain that the credential was made for its app.
struct VerifiedIdentity {
    let provider: ProviderID
    /// The provider's identifier of the person.
    let userID: String
    var email: String?
    /// Whether the provider vouches for the address. Naver never does.
    var isEmailVerified = false
    var displayName: String?
    var photoURL: String?
}

extension VerifiedIdentity {
    /// What the claims of an ID token that holds say.
    init(_ claims: [String: JSONValue], from provider: ProviderID) {
        self.init(provider: provider, userID: claims["sub"]?.string ?? "")
        email = claims["email"]?.string
        isEmailVerified = claims["email_verified"]?.lenientBool ?? false
        displayName = claims["name"]?.string ?? claims["nickname"]?.string
        photoURL = claims["picture"]?.string
    }
}
