extension ServerContract {
    /// The names in the body of a sign-in. A member with the name `nil` is never sent.
    ///
    /// A member is sent only if the credential has it. If two members have the same name, the one further up here is
    /// sent. Here and in the other names, a dot leads into an object: `device.id` is `{"device": {"id": …}}`.
    public struct CredentialNames: Equatable, Sendable {
        /// The provider's name, such as `apple.com`; see ``ServerContract/providerNames``.
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
        /// The person's identifier at the provider, as the app read it. It proves nothing.
        public var userID: String? = "userID"
        /// The object with the profile that the provider returns only once.
        public var profile: String? = "profile"
        /// The given name in it.
        public var givenName: String? = "givenName"
        /// The family name in it.
        public var familyName: String? = "familyName"
        /// The e-mail address in it. It is unsigned and proves nothing.
        public var email: String? = "email"

        /// Makes the documented names.
        public init() {}
    }

    /// The names in an answer with a session. With a ``ServerContract/envelope``, they are those of its payload.
    public struct SessionNames: Equatable, Sendable {
        /// The token that authorizes requests. Required, except in the answer to a change of the session.
        public var accessToken: TokenPlace = "accessToken"
        /// The token that gets the next access token.
        public var refreshToken: TokenPlace = "refreshToken"
        /// The access token's lifetime in seconds.
        public var expiresIn = "expiresIn"
        /// The user; an empty path if the user's members stand beside the tokens.
        ///
        /// Required in the answer to a link, to an unlink, and to a re-authentication with tokens. After a sign-in
        /// without a user, ``ServerContract/reload`` is called.
        public var user = "user"
        /// The user in the answer to a reload and to a profile change; unless given, as in other answers.
        public var reloadedUser: String?
        /// Whether the server created the user with this sign-in.
        public var isNewUser = "isNewUser"
        /// The provider of the original sign-in, for adopted sessions.
        public var provider = "provider"

        /// Makes the documented names.
        public init() {}
    }

    /// The names in the user of a session.
    public struct UserNames: Equatable, Sendable {
        /// The server's identifier for the person, a string or a whole number. Required.
        public var id = "id"
        /// The e-mail address.
        public var email = "email"
        /// Whether the server has verified the address.
        public var emailVerified = "emailVerified"
        /// The name to show.
        public var displayName = "displayName"
        /// The URL of a picture.
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
    public struct ConflictNames: Equatable, Sendable {
        /// The e-mail address that both accounts have.
        public var email = "email"
        /// The identifiers of the providers with which the other account signs in, an array of strings.
        public var providers = "providers"

        /// Makes the documented names.
        public init() {}
    }
}
