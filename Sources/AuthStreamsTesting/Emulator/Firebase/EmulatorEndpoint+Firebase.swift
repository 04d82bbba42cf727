extension EmulatorEndpoint {
    /// Where Identity Toolkit signs in with a provider's ID token.
    public static let signInWithIdP: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"
    /// Where Identity Toolkit signs in with a custom token.
    public static let signInWithCustomToken: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken"
    /// Where Identity Toolkit tells whose an ID token is.
    public static let accountLookup: Self = "identitytoolkit.googleapis.com/v1/accounts:lookup"
    /// Where Identity Toolkit deletes an account.
    public static let accountDeletion: Self = "identitytoolkit.googleapis.com/v1/accounts:delete"
    /// Where Secure Token refreshes a session.
    public static let secureToken: Self = "securetoken.googleapis.com/v1/token"
}

extension EmulatorConfiguration.Firebase {
    /// The function that turns a Kakao or Naver credential into a custom token, as a place to misbehave at.
    public var functionEndpoint: EmulatorEndpoint { EmulatorEndpoint(host: functionsHost, path: "/\(function)") }

    /// Its twin, which revokes, as a place to misbehave at.
    public var revocationEndpoint: EmulatorEndpoint {
        EmulatorEndpoint(host: functionsHost, path: "/\(revocationFunction)")
    }
}
