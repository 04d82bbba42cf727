extension AuthError {
    /// The error as that of a closure of the app's: `unexpected` for what a closure cannot decide.
    ///
    /// Nobody but the server may say that a session is over. And a cancellation that nobody asked for must not pass for the
    /// person's own, or nobody would be told of it.
    package func ofTheApps(_ closure: String) -> AuthError {
        let undecidable: [Code] = [.userNotFound, .userDisabled, .sessionExpired]
        let isOwnCancellation = isUserCancellation && !Task.isCancelled
        guard isOwnCancellation || undecidable.contains(code) else { return self }
        return AuthError(
            .unexpected, "The app's \(closure) closure threw '\(code.rawValue)', which is not for it to say.",
            serverCode: serverCode)
    }
}
