/// The names of your server's API: its paths, the members of its JSON and its own problem types.
///
/// The defaults are the documented contract, see <doc:YourServer>. Change the parts in which an existing server
/// differs:
///
/// ```swift
/// var contract = ServerContract()
/// contract.signIn.path = "v2/login/social"
/// contract.signOut = nil
/// contract.session.accessToken = "access_token"
/// contract.problems["account-locked"] = .userDisabled
/// ```
public struct ServerContract: Equatable, Sendable {
    /// One endpoint of the server.
    public struct Endpoint: Equatable, Sendable {
        /// The method.
        public var method: AuthHTTPRequest.Method
        /// The path below the server's base URL, and its query, such as `auth/login/?client=ios`. A leading slash makes
        /// no difference; every other one is sent as it is written, also at the end.
        ///
        /// Percent-encoded characters stay as they are, and characters that a URL cannot have are percent-encoded. A
        /// fragment (`#`), a component `.` or `..`, a `%` that encodes nothing, and a whole URL cannot be sent: the call
        /// then throws `misconfigured` before any request.
        ///
        /// `{provider}` in it stands for the provider's name (``ServerContract/providerNames``), at the endpoints that
        /// take a credential and at ``ServerContract/unlink``. The body then does not name the provider. The name is one
        /// component of the path, or one value of the query.
        public var path: String

        /// Makes an endpoint.
        public init(_ method: AuthHTTPRequest.Method, _ path: String) {
            self.method = method
            self.path = path
        }
    }

    /// Turns a credential into a session: `POST auth/sign-in`.
    public var signIn = Endpoint(.post, "auth/sign-in")
    /// Turns a refresh token into the next session: `POST auth/refresh`.
    public var refresh = Endpoint(.post, "auth/refresh")
    /// What happens to a refresh token when it is used. Set `reusable` only if the server accepts the same one any
    /// number of times.
    public var refreshTokenRule = RefreshTokenRule.singleUse
    /// Ends a session: `POST auth/sign-out`; `nil` if the server need not be told.
    public var signOut: Endpoint? = Endpoint(.post, "auth/sign-out")
    /// Deletes the account: `DELETE auth/account`.
    public var deleteAccount = Endpoint(.delete, "auth/account")

    // MARK: What a server need not have

    /// Ends every session of the user: `POST auth/sign-out-everywhere`. Here and below, `nil` means that the server has
    /// no such endpoint; the call then throws `unsupportedProvider` before any request.
    public var signOutEverywhere: Endpoint? = Endpoint(.post, "auth/sign-out-everywhere")
    /// Makes a user without any identity: `POST auth/anonymous`.
    public var signInAnonymously: Endpoint? = Endpoint(.post, "auth/anonymous")
    /// Adds an identity to the user: `POST auth/links`.
    public var link: Endpoint? = Endpoint(.post, "auth/links")
    /// Removes an identity from the user: `DELETE auth/links/{provider}`.
    ///
    /// If the path does not contain `{provider}`, the provider is named in the body, as in that of a sign-in.
    public var unlink: Endpoint? = Endpoint(.delete, "auth/links/{provider}")
    /// Returns the user as the server has them now: `GET auth/user`.
    ///
    /// It is also called after a sign-in, an adoption or a profile change whose answer has no user.
    public var reload: Endpoint? = Endpoint(.get, "auth/user")
    /// Changes the user's name and picture: `PATCH auth/user`.
    public var updateProfile: Endpoint? = Endpoint(.patch, "auth/user")
    /// Makes the sign-in recent again: `POST auth/reauthenticate`.
    public var reauthenticate: Endpoint? = Endpoint(.post, "auth/reauthenticate")
    /// Withdraws the app's access at the provider: `POST auth/revoke-access`.
    public var revokeAccess: Endpoint? = Endpoint(.post, "auth/revoke-access")
    /// The providers at which the server can withdraw access.
    public var revocableProviders: Set<ProviderID> = [.apple, .google, .kakao, .naver]
    /// Takes the person's answer to a challenge: `POST auth/challenge`. With `nil` a challenge ends its attempt.
    public var challengeAnswer: Endpoint? = Endpoint(.post, "auth/challenge")

    // MARK: What a server has only if it is named

