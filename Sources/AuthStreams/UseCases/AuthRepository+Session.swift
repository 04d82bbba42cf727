extension AuthRepository {
    /// Makes a sign-in's session the present one, or signs it out at the server if it came too late.
    func establish(
        _ session: AuthSession, in manager: SessionManager, by operation: SignInOperation
    ) async throws(AuthError) {
        do throws(AuthError) { try await manager.commit(session, by: operation) } catch {
            // Not awaited: a superseded caller gets its error at once.
            if error.code == .superseded { _ = revocation(ofUnused: session, of: manager) }
            throw error
        }
    }

    /// Sends the refresh token of a session, and returns the session with its next tokens.
    ///
    /// - Parameter lock: The refresh lock, under which it is sent; `nil` if there is none.
    func renew(
        _ kept: KeptSession, of manager: SessionManager, holding lock: SessionStoreLock?
    ) async throws(AuthError) -> AuthSession {
        let warn: @Sendable (AuthError) -> Void = { [manager, provider = kept.provider] in
            manager.emit(AuthEvent(.providerWarning, provider: provider, failure: .of($0)))
        }
        do throws(AuthError) {
            switch (kept.content, self as? any SenderConstrainedRepository) {
            case (.adoptable(let session), nil): return try await adopt(session, onWarning: warn)
            case (.established(let session), nil): return try await refresh(session, onWarning: warn)
            case (.adoptable(let session), let constrained?):
                return try await constrained.adopt(session, holding: lock, onWarning: warn)
            case (.established(let session), let constrained?):
                return try await constrained.refresh(session, holding: lock, onWarning: warn)
            }
        } catch {
            let error = kept.adoptable == nil ? error : error.located(provider: kept.provider)
            // A caller would take it for the person's own.
            guard error.code == .cancelled, !Task.isCancelled else { throw error }
            throw AuthError(
                .network, "The repository threw a cancellation, and the request was not cancelled. Try again.",
                provider: error.provider)
        }
    }

    /// Tells the server that a session is over, as far as it can be reached. A failure is reported as an event.
    func revoke(_ session: AuthSession, of manager: SessionManager) async {
        do throws(AuthError) { try await signOut(session) } catch {
            // A session that the server no longer knows needs no revocation.
            guard error.classification.sessionEnd == nil else { return }
            manager.emit(AuthEvent(.revocationFailed, provider: session.provider, failure: .of(error)))
        }
    }

    /// Signs out at the server a session that came too late and is not used.
    func revokeUnused(_ session: AuthSession, of manager: SessionManager) async {
        await revocation(ofUnused: session, of: manager)?.value
    }

    /// Does the same in a task of its own, because the task of a session that came too late was mostly cancelled.
    func revocation(ofUnused session: AuthSession, of manager: SessionManager) -> Task<Void, Never>? {
        guard manager.user?.id != session.user.id else { return nil }
        return manager.outstanding.start { await revoke(session, of: manager) }
    }
}
