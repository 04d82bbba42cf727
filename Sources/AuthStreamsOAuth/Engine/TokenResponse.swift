public import AuthStreams
public import Foundation

/// A token endpoint's success answer (RFC 6749 section 5.1), read leniently where providers differ.
public struct TokenResponse: Sendable {
    /// The access token.
    public let accessToken: Secret
    /// `nil` if the server returned none: the previous one stays in use.
    public let refreshToken: Secret?
    /// The ID token, not validated yet.
    public let idToken: Secret?
    /// How long the access token is valid, from zero to 365 days; `nil` if the server did not say.
    ///
    /// On the wire it is a number of seconds or its decimal text. Zero or less means that the token is expired, and more than
    /// 365 days is 365 days. Any other value counts as not said: the token is used until a server refuses it.
    public let expiresIn: Duration?
    /// The granted scopes; `nil` means those that were requested.
    public let scopes: [String]?
    /// The members of the answer, without its three tokens.
    public let members: [String: AuthJSON]
    /// When the server answered, by its own clock; `nil` if the answer has no date.
    public let date: Date?

    /// - Throws: `invalidResponse` without a usable bearer token, or if a token is not printable ASCII (RFC 6749 appendices
    ///   A.12 and A.17).
    public init(members: [String: AuthJSON], date: Date?) throws(AuthError) {
        self.date = date
        guard let accessToken = try members["access_token"].token(named: "access_token") else {
            throw AuthError(.invalidResponse, "The token endpoint's answer has no access token.")
        }
        // Required (RFC 6749 section 5.1), but some servers leave it out.
        if let type = members["token_type"], type != .null, type.string?.lowercased() != "bearer" {
            throw AuthError(
                .invalidResponse,
                "The token endpoint gave a token that is not a bearer token (token_type). Ask the issuer for one.")
        }
        self.accessToken = accessToken
        self.members = members.filter { !["access_token", "refresh_token", "id_token"].contains($0.key) }
        refreshToken = try members["refresh_token"].token(named: "refresh_token")
        idToken = try members["id_token"].token(named: "id_token")
        expiresIn = members["expires_in"]?.lifetime
        scopes = members["scope"]?.string.map { $0.split(separator: " ").map(String.init) }
    }
}

extension TokenResponse: CustomStringConvertible, CustomReflectable {
    /// The names of the members; never their values.
    public var description: String { "token answer with \(members.keys.sorted().joined(separator: ", "))" }
    /// A mirror without children, because the members hold tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
