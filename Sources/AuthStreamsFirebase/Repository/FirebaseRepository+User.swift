public import AuthStreams

extension FirebaseRepository {
    /// Returns the session with the user of `accounts:lookup`, and with the account's current custom claims.
    ///
    /// - Throws: `AuthError`; `userNotFound` or `userDisabled` if the user was deleted or disabled; `invalidCredential` if
    ///   Firebase refuses the session's ID token, which ends no session: refresh, then repeat.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        do throws(AuthError) { return try await reloaded(session) } catch {
            throw error.inTermsOfIDToken.located(provider: session.provider)
        }
    }

    /// Changes the user's name and picture at Firebase, and looks the user up. No recent sign-in is required.
    ///
    /// - Throws: `AuthError`, as ``reload(_:)`` does. After a failed look-up the change is made all the same; it can be
    ///   repeated.
    public func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession
    {
        do throws(AuthError) {
            let tokens = try await toolkit.updateProfile(changes, of: session.accessToken)
            guard let tokens else { return try await reloaded(session) }
            return try await reloaded(try session.taking(tokens, clock: toolkit.clock))
        } catch {
            throw error.inTermsOfIDToken.located(provider: session.provider)
        }
    }

    private func reloaded(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        let user = identified(try await toolkit.account(of: session.accessToken))
        guard user.id == session.user.id else { throw .anothersAnswer }
        var session = session
        session.user = user
        session.isNewUser = false
        return session
    }

    /// Returns the same session, unless its ID token says that the person withdrew the app's access at its provider.
    func allowed(_ session: AuthSession) throws(AuthError) -> AuthSession {
        let claims = FirebaseClaims(session.accessToken)
        guard ![session.provider, nameAtFirebase(of: session.provider)].contains(where: claims.isRevoked) else {
            throw AuthError(
                .sessionExpired, "The person withdrew the app's access at \(session.provider) after this sign-in.",
                endsSession: .revokedAtProvider)
        }
        return session
    }
}
