import AuthStreams
import AuthStreamsOAuth
import Foundation

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
        let userID: String
        switch provider {
        case "kakao": userID = try await kakaoUserID(for: call, in: context)
        case "naver": userID = try await naverUserID(for: call, in: context)
        default: throw CallableError(.invalidArgument, "'provider' must be kakao or naver.")
        }
        let uid = "\(provider):\(userID)"
        guard accounts.withLock({ $0[uid]?.isDisabled }) != true else {
            throw CallableError(.permissionDenied, "The account is disabled.")
        }
        return FirebaseTokens(context: context).customToken(uid: uid, claims: ["provider": .string(provider)])
    }
}

extension SocialLogin {
    /// Calls a provider's API and returns its JSON and status.
    ///
    /// - Throws: `unavailable` when the provider is down or answers something that is no JSON.
    func answer(
        to request: EmulatorRequest, in context: EmulatorContext
    ) async throws(CallableError) -> (status: Int, json: JSONValue) {
        let response = await context.call(request)
        guard response.status < 500, response.status != 429,
            let json = try? JSONDecoder().decode(JSONValue.self, from: response.body)
        else { throw CallableError(.unavailable, "The provider did not answer.") }
        return (response.status, json)
    }
}
