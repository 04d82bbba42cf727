/// What your server calls things: its paths, the names in its JSON, and problems of its own.
///
/// The defaults are the documented contract, see <doc:YourServer>. A server that exists already is described by changing
/// what differs:
///
/// ```swift
/// var contract = ServerContract()
/// contract.signIn.path = "v2/login/social"
/// contract.signOut = nil
/// contract.session.accessToken = "access_token"
/// contract.problems["account-locked"] = .userDisabled
/// ```
public struct ServerContract: Hashable, Sendable {
    /// One thing that the server can be asked for.
    public struct Endpoint: Hashable, Sendable {
        /// The method.
        public var method: HTTPRequest.Method
        /// The path below the server's base URL. A slash at its beginning makes no difference.
        public var path: String

        /// Names an endpoint.
        public init(_ method: HTTPRequest.Method, _ path: String) {
            self.method = method
            self.path = path
        }
    }

    /// Turns a credential into a session: `POST auth/sign-in`.
    public var signIn = Endpoint(.post, "auth/sign-in")
    /// Turns a refresh token into the next session: `POST auth/refresh`.
    public var refresh = Endpoint(.post, "auth/refresh")
    /// What becomes of a refresh token by being used. Say `reusable` only of a server that takes the same one as often as it
    /// comes.
    public var refreshTokenRule = RefreshTokenRule.singleUse
    /// Ends a session: `POST auth/sign-out`; `nil` for a server that need not be told.
    public var signOut: Endpoint? = Endpoint(.post, "auth/sign-out")
    /// Deletes the account: `DELETE auth/account`.
    public var deleteAccount = Endpoint(.delete, "auth/account")

    // MARK: What a server need not have

    /// Ends every session of the user: `POST auth/sign-out-everywhere`. `nil`, here and below, for a server that has no such
    /// thing; then it is refused with `unsupportedProvider` before any request.
    public var signOutEverywhere: Endpoint? = Endpoint(.post, "auth/sign-out-everywhere")
    /// Makes a user without any identity: `POST auth/anonymous`.
    public var signInAnonymously: Endpoint? = Endpoint(.post, "auth/anonymous")
    /// Adds an identity to the user: `POST auth/links`.
    public var link: Endpoint? = Endpoint(.post, "auth/links")
    /// Takes an identity from the user: `DELETE auth/links/{provider}`.
    ///
    /// `{provider}` stands for the provider's identifier. Without it in the path, the identifier goes in the body, under
    /// the name that a sign-in has for it.
    public var unlink: Endpoint? = Endpoint(.delete, "auth/links/{provider}")
    /// Makes the sign-in recent again: `POST auth/reauthenticate`.
    public var reauthenticate: Endpoint? = Endpoint(.post, "auth/reauthenticate")
    /// Ends at the provider what the app may do there: `POST auth/revoke-access`.
    public var revokeAccess: Endpoint? = Endpoint(.post, "auth/revoke-access")
    /// The providers at which the server can do that.
    public var revocableProviders: Set<ProviderID> = [.apple, .google, .kakao, .naver]

    // MARK: Names

    /// The names in the body of a sign-in.
    public var credential = CredentialNames()
    /// The names in an answer with a session. Its `refreshToken` is that of requests, too.
    public var session = SessionNames()
    /// The names in the user of a session.
    public var user = UserNames()
    /// The names of what a problem says about a conflict of accounts.
    public var conflict = ConflictNames()

    /// What problem types of your server's own mean, by the last part of the type: `account-locked` for
    /// `https://api.example.com/problems/account-locked`.
    ///
    /// They come before the contract's own. Only what is the server's definite no may be `userNotFound`, `userDisabled` or
    /// `sessionExpired`, since those end a session.
    public var problems: [String: AuthError.Code] = [:]

    /// What a 4xx means in the answer to a refresh, where problem details (RFC 9457) come with it that have no type or
    /// `about:blank`: such as `[401: .sessionExpired]`. Unless named here, it ends no session.
    ///
    /// 429 cannot have another meaning. Name a code that ends a session only where nothing between the app and the server
    /// answers with problem details of its own.
    public var refreshStatuses: [Int: AuthError.Code] = [:]

    /// Makes the documented contract.
    public init() {}
}
