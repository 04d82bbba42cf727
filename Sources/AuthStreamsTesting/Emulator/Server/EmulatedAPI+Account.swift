import AuthStreams
import Foundation

extension EmulatedAPI {
    /// `GET /auth/user`: returns the user of the access token.
    func user(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        try state.withLock { (state) throws(ServerProblem) in
            ["user": try state.caller(request, now: context.now).account.json]
        }
    }

    /// `PATCH /auth/user`: changes the name and the picture of the user of the access token. Null removes a value.
    func updateProfile(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let body = try ServerBody(request)
        let (name, photo) = (try body.string("displayName"), try body.string("photoURL"))
        return try state.withLock { (state) throws(ServerProblem) in
            let id = try state.caller(request, now: context.now).account.id
            _ = state.accounts.update(id) { account in
                if body.has("displayName") { account.displayName = name }
                if body.has("photoURL") { account.photoURL = photo }
            }
            return ["user": try state.accounts.active(id).json]
        }
    }

    /// `DELETE /auth/account`: deletes the user of the access token, if their sign-in is recent.
    func deleteAccount(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        try state.withLock { (state) throws(ServerProblem) in
            let caller = try state.recentCaller(request, in: context)
            _ = state.accounts.remove(caller.account.id)
            state.passkeys.removeAll(of: caller.account.id)
        }
    }

    /// `POST /auth/revoke-access`: redeems a fresh credential of the access token's user, and revokes the app's access
    /// at the provider. It counts as a re-authentication.
    func revokeAccess(_ request: EmulatorRequest, in context: EmulatorContext) async throws(ServerProblem) {
        let body = try ServerBody(request)
        let (family, account) = try state.withLock { (state) throws(ServerProblem) in
            try state.caller(request, now: context.now)
        }
        let provider = ProviderID(rawValue: try body.required("provider"))
        let (verifier, credential) = (CredentialVerifier(context: context), try body.credential)
        let grant: RevocableGrant
        do throws(CredentialRefusal) { grant = try await verifier.grant(of: credential, from: provider) } catch {
            throw ServerProblem(error)
        }
        // Without this check a caller could revoke another user's access with a stolen credential.
        guard account.identities.contains(where: { $0.id == provider && $0.userID == grant.userID }) else {
            throw ServerProblem("access-denied", "The credential is another person's than the caller's.")
        }
        do throws(CredentialRefusal) { try await verifier.revoke(grant) } catch { throw ServerProblem(error) }
        state.withLock { state in state.sessions.update(family.id) { $0.signedInAt = context.now } }
    }
}

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
    func unlink(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) -> AuthJSON {
        let provider = ProviderID(rawValue: request.itemID)
        return try state.withLock { (state) throws(ServerProblem) in
            let caller = try state.recentCaller(request, in: context)
            let account = try state.accounts.unlink(provider, from: caller.account.id)
            if provider == .passkey { state.passkeys.removeAll(of: account.id) }
            return ["user": account.json]
        }
    }

    /// `POST /auth/reauthenticate`: makes the sign-in recent again, and answers with a further access token.
    func reauthenticate(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) async throws(ServerProblem) -> AuthJSON {
        let identity = try await callersIdentity(request, in: context)
        return try state.withLock { (state) throws(ServerProblem) in
            let (family, _) = try state.caller(request, now: context.now)
            let account = try state.accounts.prove(identity, of: family.userID)
            return try state.reauthenticate(account, family.id, in: context)
        }
    }

    /// Returns the identity of the caller's credential. Without a signed-in caller, no code is redeemed.
    private func callersIdentity(
        _ request: EmulatorRequest, in context: EmulatorContext
    ) async throws(ServerProblem) -> VerifiedIdentity {
        _ = try state.withLock { (state) throws(ServerProblem) in try state.caller(request, now: context.now) }
        let body = try ServerBody(request)
        guard try body.string("provider") != ProviderID.passkey.rawValue else {
            return try passkeyIdentity(request, in: context)
        }
        return try await identity(in: body, context)
    }
}
