/// Takes a session out of the manager and ends with it all others of its user.
///
/// From the taking on the session is nobody else's, so its refresh token may be used here.
struct SignOutEverywhere: Sendable {
    /// What was taken out.
    struct Taken: Sendable {
        let session: Session
        /// Whether its refresh token was sent, in a request that the taking cut off or whose answer was lost.
        let isSpent: Bool
        /// Whether its access token is over, by a clock that setting the date does not change.
        let isOver: Bool
    }

    let repository: any AuthRepository
    let manager: SessionManager

    /// Ends the session in memory.
    ///
    /// A refresh under way is waited for, since only its answer holds what the server takes from then on. Whoever signs in
    /// meanwhile stays.
    ///
    /// - Returns: `nil` when nobody was signed in.
    /// - Throws: `superseded` when another user is signed in by now, or the person signed in since; nothing was ended then.
    func take() async throws(AuthError) -> Taken? {
        let (commits, begin) = (manager.look { $0.commits }, manager.clock.moment)
        if manager.apply({ rules, _ in rules.machine.isUnread }) { _ = try? await manager.restore() }
        // Before storage is read, or where it is not known yet whom another SDK left, it applies to the user who is found.
        let (user, signIn, isKnown) = manager.look {
            ($0.session?.user.id, $0.signedInAt, $0.session != nil || !$0.hasSession && !$0.isUnread)
        }
        while !Task.isCancelled, let flight = manager.apply({ rules, _ in rules.flight }) {
            _ = await flight.outcome.value()
        }
        // What another process got since is what the server takes. A store that cannot be read tells of nothing.
        try? await manager.reread()
        // In one look: the next may come between two.
        let now = manager.clock.moment
        let outcome: Result<Taken?, AuthError> = manager.apply { rules, effects in
            let present = rules.machine.session?.user.id
            // A sign-in since then is the person's later decision: one that was committed here, also before it is shown, or one
            // that another process stored.
            let isLater =
                rules.machine.commits != commits
                || rules.machine.signedInAt != signIn && rules.machine.beganAfter(begin, by: now)
            guard !isLater, present == nil || present == user || !isKnown else { return .failure(.superseded) }
            let isAdoptionSent = rules.machine.adoption != nil && rules.machine.isUnanswered
            let (isSpent, isOver) = (rules.flight != nil || isAdoptionSent, rules.machine.life.isOver(at: now.uptime))
            return .success(
                rules.end(.user, at: now, &effects).map { Taken(session: $0, isSpent: isSpent, isOver: isOver) })
        }
        return try outcome.get()
    }

    /// Tells the server.
    func tell(_ taken: Taken) async throws(AuthError) {
        var session = taken.session
        do throws(AuthError) {
            if taken.isOver {
                session = try await renewed(taken)
            } else {
                do throws(AuthError) { return try await repository.signOutEverywhere(session) } catch {
                    // It was shown nothing but the access token.
                    guard error.refusesOnlyAccessToken else { throw error }
                    session = try await renewed(taken)
                }
            }
            try await repository.signOutEverywhere(session)
        } catch {
            // Where there is no account any more, nobody is signed in to it.
            if error.code == .userNotFound { return }
            // At least this one, as far as that works: nobody holds what it was renewed to.
            let isRenewed = session.refreshToken != taken.session.refreshToken
            if isRenewed || error.code == .unsupportedProvider { try? await repository.signOut(session) }
            throw error
        }
    }

    private func renewed(_ taken: Taken) async throws(AuthError) -> Session {
        guard !taken.isSpent else {
            throw AuthError(
                .network,
                """
                The session is ended here, but a refresh was cut off by it, so that nothing is left to tell the server with. \
                Sign in again, then sign out everywhere.
                """, provider: taken.session.provider)
        }
        return try await RefreshSession(repository: repository, manager: manager).alone { lock throws(AuthError) in
            try lock?.requireHeld()
            defer { manager.apply { rules, _ in rules.tokenWasSpent(taken.session.refreshToken) } }
            return try await repository.refresh(taken.session)
        }
    }
}
