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
/// These are the names of the standard format; ``EmulatorConfiguration/Firebase/functionFormat`` may have others.
struct SocialLogin: EmulatorService {
    let addresses: FunctionAddresses
    let accounts: Lock<FirebaseAccounts>

    var hosts: [String] { addresses.hosts }

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard addresses.contains(request) else { return nil }
        return await CallableRequest.answer(to: request, in: context) { (call) throws(CallableError) in
            let fields = try SocialFields(call, of: request, in: context)
            let token = try await customToken(for: fields, in: context)
            return context.configuration.firebase.functionFormat.answer.result(.string(token))
        }
    }

    private func customToken(
        for fields: SocialFields, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        guard [.kakao, .naver].contains(fields.provider) else {
            throw CallableError(.invalidArgument, "The provider must be Kakao or Naver; Firebase knows the others.")
        }
        let uid = "\(fields.provider):\(try await userID(of: fields, in: context))"
        guard accounts.withLock({ $0[uid]?.isDisabled }) != true else {
            throw CallableError(.permissionDenied, "The account is disabled.")
        }
        return FirebaseTokens(context: context).customToken(
            uid: uid, claims: ["provider": .string(fields.provider.rawValue)])
    }

    private func userID(of fields: SocialFields, in context: EmulatorContext) async throws(CallableError) -> String {
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
