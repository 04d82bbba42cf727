public import AuthStreams

extension ScriptedRepository {
    /// Runs the script.
    public func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.refresh(session.user.id))
        return try await AuthError.wrapping { try await account.refresh(session) }
    }

    /// Runs the script.
    public func signInAnonymously() async throws(AuthError) -> AuthSession {
        note(.signInAnonymously)
        return try await AuthError.wrapping { try await account.signInAnonymously() }
    }

    /// Runs the script.
    public func reload(_ session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.reload(session.user.id))
        return try await AuthError.wrapping { try await account.reload(session) }
    }

    /// Runs the script.
    public func updateProfile(_ changes: ProfileChanges, of session: AuthSession) async throws(AuthError) -> AuthSession
    {
        note(.updateProfile(changes))
        return try await AuthError.wrapping { try await account.updateProfile(changes, session) }
    }

    /// Runs the script.
    public func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.link(credential.provider))
        return try await AuthError.wrapping { try await account.link(credential, session) }
    }

    /// Runs the script.
    public func unlink(_ provider: ProviderID, from session: AuthSession) async throws(AuthError) -> AuthSession {
        note(.unlink(provider))
        return try await AuthError.wrapping { try await account.unlink(provider, session) }
    }

    /// Runs the script.
    public func reauthenticate(_ session: AuthSession, with credential: Credential) async throws(AuthError)
        -> AuthSession
    {
        note(.reauthenticate(credential.provider))
        return try await AuthError.wrapping { try await account.reauthenticate(session, credential) }
    }

    /// Returns whether the provider is among the account's `revocable` ones.
    public func revokesAccess(at provider: ProviderID) -> Bool { account.revocable.contains(provider) }

    /// Runs the script.
    public func revokeAccess(with credential: Credential, of session: AuthSession) async throws(AuthError) {
        note(.revokeAccess(credential.provider))
        try await AuthError.wrapping { try await account.revokeAccess(credential, session) }
    }

    /// Runs the script.
    public func signOutEverywhere(_ session: AuthSession) async throws(AuthError) {
        note(.signOutEverywhere(session.user.id))
        try await AuthError.wrapping { try await account.signOutEverywhere(session) }
    }

    /// Runs the script.
    public func deleteAccount(_ session: AuthSession) async throws(AuthError) {
        note(.deleteAccount(session.user.id))
        try await AuthError.wrapping { try await account.deleteAccount(session) }
    }
}
