public import AuthStreams

extension OAuthFailure {
    /// The error for the codes of RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6, RFC 8707 section 2 and
    /// RFC 9396 section 5.
    public var standard: AuthError {
        switch error {
        case "access_denied":
            AuthError(.accessDenied, "The person or the provider declined.")
        // The page was shown, so the person was asked.
        case "consent_required" where isFromPage:
            AuthError(.accessDenied, "The person did not give a consent that the provider requires.")
        case "invalid_grant":
            AuthError(
                .invalidCredential,
                "The provider refused the code: it was used, it expired, or verifier or redirect URI differ. Start over."
            )
        case "invalid_client", "unauthorized_client":
            AuthError(
                .misconfigured,
                "The provider refused the client. Compare client ID, client secret and client type with its console.")
        case "invalid_request", "unsupported_response_type", "unsupported_grant_type", "redirect_uri_mismatch",
            "invalid_request_uri", "invalid_request_object", "request_not_supported", "request_uri_not_supported",
            "registration_not_supported", "invalid_target", "invalid_authorization_details":
            AuthError(
                .misconfigured,
                "The provider refused the form of the request. Compare redirect URI and client type with its console.")
        case "invalid_scope":
            AuthError(
                .misconfigured, "The provider does not grant a scope that was asked for; enable it in its console.")
        case "server_error", "temporarily_unavailable":
            AuthError(.server, "The provider says that it failed. Try again later.")
        case "slow_down":
            AuthError(.rateLimited, "The provider wants fewer requests. Try again later.")
        case "login_required", "interaction_required", "account_selection_required", "consent_required":
            AuthError(
                .requiresRecentSignIn, "The provider wants to ask the person. Sign in again without suppressing it.")
        default:
            unknown
        }
    }

    private var isFromPage: Bool { if case .callback = origin { true } else { false } }

    private var unknown: AuthError {
        switch origin {
        case .callback:
            AuthError(.accessDenied, "The provider declined with a code of its own; look it up in its documentation.")
        case .endpoint:
            AuthError(
                .invalidCredential, "The provider refused with a code of its own; look it up in its documentation.")
        }
    }
}
