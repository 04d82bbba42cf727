extension EmulatorEndpoint {
    /// Where Identity Toolkit signs in with a provider's ID token.
    public static let signInWithIdP: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"
    /// Where Identity Toolkit signs in with a custom token.
    public static let signInWithCustomToken: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken"
    /// Where Identity Toolkit tells whose an ID token is.
    public static let accountLookup: Self = "identitytoolkit.googleapis.com/v1/accounts:lookup"
    /// Where Identity Toolkit makes anonymous users.
    public static let anonymousSignUp: Self = "identitytoolkit.googleapis.com/v1/accounts:signUp"
    /// Where Identity Toolkit changes an account: takes an identity from it.
    public static let accountUpdate: Self = "identitytoolkit.googleapis.com/v1/accounts:update"
    /// Where Identity Toolkit ends at Apple what a sign-in began there.
    public static let appleRevocation: Self = "identitytoolkit.googleapis.com/v2/accounts:revokeToken"
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

    /// The function that ends all sessions of its caller, as a place to misbehave at.
    public var sessionRevocationEndpoint: EmulatorEndpoint {
        EmulatorEndpoint(host: functionsHost, path: "/\(sessionRevocationFunction)")
    }
}
