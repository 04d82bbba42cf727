import AuthStreams

/// Apple's errors beyond the codes of the specifications.
enum AppleErrors {
    static let dialect: OAuthFailure.Dialect = { failure in
        switch failure.error {
        case "user_cancelled_authorize": AuthError(.cancelled, "The person cancelled on Apple's page.")
        default: nil
        }
    }
}
