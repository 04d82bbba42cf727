/// The use case 'sign out': here first, then at the server as far as it can be reached.
public struct SignOut: Sendable {
    private let repository: any AuthRepository
    private let keeper: SessionKeeper

    /// Makes the use case.
    public init(repository: any AuthRepository, keeper: SessionKeeper) {
        self.repository = repository
        self.keeper = keeper
    }

    /// Ends the session when iterated. Nobody being signed in is a success too.
    ///
    /// The state is signed out at once, and a cancellation does not stop that. The server is told afterwards; when it
    /// cannot be reached, that is no failure. The stream's errors: `storage` or `storageLocked` when the store could not be
    /// cleared: it is cleared at the next chance, but a restart before that brings the session back.
    public func callAsFunction() -> AuthStream<Void> {
        AuthStream(body: {
            do throws(AuthError) {
                guard let ended = try await keeper.end(.user) else { return .success(()) }
                try? await repository.signOut(ended)
                return .success(())
            } catch {
                return .failure(error)
            }
        })
    }
}
