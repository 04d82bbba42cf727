/// The use case 'adopt': continues the session of another SDK, without signing anyone out.
///
/// The refresh token is stored first. Then the session is refreshed for the first time, by ``AuthRepository/adopt(_:)``. Only a
/// terminal rejection ends it.
package struct AdoptSession: Sendable {
    private let manager: SessionManager
    private let refreshing: RefreshSession

    /// Makes the use case.
    package init(repository: any AuthRepository, manager: SessionManager) {
        self.manager = manager
        refreshing = RefreshSession(repository: repository, manager: manager)
    }

    /// Adopts a session when iterated. See ``AuthService/adopt(refreshToken:of:)`` for the errors and for the behavior while the
    /// server cannot be reached.
    package func callAsFunction(_ session: AdoptableSession) -> AuthStream<AuthUser> {
        AuthStream { () async throws(AuthError) in
            try session.validate()
            _ = try await manager.restore(onFailure: .keepRestoring)
            // Another process may have ended this session: then it is adopted under another name.
            do throws(AuthError) { try await manager.synchronize() } catch {
                guard manager.read({ $0.kept != nil }) else { throw error }
            }
            let id = await manager.beginAdoption(of: session)
            manager.startDiscarding()
            let failure = try await finishAdoption(of: id)
            // Where the new tokens could not be stored, or another process was first, the user is known all the same.
            let (user, state) = manager.read { machine in
                let isTheirs = machine.kept?.id == id || machine.user?.id == session.user?.id
                return (isTheirs ? machine.user : nil, machine.authState)
            }
            guard let user else {
                if let failure, failure.code == .superseded || failure.classification.sessionEnd != nil {
                    throw failure
                }
                throw .over(state)
            }
            // That of a session that was restored.
            try await manager.passGate()
            return user
        }
    }

    /// Waits until the session is adopted or over.
    ///
    /// - Returns: The last failure of a request; `nil` if none failed.
    /// - Throws: That failure if no further request is scheduled; `cancelled`.
    private func finishAdoption(of id: SessionID?) async throws(AuthError) -> AuthError? {
        var failure: AuthError?
        while let id, manager.read({ $0.isAdopting(id) }) {
            if let failure, try await !waitUntilDue(id) { throw failure }
            do throws(AuthError) {
                // A caller does not wait for the next retry.
                try await failure == nil ? refreshing.adopt(id) : refreshing.refreshIfDue(of: id)
            } catch { failure = error }
        }
        return failure
    }

    /// Waits until the next request is due or under way, or another decision has replaced the session.
    ///
    /// - Returns: `false` if no request is scheduled.
    /// - Throws: `cancelled`.
    private func waitUntilDue(_ id: SessionID) async throws(AuthError) -> Bool {
        while true {
            if Task.isCancelled { throw .cancelled }
            let schedule = manager.schedule
            let (isWaiting, due) = manager.read {
                ($0.isAdopting(id) && $0.active?.refresh.operation == nil, $0.refreshDue)
            }
            guard isWaiting else { return true }
            guard let due else { return false }
            let rest = due - manager.clock.uptime
            guard rest > .zero else { return true }
            await manager.clock.sleep(for: rest, unless: schedule.change)
        }
    }
}

extension AuthError {
    /// Why no user is signed in although the adoption has ended: a terminal rejection of another caller's request, or a sign-out.
    fileprivate static func over(_ state: AuthState) -> Self {
        switch state {
        case .signedOut(.deleted): AuthError(.userNotFound, "The account of the session to adopt is gone.")
        case .signedOut(.disabled): AuthError(.userDisabled, "The account of the session to adopt was disabled.")
        case .signedOut(.expired), .signedOut(.revoked), .signedOut(.revokedAtProvider),
            .signedOut(.refreshInterrupted), .signedOut(.keyLost):
            AuthError(.sessionExpired, "The session to adopt is over.")
        default: .superseded
        }
    }

    static var anotherUsersAnswer: Self {
        AuthError(.invalidResponse, "The refresh answered with another user's session; it is not kept.")
    }

    static var anotherUsersToken: Self {
        AuthError(
            .sessionExpired,
            "The refresh token belongs to another user than the one named with it. Pass a token with its own user.")
    }
}
