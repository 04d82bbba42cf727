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

/// The project's callable function that ends all sessions of its caller, as `revokeRefreshTokens` of the Admin SDK does.
///
/// ```
/// Authorization: Bearer ID-TOKEN
/// {"data": null}
/// → {"result": {"revoked": true}}
/// ```
struct SessionRevocation: EmulatorService {
    let hosts: [String]
    let accounts: Lock<FirebaseAccounts>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/\(context.configuration.firebase.sessionRevocationFunction)" else { return nil }
        return await CallableRequest.answer(to: request, in: context) { (call) throws(CallableError) in
            guard AppRestrictions(of: request, in: context).allowsBundleID else {
                throw CallableError(.failedPrecondition, "The call does not come from an app of this project.")
            }
            guard call.data == .null else {
                throw CallableError(.invalidArgument, "The data has to be null.")
            }
            let now = context.now
            guard let uid = call.uid, accounts.withLock({ $0.revokeSessions(of: uid, now: now) }) else {
                throw CallableError(.unauthenticated, "No user is signed in, so there is nothing to revoke.")
            }
            return ["revoked": true]
        }
    }
}

extension FirebaseAccount {
    /// Returns whether this is the person's user: by the uid that `socialLogin` makes, or by a linked identity.
    func has(identity userID: String, of provider: ProviderID) -> Bool {
        id == "\(provider):\(userID)" || functionIdentities[provider.rawValue] == userID
            || identities.contains { $0.providerID == provider.rawValue && $0.rawID == userID }
    }
}
