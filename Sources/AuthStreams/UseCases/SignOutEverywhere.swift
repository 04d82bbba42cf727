/// Ends the present session and, with its tokens, all others of its user.
///
/// From then on only this type uses the session's refresh token in this process.
struct SignOutEverywhere: Sendable {
    let repository: any AuthRepository
    let manager: SessionManager

    /// Ends the session in memory.
    ///
    /// A refresh under way is waited for, since only its answer holds what the server takes from then on. A user who signs
    /// in meanwhile stays signed in.
    ///
    /// - Returns: `nil` when no user was signed in.
    /// - Throws: `superseded` when another user is signed in by now, or the person signed in since; nothing was ended then.
    func take() async throws(AuthError) -> EndedSession? {
        let (commits, begin) = (manager.look { $0.operations.commits }, manager.clock.moment)
        if manager.look({ $0.isUnread }) { _ = try? await manager.restore() }
        let request = manager.look { machine in
            SignOutEverywhereRequest(
                commits: commits, begin: begin, user: machine.session?.user.id,
                signedInAt: machine.active?.signedInAt,
                isUserKnown: machine.session != nil || !machine.hasSession && !machine.isUnread)
        }
        while !Task.isCancelled, let refresh = manager.look({ $0.active?.refresh.operation }) {
            _ = await refresh.outcome.value()
        }
        // The server accepts only the tokens that another process got since. A store that cannot be read is ignored.
        try? await manager.synchronize()
        return try manager.signOut(request)
    }

    /// Tells the server.
    func endOnServer(_ taken: EndedSession) async throws(AuthError) {
        var session = taken.session
        do throws(AuthError) {
            if taken.isOver {
                session = try await renewed(taken)
            } else {
                do throws(AuthError) { return try await repository.signOutEverywhere(session) } catch {
                    // The request had no proof but the access token.
                    guard error.refusesOnlyAccessToken else { throw error }
                    session = try await renewed(taken)
                }
            }
            try await repository.signOutEverywhere(session)
        } catch {
            // An account that does not exist any more has no sessions.
            if error.code == .userNotFound { return }
            // At least this session, as far as that works: no other code holds its new tokens.
            let isRenewed = session.refreshToken != taken.session.refreshToken
            if isRenewed || error.code == .unsupportedProvider { try? await repository.signOut(session) }
            throw error
        }
    }

    private func renewed(_ taken: EndedSession) async throws(AuthError) -> Session {
        guard !taken.isConsumed else { throw .tokenConsumed(by: taken.session.provider) }
        let (rule, token) = (repository.refreshTokenRule, taken.session.refreshToken)
        return try await manager.withRefreshLock(rule) { lock throws(AuthError) in
            // Another process may have sent the token before the sign-out removed its record.
            guard rule == .reusable || manager.look({ $0.storage.removedUnsent(token) }) else {
                throw .tokenConsumed(by: taken.session.provider)
            }
            try lock?.requireHeld()
            defer { manager.tokenConsumed(token) }
            guard let legacy = taken.legacy else { return try await repository.refresh(taken.session) }
            let adopted = try await repository.adopt(legacy)
            // The token belongs to another user, whose sessions stay.
            guard adopted.user.id == taken.session.user.id else { throw .anotherUsers }
            return adopted
        }
    }
}

extension AuthError {
    fileprivate static func tokenConsumed(by provider: ProviderID) -> Self {
        AuthError(
            .network,
            """
            The session is ended here, but its refresh token may have been sent by a refresh that was cut off or by another \
            process, so that no token is left to tell the server with. \
            Sign in again, then sign out everywhere.
            """, provider: provider)
    }
}
