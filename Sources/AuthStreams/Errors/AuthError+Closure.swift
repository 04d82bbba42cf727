extension AuthError {
    /// Returns the error as one that an app's closure threw: `unexpected` for a code that a closure cannot decide.
    ///
    /// Only the server may end a session. A cancellation without a cancelled task must not count as the person's own,
    /// because that is not shown.
    package func attributedToClosure(_ closure: String) -> AuthError {
        let undecidable: [Code] = [.userNotFound, .userDisabled, .sessionExpired]
        let isOwnCancellation = isUserCancellation && !Task.isCancelled
        guard isOwnCancellation || undecidable.contains(code) else { return self }
        return AuthError(
            .unexpected, "The app's \(closure) closure threw '\(code.rawValue)', which is not for it to say.",
            serverCode: serverCode)
    }
}
