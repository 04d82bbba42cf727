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
    /// The state is signed out at once, and a cancellation that comes once it is iterated does not stop that. The server is
    /// told afterwards; when it cannot be reached, that is no failure. The stream's errors: `storage` or `storageLocked`
    /// when the store could not be cleared: it is cleared at the next chance, but a restart before that brings the session
    /// back.
    public func callAsFunction() -> AuthStream<Void> {
        AuthStream(body: {
            let ended = keeper.end(.user)
            let outcome = await clearStore()
            // Also when the store failed: then only the server can see to it that the session stays ended.
            if let ended { try? await repository.signOut(ended) }
            return outcome
        })
    }

    private func clearStore() async -> Result<Void, AuthError> {
        do throws(AuthError) { return .success(try await keeper.persist()) } catch { return .failure(error) }
    }
}
