import AuthStreams

/// The error words of the standards, and what each means here.
enum StandardErrors {
    /// Of an authorization response: RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2,
    /// RFC 9396 section 5.
    static let ofThePage: [(word: String, code: AuthError.Code)] = [
        ("invalid_request", .misconfigured), ("unauthorized_client", .misconfigured), ("access_denied", .accessDenied),
        ("unsupported_response_type", .misconfigured), ("invalid_scope", .misconfigured), ("server_error", .server),
        ("temporarily_unavailable", .server), ("interaction_required", .requiresRecentSignIn),
        ("login_required", .requiresRecentSignIn), ("account_selection_required", .requiresRecentSignIn),
        ("consent_required", .accessDenied), ("invalid_request_uri", .misconfigured),
        ("invalid_request_object", .misconfigured), ("request_not_supported", .misconfigured),
        ("request_uri_not_supported", .misconfigured), ("registration_not_supported", .misconfigured),
        ("invalid_target", .misconfigured), ("invalid_authorization_details", .misconfigured),
    ]

    /// Of a token endpoint, with their status: RFC 6749 section 5.2. Some answer a refresh that the person must see to by
    /// the words of a page.
    static let ofTheTokenEndpoint: [(word: String, status: Int, code: AuthError.Code)] = [
        ("invalid_request", 400, .misconfigured), ("invalid_client", 401, .misconfigured),
        ("invalid_grant", 400, .invalidCredential), ("unauthorized_client", 400, .misconfigured),
        ("unsupported_grant_type", 400, .misconfigured), ("invalid_scope", 400, .misconfigured),
        ("consent_required", 400, .requiresRecentSignIn), ("interaction_required", 400, .requiresRecentSignIn),
    ]
}
