import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth

/// The project's callable function that turns a Kakao or Naver credential into a custom token.
///
/// It takes only what is bound to this app: Kakao's ID token by its audience, Kakao's access token by its `app_id`,
/// Naver's code by the secret that redeems it. A Naver access token names no app and is refused.
///
/// ```
/// {"data": {"provider": "kakao", "idToken": "…", "nonce": "…"}}    or "accessToken"
/// {"data": {"provider": "naver", "code": "…", "state": "…"}}       and "redirectURI" where there was one
/// → {"result": {"customToken": "…"}}
/// ```
///
/// For a signed-in caller it links and unlinks: `"action": "link"` answers with a custom token of the caller, `"action":
/// "unlink"`, with the provider alone, with `{"unlinked": true}`. A linked identity signs in to the user it is linked to.
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
            case nil: token = try await customToken(for: fields, in: context)
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
        let identity = try await userID(of: fields, in: context)
        let uid = accounts.withLock { $0.uid(of: identity, from: fields.provider) }
        return try customToken(of: uid, from: fields.provider, in: context)
    }

    /// The custom token of a user who is not disabled.
    func customToken(
        of uid: String, from provider: ProviderID, in context: EmulatorContext
    ) throws(CallableError) -> String {
        guard accounts.withLock({ $0[uid]?.isDisabled }) != true else {
            throw CallableError(.permissionDenied, "The account is disabled.")
        }
        return FirebaseTokens(context: context).customToken(uid: uid, claims: ["provider": .string(provider.rawValue)])
    }

    func userID(of fields: SocialFields, in context: EmulatorContext) async throws(CallableError) -> String {
        do throws(CredentialRefusal) {
            let verifier = CredentialVerifier(context: context)
            return try await verifier.identity(of: fields.credential, from: fields.provider)?.userID ?? ""
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
