import AuthStreams

extension AuthError {
    /// The app did not keep the service.
    static func serviceIsReleased(of holder: String) -> Self {
        AuthError(
            .misconfigured,
            "The AuthService of this \(holder) was released. Keep the service for as long as the app runs: views do not."
        )
    }
}
