import AuthStreams
import Foundation

/// An answer that is not a success (`errors.go`, `apierrors/`).
///
/// ```
/// {"code": "weak_password", "message": "…", "weak_password": {"reasons": ["length"]}}     since 2024-01-01
/// {"code": 422, "error_code": "weak_password", "msg": "…"}                                before
/// {"error": "invalid nonce", "error_description": "Nonces mismatch"}                      at an ID token
/// {"message": "Invalid API key"}                                                          of the gateway
/// ```
struct GoTrueRefusal {
    private let request: AuthHTTPRequest
    private let response: AuthHTTPResponse
    private let json: AuthJSON?
    /// The code; `nil` if there is none.
    private let code: String?
    private let message: String?

    init(_ response: AuthHTTPResponse, to request: AuthHTTPRequest) {
        self.request = request
        self.response = response
        json = response.isPage ? nil : response.json
        code = json.flatMap { ($0["code"] ?? .null).string ?? $0["error_code"]?.string ?? $0["error"]?.string }
        message = ["message", "msg", "error_description"].lazy.compactMap { [json] in json?[$0]?.text }.first
    }

    var error: AuthError {
        let status = response.status
        // An overloaded or failing server, or one in between, ends no session.
        guard (400..<500).contains(status), status != 429, let json, json.object != nil else { return byStatus }
        guard let code else {
            guard status == 401 else { return unknown }
            return error(
                .misconfigured, "Supabase's gateway refused the app. Copy URL and publishable key from the dashboard.")
        }
        // The token was accepted (`auth.go`: `requireNotAnonymous`).
        if code == "no_authorization", status == 403 {
            return error(.accessDenied, "An anonymous user may not do this. Link an identity first.")
        }
        guard let meaning = Self.meanings[code] else { return unknown }
        var error = error(meaning.code, meaning.explanation)
        if code == "weak_password" { error.explanation += rules }
        return error
    }

    /// The error of an Edge Function.
    func errorOfFunction(_ name: String) -> AuthError {
        switch response.status {
        case 401:
            // The platform checks the token before the function runs.
            error(
                .invalidCredential, "The function's platform did not take the access token. Refresh, then repeat.",
                refusesAccessToken: true)
        case 404:
            error(.misconfigured, "The project has no Edge Function of that name. Deploy it, or correct the name.")
        case 400..<500 where response.status != 429: error(.refused, "The Edge Function refused. Look at its log.")
        default: byStatus
        }
    }

    private var byStatus: AuthError {
        switch response.status {
        case 429: error(.rateLimited, "Supabase wants fewer requests. Try again later.")
        case 500...: error(.server, "Supabase failed with status \(response.status). Try again later.")
        default:
            error(
                .invalidResponse,
                "Status \(response.status) is none of Supabase Auth's. Check the project's URL, and what stands between."
            )
        }
    }

    /// A refusal with an unknown code. Repeating the request unchanged is pointless, and an unknown code must not end a session.
    private var unknown: AuthError {
        error(.refused, "Supabase refused the request for a reason of its own. Look the server's code up.")
    }

    private func error(
        _ meaning: AuthError.Code, _ explanation: String, refusesAccessToken: Bool = false
    ) -> AuthError {
        var error = AuthError(
            meaning, explanation, serverCode: printableCode, retryAfter: retryAfter,
            refusesAccessToken: refusesAccessToken || meaning == .invalidCredential && refusesToken)
        error.serverMessage = ServerMessage.shown(message, hiding: request.texts)
        return error
    }

