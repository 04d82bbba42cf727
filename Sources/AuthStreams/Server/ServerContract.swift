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
        /// The path below the server's base URL. A leading slash makes no difference.
        ///
        /// `{provider}` in it stands for the provider's name (``ServerContract/providerNames``), at the endpoints that
        /// take a credential and at ``ServerContract/unlink``. The body then does not name the provider.
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

    /// The meaning of your server's own problem types, by the last part of the type: `account-locked` for
    /// `https://api.example.com/problems/account-locked`.
    ///
    /// They take precedence over the contract's own. Use `userNotFound`, `userDisabled` or `sessionExpired` only for a
    /// terminal rejection by the server, since those end a session.
    public var problems: [String: AuthError.Code] = [:]

    /// The meaning of a 4xx in the answer to a refresh, if it has problem details (RFC 9457) without a type or with
    /// `about:blank`: such as `[401: .sessionExpired]`. A status that is not listed ends no session.
    ///
    /// 429 cannot have another meaning. Use a code that ends a session only if no intermediary between the app and the
    /// server answers with problem details of its own.
    public var refreshStatuses: [Int: AuthError.Code] = [:]

    /// Makes the documented contract.
    public init() {}
}
