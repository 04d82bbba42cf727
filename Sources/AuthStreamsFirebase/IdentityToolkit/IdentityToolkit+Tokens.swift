public import AuthStreams
import Foundation

extension IdentityToolkit {
    /// What a sign-in or a refresh answers with, once it is certain that it is one.
    public struct Tokens: Hashable, Sendable {
        /// The user's identifier, the uid, as the ID token itself names it.
        public let userID: String
        /// The ID token: what authorizes requests to the project's services and to your server.
        public let idToken: Secret
        /// The token that gets the next ID token; `nil` when a refresh did not replace it.
        public let refreshToken: Secret?
        /// How long the ID token is good for, from the moment it arrived; `nil` when nobody said.
        public let lifetime: Duration?
        /// Whether the user was made by this sign-in.
        public let isNewUser: Bool
    }
}

extension IdentityToolkit.Tokens {
    /// Reads the answer of a sign-in, which may be 200 and none.
    init(signIn members: [String: JSONValue]) throws(AuthError) {
        if let refusal = Self.refusal(in: members) { throw refusal }
        guard let refreshToken = members["refreshToken"]?.text else { throw .missing("refreshToken") }
        try self.init(
            idToken: members["idToken"], userID: members["localId"], refreshToken: Secret(refreshToken),
            expiresIn: members["expiresIn"], isNewUser: members["isNewUser"]?.lenientBool ?? false)
    }

    /// Reads the answer of a refresh, which is in snake case.
    init(refresh members: [String: JSONValue]) throws(AuthError) {
        try self.init(
            // The same token under two names.
            idToken: members["id_token"]?.text == nil ? members["access_token"] : members["id_token"],
            userID: members["user_id"], refreshToken: members["refresh_token"]?.text.map { Secret($0) },
            expiresIn: members["expires_in"], isNewUser: false)
    }

    private init(
        idToken: JSONValue?, userID: JSONValue?, refreshToken: Secret?, expiresIn: JSONValue?, isNewUser: Bool
    ) throws(AuthError) {
        guard let idToken = idToken?.text.map({ Secret($0) }) else { throw .missing("ID token") }
        guard let claims = JSONWebToken(idToken)?.claims, let subject = (claims["user_id"] ?? claims["sub"])?.text
        else {
            throw AuthError(.invalidResponse, "The ID token in the answer cannot be read, or names no user.")
        }
        guard userID?.text ?? subject == subject else {
            throw AuthError(.invalidResponse, "The answer names one user and its ID token another.")
        }
        self.userID = subject
        self.idToken = idToken
        self.refreshToken = refreshToken
        lifetime = Self.lifetime(expiresIn: expiresIn, claims: claims)
        self.isNewUser = isNewUser
    }

    /// What the answer says, else what the token says; both as differences, since the device's clock may be wrong.
    private static func lifetime(expiresIn: JSONValue?, claims: JSONValue) -> Duration? {
        let day: Int64 = 86_400
        let plausible = 1...(365 * day)
        if let seconds = expiresIn?.lenientInteger, plausible.contains(seconds) { return .seconds(seconds) }
        guard let issued = claims["iat"]?.lenientInteger, let expires = claims["exp"]?.lenientInteger,
            case (let seconds, let isTooLarge) = expires.subtractingReportingOverflow(issued), !isTooLarge,
            plausible.contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }

    /// What kept a 200 from being a sign-in.
    private static func refusal(in members: [String: JSONValue]) -> AuthError? {
        if members["mfaPendingCredential"]?.text != nil {
            return AuthError(
                .secondFactorRequired,
                "The account has a second factor, which this library does not offer. Sign in with Firebase's SDK.")
        }
        if let message = members["errorMessage"]?.text { return IdentityToolkitRefusal(message: message).authError }
        if members["needConfirmation"]?.lenientBool == true {
            return AuthError(
                .accountExists,
                "An account with this e-mail has other providers. Sign in with one of those, then link this one.")
        }
        return nil
    }
}

extension AuthError {
    fileprivate static func missing(_ member: String) -> Self {
        AuthError(.invalidResponse, "The answer has no \(member), so nobody is signed in.")
    }
}
