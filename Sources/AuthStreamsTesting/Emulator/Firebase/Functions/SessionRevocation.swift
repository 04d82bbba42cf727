import AuthStreams
import LoopbackHTTP

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
