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
    /// Ends a session: `POST auth/sign-out`; `nil` for a server that need not be told.
    public var signOut: Endpoint? = Endpoint(.post, "auth/sign-out")
    /// Deletes the account: `DELETE auth/account`.
    public var deleteAccount = Endpoint(.delete, "auth/account")

    /// The names in the body of a sign-in.
    public var credential = CredentialNames()
    /// The names in an answer with a session. Its `refreshToken` is that of requests, too.
    public var session = SessionNames()
    /// The names in the user of a session.
    public var user = UserNames()

    /// What problem types of your server's own mean, by the last part of the type: `account-locked` for
    /// `https://api.example.com/problems/account-locked`.
    ///
    /// They come before the contract's own. Only what is the server's definite no may be `userNotFound`, `userDisabled` or
    /// `sessionExpired`, since those end a session.
    public var problems: [String: AuthError.Code] = [:]

    /// Makes the documented contract.
    public init() {}
}
