extension AuthError {
    /// What happened, for a program to branch on. New codes may be added; keep a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, Codable {
        /// The code's name.
        public let rawValue: String

        /// Makes a code, for providers and repositories that need their own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        private init(_ name: String) {
            rawValue = name
        }

        // MARK: How an attempt can end without an answer

        /// The person cancelled in the provider's app or page or closed the sheet, or the task was cancelled. Show no
        /// message.
        public static let cancelled = Self("cancelled")
        /// The person, the provider or the server refused access.
        ///
        /// ``AuthError/serverCode`` distinguishes them. With most providers `access_denied` and `consent_required` are the
        /// person's own refusal. Kakao's `-406` is not the person's choice: Kakao does not let people under 14 sign in to the app.
        public static let accessDenied = Self("accessDenied")
        /// A newer sign-in or a sign-out replaced this one.
        public static let superseded = Self("superseded")
        /// No answer arrived: the person returned from the provider's app or page without a callback URL, or a callback
        /// API released its callback without calling it. Either the person turned back, or the app is set up wrongly;
        /// the explanation says what to check.
        public static let abandoned = Self("abandoned")
        /// A time limit passed. If no callback URL arrived, the explanation says what to check.
        public static let timedOut = Self("timedOut")

        // MARK: What the server says about the user or the credential

        /// The provider or the kind of method is not configured, or the repository does not offer the operation.
        public static let unsupportedProvider = Self("unsupportedProvider")
        /// No user is signed in, and the call needs one.
        public static let notSignedIn = Self("notSignedIn")
        /// The server knows no such user.
        public static let userNotFound = Self("userNotFound")
        /// The server refused the provider's credential, or the session's access token. Start over; do not retry.
        public static let invalidCredential = Self("invalidCredential")
        /// The function's answer had no usable custom token, or Firebase refused it.
        public static let invalidCustomToken = Self("invalidCustomToken")
        /// The e-mail address belongs to an account with other providers. Sign in with one of those, then link; see
        /// ``AuthError/conflict``.
        public static let accountExists = Self("accountExists")
        /// The identity belongs to another user already. Sign in as that user with the credential of ``AuthError/conflict``.
        public static let credentialInUse = Self("credentialInUse")
        /// The account has a second factor, and nothing shows the prompt for it: see ``AuthPrompts/presenting()``.
        public static let secondFactorRequired = Self("secondFactorRequired")
        /// The server has sent a code, and nothing shows the prompt for it.
        public static let verificationRequired = Self("verificationRequired")
        /// The server wants a form of a new user, such as a nickname and the terms, and nothing shows the prompt for it.
        public static let registrationRequired = Self("registrationRequired")
        /// The server wants another step, and nothing shows the prompt for it.
        public static let additionalStepRequired = Self("additionalStepRequired")
        /// The code is wrong, or was used before.
        public static let codeMismatch = Self("codeMismatch")
        /// A value that the person entered is missing, or the server refuses it.
        public static let invalidInput = Self("invalidInput")
        /// The server requires a recent sign-in for this. Call ``AuthService/reauthenticate(with:using:_:)``, then repeat.
        public static let requiresRecentSignIn = Self("requiresRecentSignIn")
        /// The identity is the account's last one. Link another before this one is unlinked.
        public static let lastProvider = Self("lastProvider")
        /// The account was disabled.
        public static let userDisabled = Self("userDisabled")
        /// The session is over: its refresh token expired, was revoked, or is not known.
        public static let sessionExpired = Self("sessionExpired")
        /// The server refused the request with a code of its own, to which the repository gives no meaning; see
        /// ``AuthError/serverCode``.
        public static let refused = Self("refused")
        /// Too many requests; see ``AuthError/retryAfter``.
        public static let rateLimited = Self("rateLimited")

        /// No passkey of the person is on the device, or they closed the question: the system does not say which.
        public static let noPasskey = Self("noPasskey")
        /// The device has a passkey of this account already, so none was made.
        public static let passkeyExists = Self("passkeyExists")

        // MARK: The way there

        /// No answer arrived: offline, a lost connection, a name that does not resolve.
        public static let network = Self("network")
        /// The server failed, with a 5xx status or an equivalent error code.
        public static let server = Self("server")
        /// The answer violates the protocol: not JSON, too large, a required member missing.
        public static let invalidResponse = Self("invalidResponse")

        // MARK: What protects the attempt

        /// The callback's `state` is missing, repeated or not the one of this attempt (RFC 6749 section 10.12), or the attempt
        /// was begun by two browsers.
        public static let stateMismatch = Self("stateMismatch")
        /// The ID token's nonce is missing or not the one of this attempt (OpenID Connect Core 3.1.3.7).
        public static let nonceMismatch = Self("nonceMismatch")
        /// The answer names another issuer than the one asked (RFC 9207, OpenID Connect Core 3.1.3.7).
        public static let issuerMismatch = Self("issuerMismatch")
        /// The ID token breaks another rule: audience, expiry, form, signature.
        public static let invalidIDToken = Self("invalidIDToken")

        // MARK: The app and the device

        /// The app or the console is set up wrongly; the explanation says what to change.
        public static let misconfigured = Self("misconfigured")
        /// The provider's app is not installed or did not open, and the request or the configuration allows no other kind of method.
        /// Offer another kind.
        public static let appUnavailable = Self("appUnavailable")
        /// The page or sheet has no window to appear in: the app has no active scene, or the given window is gone.
        public static let presentationUnavailable = Self("presentationUnavailable")
        /// The device cannot tell whether the person is its owner: it has no passcode, Face ID or Touch ID is not set up or not
        /// available, or it is locked after too many attempts. The explanation says which, and what to do; ``AuthError/cause`` has
        /// the system's code. A ``SessionGate`` throws it.
        public static let deviceOwnerUnavailable = Self("deviceOwnerUnavailable")
        /// The session store failed; the explanation says where. Reads and writes of the session are retried automatically.
        public static let storage = Self("storage")
        /// Storage is locked until the device is unlocked. Nothing is lost; try later.
        public static let storageLocked = Self("storageLocked")
        /// The underlying error has no code here; see ``AuthError/cause``.
        public static let unexpected = Self("unexpected")

        // MARK: All of them

        /// Every code of this library, in the order above. Use it to test your own texts, not to branch.
        public static let allKnown: [Self] = [
            .cancelled, .accessDenied, .superseded, .abandoned, .timedOut, .unsupportedProvider, .notSignedIn,
            .userNotFound,
            .invalidCredential, .invalidCustomToken, .accountExists, .credentialInUse, .secondFactorRequired,
            .verificationRequired, .registrationRequired, .additionalStepRequired, .codeMismatch, .invalidInput,
            .requiresRecentSignIn, .lastProvider, .userDisabled, .sessionExpired, .refused, .rateLimited, .noPasskey,
            .passkeyExists, .network,
            .server,
            .invalidResponse, .stateMismatch, .nonceMismatch, .issuerMismatch, .invalidIDToken, .misconfigured,
            .appUnavailable, .presentationUnavailable, .deviceOwnerUnavailable, .storage, .storageLocked, .unexpected,
        ]
    }
}

