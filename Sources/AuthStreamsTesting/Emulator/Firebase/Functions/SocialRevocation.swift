import AuthStreams
import AuthStreamsFirebase
import LoopbackHTTP

/// The counterpart of ``SocialLogin``: revokes a sign-in's access at the provider, for the caller's own identity only.
///
/// ```
/// Authorization: Bearer ID-TOKEN
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…"}}    the same fields as `socialLogin`
/// → {"result": {"revoked": true}}
/// ```
struct SocialRevocation: EmulatorService {
    let hosts: [String]
    let accounts: Lock<FirebaseAccounts>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/\(context.configuration.firebase.revocationFunction)" else { return nil }
        let framing = context.configuration.firebase.functionFormat.framing
        return await CallableRequest.answer(to: request, in: context, framing: framing) {
            (call) throws(CallableError) in
            guard let caller = call.uid.flatMap({ uid in accounts.withLock { $0[uid] } }) else {
                throw CallableError(.unauthenticated, "No user is signed in, so there is nothing to revoke.")
            }
            try await revoke(SocialFields(call, of: request, in: context), of: caller, in: context)
            return ["revoked": true]
        }
    }

    private func revoke(
        _ fields: SocialFields, of caller: FirebaseAccount, in context: EmulatorContext
    ) async throws(CallableError) {
        let verifier = CredentialVerifier(context: context)
        let grant: RevocableGrant
        do throws(CredentialRefusal) {
            grant = try await verifier.grant(of: fields.credential, from: fields.provider)
        } catch {
            throw CallableError(error)
        }
        // Without this check a caller could revoke another user's access with a stolen credential.
        guard caller.has(identity: grant.userID, of: fields.provider) else {
            throw CallableError(.permissionDenied, "The credential is another person's than the caller's.")
        }
        do throws(CredentialRefusal) { try await verifier.revoke(grant) } catch { throw CallableError(error) }
    }
}

extension FirebaseAccount {
    /// Returns whether this is the person's user: by the uid that `socialLogin` makes, or by a linked identity.
    fileprivate func has(identity userID: String, of provider: ProviderID) -> Bool {
        id == "\(provider):\(userID)" || functionIdentities[provider.rawValue] == userID
            || identities.contains { $0.providerID == provider.rawValue && $0.rawID == userID }
    }
}
