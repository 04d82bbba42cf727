import AuthStreams

extension GoTrue {
    /// A code that was sent, and what it is for: the parameters of `verify` (`verify.go`).
    struct Verification: Sendable {
        /// The types of `verify` that the repository uses.
        enum Kind: String, Sendable {
            /// A sign-in by a code; also of a new user, whose mail confirms the address.
            case signIn = "email"
            /// A sign-up by a password. `verify` takes its code as `email`; `resend` calls it `signup`.
            case signUp = "signup"
            /// A code to a phone number.
            case sms
            /// The address that a user without one gets.
            case emailChange = "email_change"
            /// The number that a user without one gets.
            case phoneChange = "phone_change"
            /// A new password, whose code is a parameter of the change (`reauthenticate.go`), and no type of `verify`.
            case reauthentication
        }

        let kind: Kind
        let recipient: Recipient

        init(_ kind: Kind, _ recipient: Recipient) { (self.kind, self.recipient) = (kind, recipient) }

        /// Supabase sends another code after a minute, unless the project says otherwise (`configuration.go`: `MaxFrequency`). How
        /// many digits it has, and how long it is valid, the project decides, and does not say.
        private static let resendAfter = Duration.seconds(60)

        /// The error that asks for the code.
        var question: AuthError {
            AuthError(
                .verificationRequired, "Supabase has sent a code.",
                challenge: Challenge(
                    .code(.init(to: recipient.text, resendAfter: Self.resendAfter)),
                    context: [Context.verification: Secret(kind.rawValue), Context.recipient: Secret(recipient.text)]))
        }

        /// Reads the verification of a challenge; `nil` if it is none of a code that was sent.
        init?(_ challenge: Challenge) {
            guard let kind = challenge.context[Context.verification].flatMap({ Kind(rawValue: $0.reveal()) }),
                let recipient = challenge.context[Context.recipient]
            else { return nil }
            self.init(kind, Recipient(text: recipient.reveal()))
        }
    }

    /// The names of `Challenge.context`.
    enum Context {
        static let verification = "verification"
        static let recipient = "recipient"
        static let provider = "provider"
        static let factor = "factor"
        static let password = "password"
    }

    /// Sends a code to sign in with: `otp` (`otp.go`).
    ///
    /// - Returns: The error that asks for it.
    func sendCode(to recipient: Recipient) async throws(AuthError) -> AuthError {
        _ = try await send(.post, "otp", recipient.member.merging(["create_user": true]) { own, _ in own })
        return Verification(recipient.isPhone ? .sms : .signIn, recipient).question
    }

    /// Sends another code.
    func resend(_ verification: Verification, as accessToken: Secret?) async throws(AuthError) {
        let recipient = verification.recipient
        switch verification.kind {
        // `resend.go` sends none to an address or a number that is confirmed.
        case .signIn, .sms: _ = try await sendCode(to: recipient)
        case .reauthentication: _ = try await send(.get, "reauthenticate", as: accessToken)
        case .signUp:
            _ = try await send(.post, "resend", recipient.member.merging(["type": "signup"]) { own, _ in own })
        // `resend.go` looks for the user by the address or number before the change, which this user does not have.
        case .emailChange, .phoneChange: _ = try await send(.put, "user", recipient.member, as: accessToken)
        }
    }

    /// Sends the code that the person entered: `verify`.
    func verify(_ verification: Verification, code: Secret) async throws(AuthError) -> Tokens {
        var body = verification.recipient.member
        body["type"] = .string(verification.kind == .signUp ? "email" : verification.kind.rawValue)
        body["token"] = .string(code.reveal())
        return try Tokens(try await send(.post, "verify", body))
    }
}

extension AuthError {
    /// Returns the same error, whose challenge names the provider of the session that follows.
    func asking(for provider: ProviderID) -> Self {
        guard challenge != nil else { return self }
        var error = self
        error.challenge?.context[GoTrue.Context.provider] = Secret(provider.rawValue)
        return error
    }
}

extension GoTrueRefusal {
    /// The refusal that Supabase replaces by a made-up user.
    static var accountExists: AuthError {
        AuthError(
            .accountExists, "There is an account with this address. Sign in instead.",
            conflict: AuthConflict())
    }
}
