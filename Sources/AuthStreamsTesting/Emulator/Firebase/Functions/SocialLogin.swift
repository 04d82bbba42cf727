import AuthStreams
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
struct SocialLogin: EmulatorService {
    let hosts: [String]
    let accounts: Lock<FirebaseAccounts>

    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse? {
        guard request.path == "/\(context.configuration.firebase.function)" else { return nil }
        do throws(CallableError) {
            let call = try CallableRequest(request, in: context)
            if let code = request.requestedError {
                throw CallableError(CallableError.Code(named: code) ?? .internal, "A test asked for this error.")
            }
            return .json(["result": ["customToken": .string(try await customToken(for: call, in: context))]])
        } catch {
            return error.response
        }
    }

    private func customToken(
        for call: CallableRequest, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let provider = try call.string("provider") ?? ""
        guard provider == "kakao" || provider == "naver" else {
            throw CallableError(.invalidArgument, "'provider' must be kakao or naver.")
        }
        let userID = try await userID(for: call, from: ProviderID(rawValue: provider), in: context)
        let uid = "\(provider):\(userID)"
        guard accounts.withLock({ $0[uid]?.isDisabled }) != true else {
            throw CallableError(.permissionDenied, "The account is disabled.")
        }
        return FirebaseTokens(context: context).customToken(uid: uid, claims: ["provider": .string(provider)])
    }
}

extension SocialLogin {
    private func userID(
        for call: CallableRequest, from provider: ProviderID, in context: EmulatorContext
    ) async throws(CallableError) -> String {
        let credential = PresentedCredential(
            idToken: try call.string("idToken"), nonce: try call.string("nonce"),
            accessToken: try call.string("accessToken"), code: try call.string("code"),
            state: try call.string("state"), redirectURI: try call.string("redirectURI"))
        do throws(CredentialRefusal) {
            let verifier = CredentialVerifier(context: context)
            return try await verifier.identity(of: credential, from: provider)?.userID ?? ""
        } catch {
            throw CallableError(error)
        }
    }
}

extension CallableError {
    fileprivate init(_ refusal: CredentialRefusal) {
        switch refusal {
        case .malformed(let detail): self.init(.invalidArgument, detail)
        case .refused(let detail), .nonce(let detail): self.init(.unauthenticated, detail)
        case .unavailable(let detail): self.init(.unavailable, detail)
        }
    }
}
