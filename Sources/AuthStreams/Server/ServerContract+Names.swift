extension ServerContract {
    /// The names in the body of a sign-in, where `nil` is for what is never sent.
    ///
    /// A member is there only when the credential has it. Where two have one name, the one further up here is sent.
    public struct CredentialNames: Hashable, Sendable {
        /// The provider's identifier, such as `apple.com`.
        public var provider: String? = "provider"
        /// The OpenID Connect ID token.
        public var idToken: String? = "idToken"
        /// The nonce before any hashing.
        public var nonce: String? = "nonce"
        /// The provider's access token.
        public var accessToken: String? = "accessToken"
        /// The authorization code.
        public var code: String? = "code"
        /// The `state` of the request that led to the code.
        public var state: String? = "state"
        /// The redirect URI of that request.
        public var redirectURI: String? = "redirectURI"
        /// The PKCE verifier of that request.
        public var codeVerifier: String? = "codeVerifier"
        /// The code that the provider made for the server alone.
        public var serverAuthCode: String? = "serverAuthCode"
        /// The person's identifier at the provider, as the app read it: no proof of anything.
        public var userID: String? = "userID"
        /// The object with what the provider tells once.
        public var profile: String? = "profile"
        /// The given name in it.
        public var givenName: String? = "givenName"
        /// The family name in it.
        public var familyName: String? = "familyName"
        /// The e-mail address in it: unsigned, so no proof of anything.
        public var email: String? = "email"

        /// Makes the documented names.
        public init() {}
    }

    /// The names in an answer with a session.
    public struct SessionNames: Hashable, Sendable {
        /// The token that authorizes requests. Required, except in the answer to a change of the session.
        public var accessToken = "accessToken"
        /// The token that gets the next access token.
        public var refreshToken = "refreshToken"
        /// The access token's lifetime in seconds.
        public var expiresIn = "expiresIn"
        /// The user. Required, except in the answer to a refresh, and to a re-authentication without tokens.
        public var user = "user"
        /// Whether the user was made just now.
        public var isNewUser = "isNewUser"
        /// The provider that the session began with, for sessions that another SDK left.
        public var provider = "provider"

        /// Makes the documented names.
        public init() {}
    }

    /// The names in the user of a session.
    public struct UserNames: Hashable, Sendable {
        /// The server's identifier for the person, a string. Required.
        public var id = "id"
        /// The e-mail address.
        public var email = "email"
        /// Whether the server vouches for the address.
        public var emailVerified = "emailVerified"
        /// The name to show.
        public var displayName = "displayName"
        /// Where a picture is.
        public var photoURL = "photoURL"
        /// The linked identities: objects with ``providerID``, ``providerUserID`` and ``providerEmail``.
        public var providers = "providers"
        /// Whether the user has no identity yet.
        public var isAnonymous = "isAnonymous"
        /// The server's own claims, an object.
        public var claims = "claims"
        /// The provider's identifier in a linked identity.
        public var providerID = "id"
        /// The person's identifier there.
        public var providerUserID = "userID"
        /// The e-mail address there.
        public var providerEmail = "email"

        /// Makes the documented names.
        public init() {}
    }

    /// The names of the extension members (RFC 9457 section 3.2) of `account-exists` and `credential-in-use`.
    public struct ConflictNames: Hashable, Sendable {
        /// The e-mail address that both accounts have.
        public var email = "email"
        /// The identifiers of the providers with which the other account signs in, an array of strings.
        public var providers = "providers"

        /// Makes the documented names.
        public init() {}
    }
}
