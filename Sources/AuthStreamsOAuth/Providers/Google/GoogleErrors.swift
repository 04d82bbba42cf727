import AuthStreams

/// Google's errors beyond the codes of the specifications.
enum GoogleErrors {
    static let dialect: OAuthFailure.Dialect = { failure in
        meanings[failure.error].map { AuthError($0.code, $0.explanation) }
    }

    private static let meanings: [String: AuthError.Meaning] = [
        "admin_policy_enforced": (
            .accessDenied, "The Workspace administrator does not allow this app. They can in the admin console."
        ),
        "org_internal": (
            .accessDenied, "The client is for one organisation's members only; see its consent screen."
        ),
        "deleted_client": (
            .misconfigured,
            "The client was deleted after six months without use, or by hand. Create another in the Google Cloud console."
        ),
        "invalid_audience": (
            .misconfigured, "The server's client ID is no client of type Web in the same project. Correct it."
        ),
        "disallowed_useragent": (
            .misconfigured, "Google refuses embedded views. Show its page in the system browser."
        ),
    ]
}
