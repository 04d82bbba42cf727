public import AuthStreams
public import Foundation

extension IdentityToolkit {
    /// The validated tokens of a sign-in or a refresh.
    public struct Tokens: Equatable, Sendable {
        /// The user's identifier, the uid, from the ID token.
        public let userID: String
        /// The ID token, which authorizes requests to the project's services and to your server.
        public let idToken: Secret
        /// The token that gets the next ID token; `nil` if a refresh did not replace it.
        public let refreshToken: Secret?
        /// The lifetime of the ID token from its arrival; `nil` if it is not known.
        public let lifetime: Duration?
        /// When it was issued, by the server's clock; `nil` if the answer had no `Date`.
        public let issuedAt: Date?
        /// Whether this sign-in created the user.
        public let isNewUser: Bool
        /// What the ID token says.
        let claims: FirebaseClaims
    }
}

extension IdentityToolkit.Tokens {
    /// Reads the answer of a sign-in, which may be a refusal with 200.
    init(signIn answer: IdentityToolkit.Answer) throws(AuthError) {
        if let refusal = AuthError(refusalIn: answer.members) { throw refusal }
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