    /// Signs in by an e-mail address and a password: `POST auth/password`. Here and below, ``init(offering:)`` names the
    /// documented path.
    public var passwordSignIn: Endpoint?
    /// Makes an account: `POST auth/sign-up`.
    public var signUp: Endpoint?
    /// Sends a mail for a new password: `POST auth/password/reset`.
    public var passwordReset: Endpoint?
    /// Changes or sets the user's password: `PUT auth/password`.
    public var passwordChange: Endpoint?
    /// Sends a mail by which the person confirms their address: `POST auth/email-verification`.
    public var emailVerification: Endpoint?
    /// Sends a code to an address, and answers with the challenge for it: `POST auth/code`.
    public var code: Endpoint?
    /// Sends a mail with a link for signing in: `POST auth/email-link`. The link's code is then sent to ``signIn``.
    public var emailLink: Endpoint?
    /// Lists the user's second factors: `GET auth/factors`.
    public var secondFactors: Endpoint?
    /// Adds an authenticator app, and answers with the challenge for its first code: `POST auth/factors`.
    public var enrollSecondFactor: Endpoint?
    /// Removes a second factor: `DELETE auth/factors/{factor}`. If the path does not contain `{factor}`, the factor is named in the
    /// body.
    public var removeSecondFactor: Endpoint?

    /// Sends the options of a sign-in by a passkey, or of a re-authentication: `POST auth/passkeys/sign-in/options`.
    public var passkeySignInOptions: Endpoint?
    /// Verifies the answer of a passkey, and signs in: `POST auth/passkeys/sign-in/verify`. That to a re-authentication is sent to
    /// ``reauthenticate``.
    public var passkeySignIn: Endpoint?
    /// Sends the options of a new passkey for the user: `POST auth/passkeys/registration/options`.
    public var passkeyRegistrationOptions: Endpoint?
    /// Verifies a new passkey, and adds it to the user: `POST auth/passkeys/registration/verify`.
    public var passkeyRegistration: Endpoint?
    /// Lists the user's passkeys: `GET auth/passkeys`.
    public var passkeys: Endpoint?
    /// Removes a passkey: `DELETE auth/passkeys/{passkey}`. If the path does not contain `{passkey}`, the passkey is named in the
    /// body.
    public var removePasskey: Endpoint?

    // MARK: Names

    /// The object around each answer, such as `{"code": "0000", "data": {…}}`; `nil` if there is none.
    public var envelope: Envelope?
    /// The server's names of providers, in paths, requests and answers, such as `[.apple: "apple", .kakao: "KAKAO"]`. A
    /// provider that is not listed has its raw value. In answers the case of letters makes no difference.
    public var providerNames: [ProviderID: String] = [:]
    /// The names in the body of a sign-in.
    public var credential = CredentialNames()
    /// The names in an answer with a session.
    public var session = SessionNames()
    /// The places of the tokens in the requests of a refresh and a sign-out.
    public var refreshRequest = RefreshNames()
    /// The names in the user of a session.
    public var user = UserNames()
    /// The names of a problem's members about a conflict of accounts.
    public var conflict = ConflictNames()
    /// The names in a challenge, and in the person's answer to it.
    public var challenge = ChallengeNames()
    /// The names in the requests and answers about passkeys.
    public var passkey = PasskeyNames()
    /// The further steps that the server writes without a challenge, such as a sign-up in two steps.
    public var steps: [Step] = []

    /// The meaning of your server's own problem types, by the last part of the type: `account-locked` for
    /// `https://api.example.com/problems/account-locked`.
    ///
    /// They take precedence over the contract's own. Use `userNotFound`, `userDisabled` or `sessionExpired` only for a
    /// terminal rejection by the server, since those end a session.
    public var problems: [String: AuthError.Code] = [:]

    /// The answers to a refresh that end the session, beside the problem types that do: `[401, "E1203"]`.
    ///
    /// A web page ends none, because an intermediary may have sent it, and neither does 429. List a status only if no
    /// intermediary between the app and the server answers with it.
    public var refreshRefusals: [ServerRefusal] = []
    /// The answers that refuse the access token, at the endpoints that take one, beside the problem type
    /// `invalid-access-token`. The session is refreshed, and the request is sent once more.
    ///
    /// ``APIAccess`` has those of the app's own requests.
    public var accessTokenRefusals: [ServerRefusal] = []
    /// The answers that say that the person's answer to a challenge was wrong, beside the problem types `invalid-code` and
    /// `invalid-input`. The person is asked again.
    public var wrongAnswers: [ServerRefusal] = []
    /// The path of the text in an error's body, such as `message`, for ``AuthError/serverMessage``; `nil` if it is not
    /// read. It is a path of the whole body, also with an ``envelope``.
    ///
    /// Name it if the server never writes there what a request sent.
    public var errorMessage: String?

    /// Makes the documented contract.
    public init() {}

