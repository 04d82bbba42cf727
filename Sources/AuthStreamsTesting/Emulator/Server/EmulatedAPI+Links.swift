import AuthStreams
import Foundation

extension EmulatedAPI {
    /// `POST /auth/links`: adds an identity to the user of the access token, whose session does not change.
    func link(_ request: EmulatorRequest, in context: EmulatorContext) async throws(ServerProblem) -> AuthJSON {
        let identity = try await callersIdentity(request, in: context)
        return try state.withLock { (state) throws(ServerProblem) in
            let (family, _) = try state.caller(request, now: context.now)
            let account = try state.accounts.link(identity, to: family.userID)
            if family.provider == .anonymous {
                state.sessions.update(family.id) { family in
                    // The anonymous user has just signed in with this identity.
                    (family.provider, family.signedInAt) = (identity.provider, context.now)
                }
            }
            return ["user": account.json]
        }
    }

    /// `DELETE /auth/links/PROVIDER`: removes an identity from the user of the access token, if their sign-in is
    /// recent.
    func unlink(
        _ provider: ProviderID, _ request: EmulatorRequest, in context: EmulatorContext
    ) throws(ServerProblem) -> AuthJSON {
        try state.withLock { (state) throws(ServerProblem) in
            let caller = try state.recentCaller(request, in: context)
            return ["user": try state.accounts.unlink(provider, from: caller.account.id).json]
        }
    }

    /// `POST /auth/reauthenticate`: makes the sign-in recent again, and answers with a further access token.
    func reauthenticate(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) async throws(ServerProblem) -> AuthJSON {
        let identity = try await callersIdentity(request, in: context)
        let (now, rules) = (context.now, context.configuration.server)
        return try state.withLock { (state) throws(ServerProblem) in
            let (family, _) = try state.caller(request, now: now)
            let account = try state.accounts.prove(identity, of: family.userID)
            state.sessions.update(family.id) { $0.signedInAt = now }
            let tokens = state.sessions.issueAccessToken(for: family, by: rules, now: now)
            return .object(Self.answer(tokens, account, family.provider))
        }
    }

    /// Returns the identity of the caller's credential. Without a signed-in caller, no code is redeemed.
    private func callersIdentity(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) async throws(ServerProblem) -> VerifiedIdentity {
        _ = try state.withLock { (state) throws(ServerProblem) in try state.caller(request, now: context.now) }
        return try await identity(in: try ServerBody(request), context)
    }
}
