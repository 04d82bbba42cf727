import AuthStreams

/// Google's errors beyond the codes of the specifications.
enum GoogleErrors {
    static let dialect: OAuthFailure.Dialect = { failure in
        switch failure.error {
        case "admin_policy_enforced":
            AuthError(
                .accessDenied, "The Workspace administrator does not allow this app. They can in the admin console.")
        case "org_internal":
            AuthError(.accessDenied, "The client is for one organisation's members only; see its consent screen.")
        case "deleted_client":
            AuthError(
                .misconfigured,
                "The client was deleted after six months without use, or by hand. Create another in the Google Cloud console."
            )
        case "invalid_audience":
            AuthError(
                .misconfigured, "The server's client ID is no client of type Web in the same project. Correct it.")
        case "disallowed_useragent":
            AuthError(.misconfigured, "Google refuses embedded views. Show its page in the system browser.")
        default: nil
        }
    }
}