    /// Makes the documented contract, with further endpoints of it.
    ///
    /// ```swift
    /// let contract = ServerContract(offering: [.passwords, .codes])
    /// ```
    public init(offering offers: Offering) {
        if offers.contains(.passwords) {
            passwordSignIn = Endpoint(.post, "auth/password")
            signUp = Endpoint(.post, "auth/sign-up")
            passwordReset = Endpoint(.post, "auth/password/reset")
            passwordChange = Endpoint(.put, "auth/password")
            emailVerification = Endpoint(.post, "auth/email-verification")
        }
        if offers.contains(.codes) { code = Endpoint(.post, "auth/code") }
        if offers.contains(.emailLinks) { emailLink = Endpoint(.post, "auth/email-link") }
        if offers.contains(.secondFactors) {
            secondFactors = Endpoint(.get, "auth/factors")
            enrollSecondFactor = Endpoint(.post, "auth/factors")
            removeSecondFactor = Endpoint(.delete, "auth/factors/{factor}")
        }
        if offers.contains(.passkeys) {
            passkeySignInOptions = Endpoint(.post, "auth/passkeys/sign-in/options")
            passkeySignIn = Endpoint(.post, "auth/passkeys/sign-in/verify")
            passkeyRegistrationOptions = Endpoint(.post, "auth/passkeys/registration/options")
            passkeyRegistration = Endpoint(.post, "auth/passkeys/registration/verify")
            passkeys = Endpoint(.get, "auth/passkeys")
            removePasskey = Endpoint(.delete, "auth/passkeys/{passkey}")
        }
    }

    /// What a server offers beside the sign-in with providers.
    public struct Offering: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Accounts with an e-mail address and a password.
        public static let passwords = Self(rawValue: 1)
        /// Sign-in by a code that is sent to an e-mail address or a phone number.
        public static let codes = Self(rawValue: 2)
        /// Sign-in by a link that is sent to an e-mail address.
        public static let emailLinks = Self(rawValue: 4)
        /// A list of second factors, which the person changes in the app.
        public static let secondFactors = Self(rawValue: 8)
        /// Sign-in by passkeys, which the person makes and removes in the app.
        public static let passkeys = Self(rawValue: 16)
    }
}

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
        /// The e-mail address that the person entered: beside a password, for a code or a link.
        public var emailAddress: String? = "email"
        /// The phone number that the person entered, for a code: an address without `@`.
        public var phoneNumber: String? = "phone"
        /// The password that the person entered; also the new one of a change.
        public var password: String? = "password"
        /// The URL that a link in a mail opens.
        public var continueURL: String? = "continueURL"

        /// Makes the documented names.
        package init() {}
    }

    /// The names in an answer with a session. With a ``ServerContract/envelope``, they are those of its payload.
    public struct SessionNames: Equatable, Sendable {
        /// The token that authorizes requests. Required, except in the answer to a change of the session.
        public var accessToken: TokenPlace = "accessToken"
        /// The token that gets the next access token.
        public var refreshToken: TokenPlace = "refreshToken"
        /// The access token's lifetime in seconds, as a number or its text.
        public var expiresIn = "expiresIn"
        /// When the access token expires, if there is no ``expiresIn``: a date with a time and an offset (ISO 8601), or the
        /// seconds or milliseconds since 1970, as a number or its text.
        public var expiresAt = "expiresAt"
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
        package init() {}
    }

    /// The names in the user of a session.
    public struct UserNames: Equatable, Sendable {
        /// The server's identifier for the person, a string or a whole number. Required.
        public var id = "id"
        /// Whether identifiers that differ only in the case of letters are the same user, as a UUID may. A session keeps the
        /// identifier that it began with.
        public var idIgnoresCase = false
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
        /// The server's own claims, an object. An empty path is the whole user, so that ``AuthUser/claims`` has every member
        /// that the server sent.
        public var claims = "claims"
        /// The provider's identifier in a linked identity.
        public var providerID = "id"
        /// The person's identifier there.
        public var providerUserID = "userID"
        /// The e-mail address there.
        public var providerEmail = "email"

        /// Makes the documented names.
        package init() {}
    }

    /// The names of the extension members (RFC 9457 section 3.2) of `account-exists` and `credential-in-use`.
    public struct ConflictNames: Equatable, Sendable {
        /// The e-mail address that both accounts have.
        public var email = "email"
        /// The identifiers of the providers with which the other account signs in, an array of strings.
        public var providers = "providers"

        /// Makes the documented names.
        package init() {}
    }

    /// Returns the server's name for a provider.
    func name(of provider: ProviderID) -> String { providerNames[provider] ?? provider.rawValue }

    /// Returns the provider with that name at the server, in any case; one that the contract does not name keeps it.
    func provider(named name: String) -> ProviderID {
        let name = (own: name, lowercased: name.lowercased())
        let known = providerNames.filter { $0.value.lowercased() == name.lowercased }.keys
        return known.min { $0.rawValue < $1.rawValue } ?? ProviderID(rawValue: name.own)
    }
}
