import AuthStreams

/// What a challenge is to Supabase.
enum SupabaseStep {
    /// The choice of one of several authenticator apps.
    case choice(of: [Challenge.Factor])
    /// The code of an authenticator app, which completes the pending tokens of a first factor.
    case secondFactor(Challenge.Factor.ID, pendingToken: Secret)
    /// The first code of a new authenticator app.
    case enrollment(Challenge.Factor.ID)
    /// A code that was sent, for a sign-in or for the user's new address or number.
    case sentCode(GoTrue.Verification)
    /// A code that was sent, which a new password requires.
    case passwordCode(GoTrue.Verification, newPassword: Secret)
    /// The current password, which a new one requires.
    case currentPassword(newPassword: Secret)

    /// The field of the form for the current password.
    static let currentPasswordField = "currentPassword"

    /// - Throws: `unsupportedProvider` if the challenge is of another repository.
    init(_ challenge: Challenge) throws(AuthError) {
        switch (challenge.step, GoTrue.Verification(challenge)) {
        case (.factors(let factors), _):
            self = .choice(of: factors)
        case (.enrollment, _):
            self = .enrollment(try challenge.value(of: GoTrue.Context.factor).reveal())
        case (.form, _):
            self = .currentPassword(newPassword: try challenge.value(of: GoTrue.Context.password))
        case (.code, let verification?) where verification.kind == .reauthentication:
            self = .passwordCode(verification, newPassword: try challenge.value(of: GoTrue.Context.password))
        case (.code, let verification?):
            self = .sentCode(verification)
        case (.code, nil):
            guard let pendingToken = challenge.pendingToken else { throw .notAChallenge }
            self = .secondFactor(
                try challenge.value(of: GoTrue.Context.factor).reveal(), pendingToken: pendingToken)
        default: throw .notAChallenge
        }
    }
}

extension Challenge {
    fileprivate func value(of name: String) throws(AuthError) -> Secret {
        guard let value = context[name] else { throw .notAChallenge }
        return value
    }
}

extension AuthError {
    static var notAChallenge: Self {
        AuthError(
            .unsupportedProvider, "The answer does not fit the challenge, or the challenge is of another repository.")
    }
}