extension AuthError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { rawValue }
}

extension AuthError.Code {
    /// The number of this code in an `NSError`.
    ///
    /// The numbers of this library's codes never change. An app's own code has a number from 10 000 on, computed from
    /// its name.
    public var number: Int {
        Self.numbers[self] ?? 10_000 + Int(rawValue.utf8.stableHash % 1_000_000_000)
    }

    private static let numbers: [Self: Int] = [
        .cancelled: 1, .accessDenied: 2, .superseded: 3, .abandoned: 4, .timedOut: 5,
        .unsupportedProvider: 20, .notSignedIn: 21, .userNotFound: 22, .invalidCredential: 23, .invalidCustomToken: 24,
        .accountExists: 25, .credentialInUse: 26, .secondFactorRequired: 27, .requiresRecentSignIn: 28,
        .lastProvider: 29, .userDisabled: 30, .sessionExpired: 31, .rateLimited: 32, .refused: 33,
        .verificationRequired: 34, .registrationRequired: 35, .additionalStepRequired: 36, .codeMismatch: 37,
        .invalidInput: 38, .noPasskey: 39, .passkeyExists: 40,
        .network: 50, .server: 51, .invalidResponse: 52,
        .stateMismatch: 60, .nonceMismatch: 61, .issuerMismatch: 62, .invalidIDToken: 63,
        .misconfigured: 70, .appUnavailable: 71, .storage: 72, .storageLocked: 73, .unexpected: 74,
        .presentationUnavailable: 75, .deviceOwnerUnavailable: 76,
    ]
}
