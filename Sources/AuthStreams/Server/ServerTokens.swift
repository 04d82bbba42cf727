import Foundation

/// The tokens of an answer.
struct ServerTokens {
    let access: Secret
    let refresh: Secret?
    /// When the server responded, by its own clock; `nil` if the response has no date.
    let issuedAt: Date?
    private let lifetime: Lifetime

    private enum Lifetime {
        case unsaid
        case said(Duration)
        /// Not a number.
        case unreadable
    }

    /// - Parameter expiresIn: The answer's lifetime of the access token.
    init(access: Secret, refresh: Secret?, expiresIn: AuthJSON?, issuedAt: Date?) {
        self.access = access
        self.refresh = refresh
        self.issuedAt = issuedAt
        lifetime =
            switch expiresIn {
            case nil, .null: .unsaid
            case let value: value?.lifetime.map(Lifetime.said) ?? .unreadable
            }
    }

    /// Returns the access token's lifetime from the arrival of the answer; `nil` if it is not known.
    ///
    /// A lifetime that is not a number is replaced by the token's own, `exp` − `iat`, if the token can be read. Otherwise it
    /// is five minutes, so that the token is replaced soon.
    ///
    /// - Parameter isReplaceable: Whether there is a refresh token. Without one a guess would end the session.
    func lifetime(isReplaceable: Bool) -> Duration? {
        switch lifetime {
        case .unsaid: nil
        case .said(let duration): duration
        case .unreadable: JSONWebToken(access)?.claims.tokenLifetime ?? (isReplaceable ? .seconds(300) : nil)
        }
    }
}
