import AuthStreams
import LoopbackHTTP

/// An error of Supabase Auth, in the form that the request's API version has (`errors.go`).
struct SupabaseError: Error {
    /// The statuses of `apierrors`, where they are not 400.
    private static let statuses = [
        "bad_jwt": 403, "session_not_found": 403, "user_not_found": 403, "otp_expired": 403,
        "mfa_verification_rejected": 403, "email_exists": 422, "user_already_exists": 422,
        "phone_exists": 422, "identity_already_exists": 422, "email_conflict_identity_not_deletable": 422,
        "identity_not_found": 422, "single_identity_not_deletable": 422, "weak_password": 422, "same_password": 422,
        "reauthentication_not_valid": 422, "mfa_verification_failed": 422, "mfa_challenge_expired": 422,
        "mfa_factor_name_conflict": 422, "mfa_ip_address_mismatch": 422, "mfa_totp_enroll_not_enabled": 422,
        "too_many_enrolled_mfa_factors": 422, "anonymous_provider_disabled": 422, "otp_disabled": 422,
        "signup_disabled": 422, "provider_email_needs_verification": 422, "email_not_confirmed": 400,
        "mfa_factor_not_found": 404, "manual_linking_disabled": 404, "no_authorization": 401,
        "over_request_rate_limit": 429, "over_email_send_rate_limit": 429, "over_sms_send_rate_limit": 429,
        "unexpected_failure": 500, "request_timeout": 504, "conflict": 409,
    ]

    let code: String
    private let status: Int
    private let message: String
    private let members: [String: AuthJSON]
    /// Whether it is one of OAuth, which has no code (`OAuthError`).
    private var isOAuth = false

    init(_ code: String, _ message: String, status: Int? = nil, members: [String: AuthJSON] = [:]) {
        (self.code, self.message, self.members) = (code, message, members)
        self.status = status ?? Self.statuses[code] ?? 400
    }

    static func oauth(_ error: String, _ description: String) -> Self {
        var refusal = Self(error, description)
        refusal.isOAuth = true
        return refusal
    }

    /// Makes the error that a test requested, by its code.
    init(requested code: String) {
        self.init(code, "A test asked for this error.")
    }

    static func weakPassword(_ message: String, reasons: [String]) -> Self {
        Self("weak_password", message, members: ["weak_password": ["reasons": .strings(reasons)]])
    }

    func response(to request: EmulatorRequest) -> LoopbackResponse {
        guard !isOAuth else {
            return .json(["error": .string(code), "error_description": .string(message)], status: status)
        }
        guard let version = request.header("X-Supabase-Api-Version"), version >= "2024-01-01" else {
            let old: [String: AuthJSON] = [
                "code": .integer(Int64(status)), "error_code": .string(code), "msg": .string(message),
            ]
            return .json(.object(old.merging(members) { own, _ in own }), status: status)
        }
        let own: [String: AuthJSON] = ["code": .string(code), "message": .string(message)]
        var response = LoopbackResponse.json(.object(own.merging(members) { own, _ in own }), status: status)
        response.headers.append(("X-Supabase-Api-Version", "2024-01-01"))
        return response
    }
}
