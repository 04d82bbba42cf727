/// The use case 'sign out': here first, then at the server as far as it can be reached.
public struct SignOut: Sendable {
    private let repository: any AuthRepository
    private let manager: SessionManager

    /// Makes the use case.
    public init(repository: any AuthRepository, manager: SessionManager) {
        self.repository = repository
        self.manager = manager
    }

    /// Ends the session when iterated. Succeeds also when no user is signed in.
    ///
    /// The state is signed out at once, and a later cancellation does not stop that. The server is told afterwards; if it
    /// cannot be reached, that is no failure. The stream's errors: `storage` or `storageLocked` if the store could not be
    /// cleared. That is retried automatically, but a restart before it succeeds restores the session.
    public func callAsFunction() -> AuthStream<Void> {
        AuthStream(body: {
            let ended = manager.signOut()
            let outcome = await clearStore()
            // Also when the store failed: then only the server can end the session that a restart would restore.
            if let ended { await endOnServer(ended) }
            return outcome
        })
    }

    /// Ends all sessions of the user when iterated: this one at once, as ``callAsFunction()`` does, then those on other devices.
    ///
    /// If the server could not be told, the stream fails, and this device is signed out. The stream's errors: `notSignedIn`
    /// when no user was signed in; `superseded` when a sign-in came in between, which stays; `unsupportedProvider` when the
    /// repository cannot do it; why the server could not be told; or those of signing out here.
    public func everywhere() -> AuthStream<Void> {
        AuthStream(body: {
            let taken: EndedSession?
            do throws(AuthError) {
                taken = try await SignOutEverywhere(repository: repository, manager: manager).take()
            } catch {
                return .failure(error)
            }
            let outcome = await clearStore()
            do throws(AuthError) {
                guard let taken else { throw .notSignedIn }
                try await SignOutEverywhere(repository: repository, manager: manager).endOnServer(taken)
            } catch {
                return .failure(error)
            }
            return outcome
        })
    }

    /// Tells the server, if it can be reached. A cancelled caller does not wait, and the request is still sent.
    private func endOnServer(_ ended: Session) async {
        let isSent = Promise<Void>()
        _ = TaskSpawner.start { [repository] in
            try? await repository.signOut(ended)
            isSent.resolve(())
        }
        _ = await isSent.value()
    }

    private func clearStore() async -> Result<Void, AuthError> {
        let outcome: Result<Void, AuthError>
        do throws(AuthError) { outcome = .success(try await manager.persistPending()) } catch {
            outcome = .failure(error)
        }
        // The next user must not resume a deletion that this one began.
        await DeletionJournal(manager: manager).clear()
        return outcome
    }
}