    /// The code, if it is a word as GoTrue's are, and not what the request sent.
    private var printableCode: String? {
        guard let code, (1...64).contains(code.utf8.count), !request.texts.contains(Secret(code)), !request.sends(code),
            code.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || "_ ".utf8.contains($0) })
        else { return nil }
        return code.replacing(" ", with: "_")
    }

    /// GoTrue itself sends no `Retry-After`; what stands before it may. Between two mails its words have the wait: 'you can only
    /// request this after 42 seconds' (`errors.go`: `generateFrequencyLimitErrorMessage`).
    private var retryAfter: Duration? {
        if let wait = response.credibleRetryAfter { return wait }
        guard let code, code.hasSuffix("_send_rate_limit"),
            let match = message?.firstMatch(of: /after ([0-9]{1,5}) seconds/), let seconds = Int(match.1)
        else { return nil }
        return .seconds(seconds)
    }

    /// The rules that a password breaks (`password.go`).
    private var rules: String {
        let words = [
            "length": "too short", "characters": "a kind of character is missing", "pwned": "known from a leak",
        ]
        let reasons = (json?["weak_password"]?["reasons"]?.array ?? []).compactMap { $0.string.flatMap { words[$0] } }
        return reasons.isEmpty ? "" : " The rules: \(reasons.joined(separator: ", "))."
    }
}

extension GoTrueRefusal {
    /// Whether the access token was refused before anything else (`auth.go`).
    private var refusesToken: Bool { code == "bad_jwt" || code == "no_authorization" }

