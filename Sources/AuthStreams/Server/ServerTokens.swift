import Foundation

/// The tokens of an answer.
struct ServerTokens {
    let access: Secret
    let refresh: Secret?
    /// When the server answered, by its own clock; `nil` when it did not say.
    let issuedAt: Date?
    private let lifetime: Lifetime

    private enum Lifetime {
        case unsaid
        case said(Duration)
        /// Nobody means nothing at all, or years: it is a moment in place of a duration, or a mistake.
        case implausible
    }

    /// - Parameter expiresIn: What the answer says of the access token's lifetime.
    init(access: Secret, refresh: Secret?, expiresIn: JSONValue?, issuedAt: Date?) {
        self.access = access
        self.refresh = refresh
        self.issuedAt = issuedAt
        lifetime =
            switch expiresIn {
            case nil, .null: .unsaid
            case let value: Self.plausible(value?.lenientInteger).map(Lifetime.said) ?? .implausible
            }
    }

    /// How long the access token is good for, from the moment the answer arrived; `nil` when nobody said.
    ///
    /// In place of what cannot be counts what the token itself says, if it is one that can be read, as a difference, since
    /// the clocks may be wrong; else five minutes, so that it is replaced before long.
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
        return Self.plausible(seconds)
    }

    private static func plausible(_ seconds: Int64?) -> Duration? {
        let day: Int64 = 86_400
        guard let seconds, (1...(365 * day)).contains(seconds) else { return nil }
        return .seconds(seconds)
    }
}
