import AuthStreams
import Foundation

extension EmulatedAPI {
    /// `DELETE /auth/account`: deletes the user of the access token, if their sign-in is recent.
    func deleteAccount(_ request: EmulatorRequest, in context: EmulatorContext) throws(ServerProblem) {
        try state.withLock { (state) throws(ServerProblem) in
            let caller = try state.recentCaller(request, in: context)
            _ = state.accounts.remove(caller.account.id)
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
