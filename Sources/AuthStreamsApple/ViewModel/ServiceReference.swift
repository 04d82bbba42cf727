import AuthStreams

/// A service that the app keeps and its holder does not.
///
/// A preview is the exception: it is made in the place where it is used, so its holder keeps it. It does not keep its holder, and
/// has no work of its own.
struct ServiceReference {
    private weak var reference: AuthService?
    private let preview: AuthService?

    init(_ service: AuthService) {
        reference = service
        preview = service.isPreview ? service : nil
    }

    /// `nil` after the app has released the service.
    var service: AuthService? { reference }
}

extension AuthError {
    /// The app did not keep the service.
    static func serviceIsReleased(of holder: String, during operation: AuthOperation) -> Self {
        AuthError(
            .misconfigured,
            "The AuthService of this \(holder) was released. Keep the service for as long as the app runs: views do not."
        ).during(operation)
    }
}
