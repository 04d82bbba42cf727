import AuthStreams
import AuthStreamsFirebase
import LoopbackHTTP

/// The project's callable function that turns a Kakao or Naver credential into a custom token.
///
/// It accepts only credentials that are bound to this app: Kakao's ID token by its audience, Kakao's access token by
/// its `app_id`, Naver's code by the secret that redeems it. A Naver access token names no app and is refused. The
/// function writes the provider's data into the user's record, and makes no custom token for a user with a second
/// factor.
///
/// ```
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…", "accessToken": "…"}}    or "accessToken" alone
/// {"data": {"provider": "naver", "code": "…", "state": "…"}}       and "redirectURI" where there was one
/// → {"result": {"customToken": "…"}}
/// ```
///
/// For a signed-in caller it links and unlinks: `"action": "link"` answers with a custom token of the caller,
/// `"action": "unlink"`, with only the provider, with `{"unlinked": true}`. A linked identity signs in to the user it
/// is linked to. `"action": "reauthenticate"` is a sign-in that writes no record.
///
/// These are the names of the standard format; ``EmulatorConfiguration/Firebase/functionFormat`` may have others.
struct SocialLogin: EmulatorService {
    let addresses: FunctionAddresses
    let accounts: Lock<FirebaseAccounts>

    var hosts: [String] { addresses.hosts }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard addresses.contains(request) else { return nil }
        let framing = context.configuration.firebase.functionFormat.framing
        return await CallableRequest.answer(to: request, in: context, framing: framing) {
            (call) throws(CallableError) in
            let fields = try SocialFields(call, of: request, in: context)
            guard [.kakao, .naver].contains(fields.provider) else {
                throw CallableError(.invalidArgument, "The provider must be Kakao or Naver; Firebase knows the others.")
            }
            let token: String
            switch fields.action {
            case nil, .reauthenticate: token = try await customToken(for: fields, in: context)
            case .link: token = try await customToken(linking: fields, to: call, in: context)
            case .unlink:
                try unlink(fields.provider, from: call)
                return ["unlinked": true]
            }
            return context.configuration.firebase.functionFormat.answer.result(.string(token))
        }
    }

    private func customToken(
        for fields: SocialFields, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let (identity, now) = (try await identity(of: fields, in: context), context.now)
        let (uid, isNew) = try accounts.withLock { (state) throws(CallableError) in
            let uid = state.uid(of: identity.userID, from: fields.provider)
            try state[uid]?.requireCustomTokens()
            // A re-authentication must not create another user.
            return (uid, fields.action == nil && state.record(identity, of: uid, now: now))
        }
        return customToken(of: uid, from: fields.provider, isNew: isNew, in: context)
    }

    func customToken(
        of uid: String, from provider: ProviderID, isNew: Bool = false, in context: EmulatorContext
    ) -> String {
        var claims: [String: AuthJSON] = ["provider": .string(provider.rawValue)]
        if isNew { claims["isNewUser"] = true }
        return FirebaseTokens(context: context).customToken(uid: uid, claims: claims)
    }

    func identity(of fields: SocialFields, in context: EmulatorContext) async throws(CallableError) -> VerifiedIdentity
    {
        do throws(CredentialRefusal) {
            let verifier = CredentialVerifier(context: context)
            return try await verifier.identity(of: fields.credential, from: fields.provider)
                ?? VerifiedIdentity(provider: fields.provider, userID: "")
        } catch {
            throw CallableError(error)
        }
    }
}

extension CallableError {
    init(_ refusal: CredentialRefusal) {
        switch refusal {
        case .malformed(let detail): self.init(.invalidArgument, detail)
        case .refused(let detail), .nonce(let detail): self.init(.unauthenticated, detail)
        case .unavailable(let detail): self.init(.unavailable, detail)
        }
    }
}
