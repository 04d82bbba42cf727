public import AuthStreams
package import Foundation

/// A client of the Firebase Auth REST API. Nothing is retried.
///
/// Apps use ``FirebaseRepository``. This client is for a ``SocialAuthCoordinator`` of your own: it signs in with the custom
/// token.
///
/// ## Errors
///
/// All are `AuthError`: the transport's error; the meaning of an error's code
/// (<https://firebase.google.com/docs/reference/rest/auth#section-error-format>) with the code in `serverCode`;
/// `server` for any 5xx and `rateLimited` for any 429; `invalidResponse` for an answer without a required member.
/// Firebase's messages are not included, because some of them quote tokens, except the rules that a password breaks. A
/// blocking function's status, message and details are: as `serverCode`, `serverMessage` and `serverDetails` of an
/// `accessDenied`.
public struct IdentityToolkit: Sendable {
    let channel: FirebaseChannel
    var clock: AuthClock { channel.clock }
    var project: FirebaseProject { channel.project }

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - project: The project of the users.
    ///   - transport: Sends the requests.
    ///   - clock: Computes a token's lifetime, and measures the time limit of the App Check token.
    public init(project: FirebaseProject, transport: any AuthHTTPTransport, clock: AuthClock = .system) {
        channel = FirebaseChannel(project: project, transport: transport, clock: clock)
    }
}

extension IdentityToolkit {
    /// The members of a successful answer, and its date.
    struct Answer {
        let members: [String: AuthJSON]
        let request: AuthHTTPRequest
        /// By the server's clock.
        let date: Date?

        subscript(name: String) -> AuthJSON? { members[name] }
    }

    private static let toolkitURL = "https://identitytoolkit.googleapis.com"
    private static let secureTokenURL = "https://securetoken.googleapis.com/v1/token"

    /// Sends a JSON body to `RESOURCE:METHOD`.
    @inline(never)  // Not repeated in each of its callers.
    func post(
        _ body: [String: AuthJSON], to method: String, of resource: String = "accounts", version: Int = 1
    ) async throws(AuthError) -> Answer {
        try await send(
            to: "\(Self.toolkitURL)/v\(version)/\(resource):\(method)", contentType: "application/json",
            body: try FirebaseChannel.encode(.object(body)))
    }

    /// Sends a form to the token endpoint.
    func postToSecureToken(_ form: [(name: String, value: String)]) async throws(AuthError) -> Answer {
        try await send(
            to: Self.secureTokenURL, contentType: FormCoding.contentType, body: Data(FormCoding.encode(form).utf8))
    }

    private func send(to address: String, contentType: String, body: Data) async throws(AuthError) -> Answer {
        try project.requirePlist()
        guard !project.apiKey.isEmpty,
            let production = URL(string: "\(address)?key=\(FormCoding.escape(project.apiKey))")
        else {
            throw AuthError(
                .misconfigured, "The project has no API key. Copy the Web API key from the Firebase console.")
        }
        let answer = try await channel.send(
            AuthHTTPRequest(
                .post, project.endpoints.url(production),
                headers: [.contentType: contentType, .accept: "application/json"], body: body))
        guard answer.response.isSuccess else {
            throw IdentityToolkitRefusal(answer).authError
        }
        guard let members = answer.response.jsonObject else {
            throw AuthError(
                .invalidResponse, "The answer is not a JSON object. Something between the app and Firebase answered.")
        }
        // Firebase sends errors with 4xx. An error with 200 is not its own, even with other members beside it.
        guard [nil, .null].contains(members["error"]) else {
            throw AuthError(
                .invalidResponse, "The answer is a success that holds an error. Something in between changed it.")
        }
        return Answer(members: members, request: answer.request, date: answer.response.date)
    }
}

extension IdentityToolkit {
    /// Signs in or links with an identity provider's tokens: `accounts:signInWithIdp`.
    ///
    /// - Parameters:
    ///   - assertion: The provider's tokens.
    ///   - idToken: The ID token of the user to link the identity to; `nil` signs in.
    ///   - makesUsers: Whether to create a user for an identity that no user has. If not, such an identity ends with
    ///     `userNotFound`.
    /// - Returns: The tokens of the session.
    /// - Throws: `AuthError`. Several refusals come as 200 without tokens: `accountExists` if the e-mail's account has
    ///   other providers, `credentialInUse` if the identity is another user's, both with a conflict,
    ///   `secondFactorRequired` with a challenge if the account has an authenticator app.
    package func signInWithIdp(
        _ assertion: IdpAssertion, linkingTo idToken: Secret? = nil, makesUsers: Bool = true
    ) async throws(AuthError) -> Tokens {
        var body: [String: AuthJSON] = [
            // It must parse as a URL; no request is sent to it.
            "requestUri": "http://localhost",
            "returnSecureToken": true,
            "returnIdpCredential": true,
        ]
        if let pendingToken = assertion.pendingToken {
            body["pendingToken"] = .string(pendingToken.reveal())
        } else {
            body["postBody"] = .string(assertion.postBody)
        }
        body["idToken"] = idToken.map { .string($0.reveal()) }
        if !makesUsers { body["autoCreate"] = false }
        do throws(AuthError) {
            return try Tokens(signIn: try await post(inTenant(body), to: "signInWithIdp"))
        } catch {
            throw error.inConflict(about: assertion.credential.afterFirebase)
        }
    }

