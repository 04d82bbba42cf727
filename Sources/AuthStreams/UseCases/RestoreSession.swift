/// The use case 'restore': reads what an earlier run of the app left.
public struct RestoreSession: Sendable {
    private let manager: SessionManager

    /// Makes the use case.
    public init(manager: SessionManager) {
        self.manager = manager
    }

    /// Reads the store when iterated, and waits for as long as it is locked.
    ///
    /// The element is who is signed in then, `nil` for nobody. A sign-in or sign-out that came meanwhile wins over what the
    /// store says. The stream's errors: `storage` when the record cannot be read, which is left as it is while the
    /// state becomes signed out (iterating again reads again); `cancelled`, which leaves the state at restoring.
    public func callAsFunction() -> AuthStream<AuthUser?> {
        AuthStream { try await manager.restore() }
    }
}
