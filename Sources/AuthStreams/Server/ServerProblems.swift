/// The meanings of the contract's problem types.
enum ServerProblems {
    /// What an answer means for the caller, and its remedy.
    struct Meaning {
        let code: AuthError.Code
        let explanation: String

        /// Whether the server says that the session is over.
        var endsSession: Bool { [.userNotFound, .userDisabled, .sessionExpired].contains(code) }

        init(_ code: AuthError.Code, _ explanation: String) {
            self.code = code
            self.explanation = explanation
        }
    }

    static let table: [String: Meaning] = [
        // The session is over.
        "session-expired": Meaning(
            .sessionExpired, "The refresh token is expired, revoked or not known. Sign in again."),
        "refresh-token-reused": Meaning(
            .sessionExpired, "The refresh token was used before, so the server ended the session. Sign in again."),
        "session-revoked": Meaning(
            .sessionExpired, "The session was ended by the person elsewhere, or by an administrator. Sign in again."),
        "revoked-at-provider": Meaning(
            .sessionExpired, "The person withdrew the app's access at the provider. Sign in again."),
        "user-not-found": Meaning(.userNotFound, "The account was deleted. Sign in again to make a new one."),
        "user-disabled": Meaning(.userDisabled, "The account was disabled at the server."),

        // The credential.
        "invalid-credential": Meaning(
            .invalidCredential,
            "The server refused the credential: expired, used before, or made for another app. Look at its log."),
        "nonce-mismatch": Meaning(
            .nonceMismatch, "The nonce does not fit the ID token. The server compares the raw nonce of this attempt."),
        "unsupported-provider": Meaning(
            .unsupportedProvider, "The server takes no credentials of this provider. Configure it there."),

        // A further step.
        "second-factor-required": Meaning(
            .secondFactorRequired, "The server wants a second factor, and its answer has no challenge for it."),
        "verification-required": Meaning(
            .verificationRequired, "The server wants a code, and its answer has no challenge for it."),
        "registration-required": Meaning(
            .registrationRequired, "The server wants more of a new user, and its answer has no challenge for it."),
        "additional-step-required": Meaning(
            .additionalStepRequired, "The server wants another step, and its answer has no challenge for it."),
        "invalid-code": Meaning(.codeMismatch, "The code is wrong, or was used before."),
        "code-expired": Meaning(.codeMismatch, "The code is no longer valid. Ask for another one."),
        "invalid-input": Meaning(.invalidInput, "The server refuses a value that the person entered."),
        "challenge-expired": Meaning(.timedOut, "The answer came too late for the server. Start over."),
        "too-many-attempts": Meaning(
            .accessDenied, "There were too many wrong answers, so the server takes no further one. Start over."),

        // The account.
        "account-exists": Meaning(
            .accountExists, "The e-mail belongs to another account. Sign in there, then link this identity."),
        "credential-in-use": Meaning(
            .credentialInUse, "The identity belongs to another account. Sign in with it instead of linking it."),
        "last-provider": Meaning(
            .lastProvider, "It is the last identity of the user, who could never sign in again. Link another first."),
        "access-denied": Meaning(.accessDenied, "The server refuses this person. Look at its log."),
        "requires-recent-sign-in": Meaning(
            .requiresRecentSignIn, "The last sign-in is too long ago for this. Sign in again, then repeat it."),
        "invalid-access-token": Meaning(
            .invalidCredential, "The server did not take the access token. Refresh the session, then repeat it."),

        // Transport and protocol.
        "invalid-request": Meaning(
            .misconfigured, "The server does not understand the request. Compare its names with the contract's."),
        "rate-limited": Meaning(.rateLimited, "The server wants fewer requests. Try again later."),
        "provider-unavailable": Meaning(.server, "The provider that the server asks is down. Try again later."),
    ]

    /// The problem types that end a session with a specific reason.
    ///
    /// A reused refresh token is not among them: the second use may be the app's own, after a lost answer.
    static let endings: [String: SignOutReason] = [
        "session-revoked": .revoked, "revoked-at-provider": .revokedAtProvider,
    ]
}

extension ServerContract {
    /// Returns what a problem type means; `nil` for one that the contract does not have.
    func meaning(ofProblem name: String) -> ServerProblems.Meaning? {
        if let code = problems[name] {
            return .init(code, "The server refused with a problem type of its own.")
        }
        if let meaning = ServerProblems.table[name] { return meaning }
        // A type that the contract itself names, unlike one that a server sends.
        guard let envelope,
            [envelope.problems, envelope.refreshProblems].contains(where: { $0.values.contains(name) })
        else { return nil }
        return .init(
            .misconfigured,
            "The `problems` of the contract's envelope name the type '\(name)', which is neither a documented one nor in "
                + "the contract's own `problems`.")
    }
}