    /// Signs in with a custom token of the project's server: `accounts:signInWithCustomToken`.
    ///
    /// - Parameter token: A custom token, made by the Admin SDK at most an hour ago.
    /// - Throws: `AuthError`; `invalidCustomToken` if Firebase refuses it.
    package func signInWithCustomToken(_ token: Secret) async throws(AuthError) -> Tokens {
        let body: [String: AuthJSON] = ["token": .string(token.reveal()), "returnSecureToken": true]
        return try Tokens(signIn: try await post(inTenant(body), to: "signInWithCustomToken"))
    }

    /// Creates a user without an identity: `accounts:signUp`.
    ///
    /// - Throws: `AuthError`; `misconfigured` if the project does not allow anonymous users.
    package func signInAnonymously() async throws(AuthError) -> Tokens {
        try Tokens(signIn: try await post(inTenant(["returnSecureToken": true]), to: "signUp"))
    }

    /// Returns the body with the project's tenant, if it has one.
    func inTenant(_ body: [String: AuthJSON]) -> [String: AuthJSON] {
        var body = body
        body["tenantId"] = project.tenantID.map(AuthJSON.string)
        return body
    }
}

extension IdentityToolkit {
    /// The validated tokens of a sign-in or a refresh.
    package struct Tokens: Equatable, Sendable {
        /// The user's identifier, the uid, from the ID token.
        package let userID: String
        /// The ID token, which authorizes requests to the project's services and to your server.
        package let idToken: Secret
        /// The token that gets the next ID token; `nil` if a refresh did not replace it.
        package let refreshToken: Secret?
        /// The lifetime of the ID token from its arrival; `nil` if it is not known.
        package let lifetime: Duration?
        /// When it was issued, by the server's clock; `nil` if the answer had no `Date`.
        package let issuedAt: Date?
        /// Whether this sign-in created the user.
        package let isNewUser: Bool
        /// What the ID token says.
        let claims: FirebaseClaims
    }
}

extension IdentityToolkit.Tokens {
    /// Reads the answer of a sign-in, which may be a refusal with 200.
    init(signIn answer: IdentityToolkit.Answer) throws(AuthError) {
        if let refusal = AuthError(refusalIn: answer.members, to: answer.request) { throw refusal }
        guard let refreshToken = try answer["refreshToken"].token(named: "refreshToken") else {
            throw .missing("refreshToken")
        }
        try self.init(
            idToken: try answer["idToken"].token(named: "idToken"), userID: answer["localId"],
            refreshToken: refreshToken, expiresIn: answer["expiresIn"],
            isNewUser: answer["isNewUser"]?.lenientBool ?? false, at: answer.date)
    }

    /// Reads the answer of a change, which has tokens only if the change ended the old ones; otherwise `nil`.
    init?(update answer: IdentityToolkit.Answer) throws(AuthError) {
        guard let idToken = try answer["idToken"].token(named: "idToken") else { return nil }
        try self.init(
            idToken: idToken, userID: answer["localId"],
            refreshToken: try answer["refreshToken"].token(named: "refreshToken"), expiresIn: answer["expiresIn"],
            isNewUser: false, at: answer.date)
    }

    /// Reads the answer of a refresh, which is in snake case.
    init(refresh answer: IdentityToolkit.Answer) throws(AuthError) {
        // The same token under two names.
        var idToken = try answer["id_token"].token(named: "id_token")
        if idToken == nil { idToken = try answer["access_token"].token(named: "access_token") }
        try self.init(
            idToken: idToken,
            userID: answer["user_id"], refreshToken: try answer["refresh_token"].token(named: "refresh_token"),
            expiresIn: answer["expires_in"], isNewUser: false, at: answer.date)
    }

    private init(
        idToken: Secret?, userID: AuthJSON?, refreshToken: Secret?, expiresIn: AuthJSON?, isNewUser: Bool,
        at date: Date?
    ) throws(AuthError) {
        guard let idToken else { throw .missing("ID token") }
        let claims = FirebaseClaims(idToken)
        guard let subject = (claims.all["user_id"] ?? claims.all["sub"])?.text else {
            throw AuthError(.invalidResponse, "The ID token in the answer cannot be read, or names no user.")
        }
        guard userID?.text ?? subject == subject else {
            throw AuthError(.invalidResponse, "The answer names one user and its ID token another.")
        }
        self.userID = subject
        self.idToken = idToken
        self.refreshToken = refreshToken
        lifetime = expiresIn?.lifetime ?? claims.lifetime
        issuedAt = date
        self.isNewUser = isNewUser
        self.claims = claims
    }
}

extension AuthError {
    fileprivate static func missing(_ member: String) -> Self {
        AuthError(.invalidResponse, "The answer has no \(member), so no user is signed in.")
    }
}