    /// The codes of `apierrors/errorcode.go` that a request of ``SupabaseRepository`` can be answered with, and those of an ID token
    /// (`token_oidc.go`), which are no codes there.
    static let meanings: [String: AuthError.Meaning] = [
        // The session.
        "bad_jwt": (.invalidCredential, "Supabase did not take the access token. Refresh the session, then repeat."),
        "no_authorization": (.invalidCredential, "Supabase got no access token. Refresh the session, then repeat."),
        "session_not_found": (.sessionExpired, "The session was ended: by a sign-out, or with another one."),
        "session_expired": (.sessionExpired, "The session is over by the project's rules for sessions."),
        "refresh_token_not_found": (
            .sessionExpired, "Supabase does not know the refresh token: its session was ended."
        ),
        "refresh_token_already_used": (
            .sessionExpired, "The refresh token was used before, which Supabase takes for a theft."
        ),
        "user_not_found": (.userNotFound, "The user was deleted."),
        "user_banned": (.userDisabled, "The user is banned."),

        // The credential.
        "invalid_credentials": (.invalidCredential, "Address and password do not belong together."),
        "invalid request": (.invalidCredential, "Supabase refused the ID token; its words say why."),
        "invalid nonce": (
            .invalidCredential, "The ID token has another nonce than the SHA-256 of the one that was sent."
        ),
        "server_error": (.server, "Supabase failed. Try again later."),
        "otp_expired": (.invalidCredential, "The code or the link is wrong, was used before, or is too old."),
        "bad_code_verifier": (.invalidCredential, "The code was made for another attempt."),
        "flow_state_not_found": (.invalidCredential, "The code was used before, or is not known."),
        "flow_state_expired": (.invalidCredential, "The code is too old."),

        // The account.
        "user_already_exists": (.accountExists, "There is an account with this address. Sign in instead."),
        "email_exists": (.accountExists, "The address belongs to another account. Sign in there, then link."),
        "phone_exists": (.accountExists, "The number belongs to another account. Sign in there, then link."),
        "identity_already_exists": (.credentialInUse, "The identity belongs to another user. Sign in with it instead."),
        "single_identity_not_deletable": (
            .lastProvider, "It is the last identity of the user, who could never sign in again. Link another first."
        ),
        "email_conflict_identity_not_deletable": (
            .accountExists, "Without the identity the user would have the address of another account."
        ),
        "email_not_confirmed": (
            .verificationRequired, "The address is not confirmed: the person opens Supabase's mail."
        ),
        "phone_not_confirmed": (
            .verificationRequired, "The number is not confirmed: the person enters Supabase's code."
        ),
        "provider_email_needs_verification": (
            .verificationRequired, "The provider did not vouch for the address: the person opens Supabase's mail."
        ),
        "signup_disabled": (.accessDenied, "The project takes no new users."),
        "otp_disabled": (.accessDenied, "The project makes no users by a code or a link."),
        "user_sso_managed": (.accessDenied, "The user's data are managed by their organization."),
        "email_address_not_authorized": (
            .misconfigured, "Supabase's own mail server writes to members of the project alone. Set up an SMTP server."
        ),

        // What the person entered.
        "weak_password": (.invalidInput, "The project refuses the password."),
        "same_password": (.invalidInput, "The new password is the old one."),
        "current_password_invalid": (.invalidInput, "The current password is wrong."),
        "current_password_required": (.additionalStepRequired, "The project requires the current password."),
        "email_address_invalid": (.invalidInput, "Supabase takes no mail address of this kind."),
        "validation_failed": (.invalidInput, "Supabase refuses a value of the request; its words say which."),
        "reauthentication_needed": (.verificationRequired, "The sign-in is too old for this: a code has to be sent."),
        "reauthentication_not_valid": (.codeMismatch, "The code is wrong, was used before, or is too old."),

        // Second factors.
        "insufficient_aal": (
            .requiresRecentSignIn, "The session has no second factor, and this requires it. Sign in again, then repeat."
        ),
        "mfa_verification_failed": (.codeMismatch, "The code of the authenticator app is wrong."),
        "mfa_challenge_expired": (.codeMismatch, "The code came too late. Enter the next one."),
        "mfa_ip_address_mismatch": (.codeMismatch, "The network changed in between. Enter the next code."),
        "mfa_verification_rejected": (
            .accessDenied, "A hook of the project refused the person, and ended the sessions."
        ),
        "mfa_factor_not_found": (.invalidInput, "The user has no such second factor."),
        "mfa_factor_name_conflict": (.invalidInput, "The user has a second factor of that name."),
        "mfa_verified_factor_exists": (.invalidInput, "The user has a second factor of that kind."),
        "too_many_enrolled_mfa_factors": (.invalidInput, "The user has as many second factors as the project allows."),
        "mfa_totp_enroll_not_enabled": (.misconfigured, "Enable authenticator apps in Supabase's dashboard."),
        "mfa_totp_verify_not_enabled": (.misconfigured, "Enable authenticator apps in Supabase's dashboard."),

        // The project.
        "provider_disabled": (.misconfigured, "Enable the provider in Supabase's dashboard."),
        "email_provider_disabled": (.misconfigured, "Enable sign-ins by mail in Supabase's dashboard."),
        "phone_provider_disabled": (.misconfigured, "Enable sign-ins by phone in Supabase's dashboard."),
        "anonymous_provider_disabled": (.misconfigured, "Enable anonymous users in Supabase's dashboard."),
        "manual_linking_disabled": (.misconfigured, "Enable manual linking in Supabase's dashboard."),
        "captcha_failed": (
            .misconfigured,
            "The project requires a CAPTCHA, which this repository does not send. Turn it off for the app."
        ),
        "unexpected_audience": (.misconfigured, "The access token is for another audience than the project's."),
        "bad_json": (.misconfigured, "Supabase does not understand the request."),

        // Transport.
        "over_request_rate_limit": (.rateLimited, "Supabase wants fewer requests. Try again later."),
        "over_email_send_rate_limit": (.rateLimited, "Supabase sends no further mail now. Try again later."),
        "over_sms_send_rate_limit": (.rateLimited, "Supabase sends no further message now. Try again later."),
        "sms_send_failed": (.server, "Supabase could not send the message. Check its provider of messages."),
        "hook_timeout": (.server, "A hook of the project did not answer in time."),
        "hook_timeout_after_retry": (.server, "A hook of the project did not answer in time."),
        "request_timeout": (.server, "Supabase did not finish in time. Try again later."),
        "conflict": (.server, "Another request of the user was under way. Try again."),
        "unexpected_failure": (.server, "Supabase failed. Try again later."),
    ]
}
