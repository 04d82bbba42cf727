import AuthStreams

/// The meanings of the error codes of Identity Toolkit and Secure Token, one line for a code or several similar ones.
///
/// From <https://cloud.google.com/identity-platform/docs/error-codes> and the lists of Google's own SDKs.
enum IdentityToolkitErrors {
    /// Returns the meaning of a code; `nil` if it is not in the table.
    static func meaning(of code: String) -> AuthError.Meaning? { table[code] }

    /// The codes whose detail is the rules that a password breaks.
    static let passwordRules: Set<String> = ["WEAK_PASSWORD", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"]

    /// Returns the meaning of one of Google's reasons for an API key.
    static func meaning(ofReason reason: String) -> AuthError.Meaning? {
        reasons[reason]
    }

    private static let table = dictionary([
        // The session is over.
        (["USER_NOT_FOUND"], .userNotFound, "The account was deleted. Sign in again to make a new one."),
        (["USER_DISABLED"], .userDisabled, "The account was disabled in the Firebase console or by the server."),
        (["TOKEN_EXPIRED"], .sessionExpired, "The session was revoked, or the password changed. Sign in again."),
        (
            ["INVALID_REFRESH_TOKEN"], .sessionExpired,
            "Firebase does not know the refresh token. Sign in again."
        ),
        (["INVALID_ID_TOKEN"], .sessionExpired, "Firebase does not take the ID token any more. Sign in again."),

        // A recent sign-in is required.
        (
            ["CREDENTIAL_TOO_OLD_LOGIN_AGAIN"], .requiresRecentSignIn,
            "The last sign-in is too long ago for this. Sign in again, then repeat it."
        ),

        // Invalid credential.
        (
            ["INVALID_CUSTOM_TOKEN", "MISSING_CUSTOM_TOKEN"], .invalidCustomToken,
            "Firebase refused the custom token: badly formed, expired, or signed by a foreign service account."
        ),
        (
            ["CREDENTIAL_MISMATCH"], .invalidCustomToken,
            "The custom token is of another project than the API key. Check which project the function runs in."
        ),
        (
            ["MISSING_OR_INVALID_NONCE"], .nonceMismatch,
            "The nonce does not fit the ID token. Send the raw nonce of the same attempt, and each ID token once."
        ),
        (
            ["INVALID_IDP_RESPONSE"], .invalidCredential,
            "Firebase refused the provider's token: expired, or made for a client that the console does not list."
        ),
        (
            ["INVALID_CREDENTIAL_OR_PROVIDER_ID"], .invalidCredential,
            "Firebase could not read the credential, or does not know the provider."
        ),
        (["INVALID_PENDING_TOKEN"], .invalidCredential, "The pending token is over. Ask the provider again."),
        // The first in projects that protect addresses, as new ones do; the other two elsewhere. None of them concerns a session.
        (
            ["INVALID_LOGIN_CREDENTIALS", "INVALID_PASSWORD", "EMAIL_NOT_FOUND"], .invalidCredential,
            "The e-mail address or the password is not correct."
        ),
        (["INVALID_IDENTIFIER"], .invalidCredential, "The identifier is neither e-mail nor phone number."),
        (["INVALID_PROVIDER_ID"], .misconfigured, "Firebase does not know the provider. Check its name in the route."),

        // Conflicts.
        (
            ["EMAIL_EXISTS"], .accountExists,
            "The e-mail belongs to another account. Sign in there, then link this identity."
        ),
        (
            ["FEDERATED_USER_ID_ALREADY_LINKED"], .credentialInUse,
            "The identity belongs to another account. Sign in with it instead of linking it."
        ),
        (
            ["UNVERIFIED_EMAIL"], .accessDenied,
            "The account's e-mail has to be verified first. Send the mail for it, then reload the user."
        ),
        (
            ["EMAIL_CHANGE_NEEDS_VERIFICATION"], .accessDenied,
            "The new e-mail has to be verified before it takes the old one's place."
        ),

        // Input.
        (["INVALID_EMAIL", "INVALID_RECIPIENT_EMAIL"], .invalidInput, "The e-mail address is badly formed."),
        (["MISSING_EMAIL"], .invalidInput, "An e-mail address is needed, and the user may have none."),
        (["MISSING_PASSWORD"], .invalidInput, "A password is needed."),
        (
            ["WEAK_PASSWORD", "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"], .invalidInput,
            "The password is too weak for the project's rules. The server's message says which it breaks."
        ),
        (
            ["EXPIRED_OOB_CODE", "INVALID_OOB_CODE", "MISSING_OOB_CODE"], .invalidCredential,
            "The link is expired, was used, or was replaced by a newer one. Send another mail."
        ),
        (
            ["MISSING_CONTINUE_URI", "INVALID_CONTINUE_URI", "UNAUTHORIZED_DOMAIN", "INVALID_REQUEST_URI"],
            .misconfigured,
            "The URL to return to is missing, badly formed, or not among the authorized domains of the Firebase console."
        ),
        (
            [
                "INVALID_DYNAMIC_LINK_DOMAIN", "INVALID_HOSTING_LINK_DOMAIN", "DYNAMIC_LINK_NOT_ACTIVATED",
                "MISSING_IOS_BUNDLE_ID", "INVALID_IOS_BUNDLE_ID",
            ], .misconfigured, "The link of the mail cannot open the app. Check the app in the Firebase console."
        ),
        (
            ["INVALID_SENDER", "INVALID_MESSAGE_PAYLOAD"], .misconfigured,
            "The e-mail template in the Firebase console is not valid."
        ),

        // Rate limits.
        (
            ["TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED", "RESET_PASSWORD_EXCEED_LIMIT"], .rateLimited,
            "Firebase wants fewer requests. Try again later."
        ),

        // Second factors. The lists of Google's SDKs have the codes of a sign-in and the limits; TOTP_CHALLENGE_TIMEOUT,
        // INVALID_MFA_ENROLLMENT_ID, TOO_MANY_ENROLLMENT_ATTEMPTS and MFA_ENROLLMENT_ALREADY_COMPLETE are undocumented, and
        // known from public recordings of production of September 2026.
        (["INVALID_CODE", "MISSING_CODE"], .codeMismatch, "The code is not correct, or was used before."),
        (
            [
                "TOTP_CHALLENGE_TIMEOUT", "INVALID_MFA_PENDING_CREDENTIAL", "MISSING_MFA_PENDING_CREDENTIAL",
                "MISSING_CREDENTIAL",
            ], .timedOut,
            "The sign-in that waited for the second factor is over. Sign in again from the start."
        ),
        (
            ["INVALID_MFA_ENROLLMENT_ID", "MISSING_MFA_ENROLLMENT_ID", "MFA_ENROLLMENT_NOT_FOUND"], .invalidInput,
            "The account has no such second factor any more. Look the factors up again."
        ),
        (
            // The session of an enrollment or of a text message, not the user's.
            ["SESSION_EXPIRED", "INVALID_SESSION_INFO", "MISSING_SESSION_INFO"], .invalidCredential,
            "The enrollment, or the wait for the code, took too long. Start again."
        ),
        (
            ["TOO_MANY_ENROLLMENT_ATTEMPTS"], .codeMismatch,
            "Three codes were not correct, so the enrollment is over. Start again with another secret."
        ),
        (["MFA_ENROLLMENT_ALREADY_COMPLETE"], .invalidInput, "The enrollment is complete already."),
        (
            ["SECOND_FACTOR_EXISTS", "SECOND_FACTOR_LIMIT_EXCEEDED"], .invalidInput,
            "The account has an authenticator app already, or as many factors as Firebase allows. Remove one first."
        ),
        (
            ["UNSUPPORTED_FIRST_FACTOR", "UNSUPPORTED_SECOND_FACTOR"], .unsupportedProvider,
            "Firebase has second factors for passwords, mail links and identity providers, not for custom tokens, phone numbers "
                + "and anonymous users."
        ),

        // The console.
        (
            ["OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED"], .misconfigured,
            "The provider is not enabled. Enable it in the Firebase console, Authentication, Sign-in method; authenticator apps by "
                + "the Admin SDK."
        ),
        (["CONFIGURATION_NOT_FOUND"], .misconfigured, "Authentication is not set up in the Firebase console yet."),
        (["ADMIN_ONLY_OPERATION"], .misconfigured, "The project lets only its administrators do this."),
        (
            ["TENANT_ID_MISMATCH", "UNSUPPORTED_TENANT_OPERATION"], .misconfigured,
            "The tenant is not the credential's, or cannot do this. Check the project's tenant."
        ),
        // Not about the session: a release with a wrong key must not sign out all users.
        (
            ["PROJECT_NUMBER_MISMATCH"], .misconfigured,
            "The refresh token is of another project than the API key. Correct the key, or adopt this project's tokens."
        ),
        (["PROJECT_DISABLED"], .misconfigured, "The project is disabled. Look at its billing in the Cloud console."),
        (
            ["INVALID_GRANT_TYPE", "MISSING_GRANT_TYPE", "MISSING_REFRESH_TOKEN"], .misconfigured,
            "The token endpoint got another request than it takes. Check what stands between the app and Firebase."
        ),

        // Restrictions.
        (
            [BlockingFunctionRefusal.code], .accessDenied,
            "A blocking function of the project refused the sign-in. Look at its message, or at its log."
        ),
        (
            ["MISSING_RECAPTCHA_TOKEN", "INVALID_RECAPTCHA_TOKEN"], .misconfigured,
            "The project enforces reCAPTCHA for passwords, which this library does not show. Do not enforce it for this app."
        ),
        (["CAPTCHA_CHECK_FAILED"], .accessDenied, "Firebase takes the request for one that no person made."),
        (["APP_NOT_VERIFIED"], .misconfigured, "Firebase could not verify the app. Check its registration."),
    ])

    /// The session-ending codes with a specific reason.
    ///
    /// Firebase's refresh tokens do not expire. So the code means that the session was revoked, or that
    /// the password or the e-mail address changed.
    static let endings: [String: SignOutReason] = ["TOKEN_EXPIRED": .revoked]

    private static let reasons = dictionary([
        (
            ["keyInvalid", "API_KEY_INVALID"], .misconfigured,
            "The API key is not valid. Copy the Web API key from the Firebase console."
        ),
        (
            [
                "ipRefererBlocked", "API_KEY_SERVICE_BLOCKED", AppRefusal.bundleReason, "API_KEY_ANDROID_APP_BLOCKED",
                "API_KEY_HTTP_REFERRER_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED",
            ], .misconfigured,
            "The API key's restrictions shut this app out. Allow it in the Cloud console, or set the project's `bundleID`."
        ),
        (["SERVICE_DISABLED"], .misconfigured, "Enable the Identity Toolkit API in the Cloud console."),
    ])

    private static func dictionary(_ rows: [([String], AuthError.Code, String)]) -> [String: AuthError.Meaning] {
        var table: [String: AuthError.Meaning] = [:]
        for (names, code, explanation) in rows {
            for name in names { table[name] = (code, explanation) }
        }
        return table
    }
}
