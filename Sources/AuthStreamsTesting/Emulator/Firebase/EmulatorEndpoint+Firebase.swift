extension EmulatorEndpoint {
    /// Identity Toolkit's sign-in with a provider's ID token.
    public static let signInWithIdP: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"
    /// Identity Toolkit's sign-in with a custom token.
    public static let signInWithCustomToken: Self = "identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken"
    /// Identity Toolkit's look-up of an ID token's user.
    public static let accountLookup: Self = "identitytoolkit.googleapis.com/v1/accounts:lookup"
    /// Identity Toolkit's creation of anonymous users.
    public static let anonymousSignUp: Self = "identitytoolkit.googleapis.com/v1/accounts:signUp"
    /// Identity Toolkit's change of an account, such as removing an identity.
    public static let accountUpdate: Self = "identitytoolkit.googleapis.com/v1/accounts:update"
    /// Identity Toolkit's revocation of Apple's tokens.
    public static let appleRevocation: Self = "identitytoolkit.googleapis.com/v2/accounts:revokeToken"
    /// Identity Toolkit's deletion of an account.
    public static let accountDeletion: Self = "identitytoolkit.googleapis.com/v1/accounts:delete"
    /// Secure Token's refresh of a session.
    public static let secureToken: Self = "securetoken.googleapis.com/v1/token"
}

extension EmulatorConfiguration.Firebase {
    /// The endpoint of the function that turns a Kakao or Naver credential into a custom token.
    public var functionEndpoint: EmulatorEndpoint { EmulatorEndpoint(host: functionsHost, path: "/\(function)") }

    /// The endpoint of the revocation function.
    public var revocationEndpoint: EmulatorEndpoint {
        EmulatorEndpoint(host: functionsHost, path: "/\(revocationFunction)")
    }

    /// The endpoint of the function that ends all sessions of its caller.
    public var sessionRevocationEndpoint: EmulatorEndpoint {
        EmulatorEndpoint(host: functionsHost, path: "/\(sessionRevocationFunction)")
    }
}
