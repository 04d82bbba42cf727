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
        /// Zero or less, or years: a timestamp in place of a duration, or a mistake.
        case implausible
    }

    /// - Parameter expiresIn: The answer's lifetime of the access token.
    init(access: Secret, refresh: Secret?, expiresIn: JSONValue?, issuedAt: Date?) {
        self.access = access
        self.refresh = refresh
        self.issuedAt = issuedAt
        lifetime =
            switch expiresIn {
            case nil, .null: .unsaid
            case let value: value?.lifetime.map(Lifetime.said) ?? .implausible
            }
    }

    /// Returns the access token's lifetime from the arrival of the answer; `nil` if it is not known.
    ///
    /// An implausible lifetime is replaced by the token's own, `exp` − `iat`, if the token can be read; a difference,
    /// since the clocks may be wrong. Otherwise it is five minutes, so that the token is replaced soon.
    ///
    /// - Parameter isReplaceable: Whether there is a refresh token. Without one a guess would end the session.
    func lifetime(isReplaceable: Bool) -> Duration? {
        switch lifetime {
        case .unsaid: nil
        case .said(let duration): duration
        case .implausible: ownLifetime ?? (isReplaceable ? .seconds(300) : nil)
        }
    }

    private var ownLifetime: Duration? {
        guard let claims = JSONWebToken(access)?.claims, let issued = claims["iat"]?.lenientInteger,
            let expires = claims["exp"]?.lenientInteger,
            case (let seconds, let isTooLarge) = expires.subtractingReportingOverflow(issued), !isTooLarge
        else { return nil }
        return JSONValue.integer(seconds).lifetime
    }
}
