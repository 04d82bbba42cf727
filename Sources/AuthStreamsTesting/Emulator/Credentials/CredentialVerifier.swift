import AuthStreams
import AuthStreamsOAuth
import Foundation
import LoopbackHTTP

/// Identifies the person of a provider's credential, as an app's server has to.
///
/// It accepts only credentials that are bound to this app: an ID token by its audience and nonce, Kakao's access token
/// by its `app_id`, Naver's code by the secret that redeems it. A Naver access token names no app and is refused.
struct CredentialVerifier {
    let context: EmulatorContext

    /// Returns the identity of a credential.
    ///
    /// - Returns: `nil` for an unknown provider.
    func identity(
        of credential: PresentedCredential, from provider: ProviderID
    ) async throws(CredentialRefusal) -> VerifiedIdentity? {
        switch provider {
        case .apple:
            return try identity(of: credential, from: provider, by: .apple(in: context.configuration))
        case .google:
            let identity = try identity(of: credential, from: provider, by: .google(in: context.configuration))
            if let code = credential.serverAuthCode { try await redeem(serverAuthCode: code) }
            return identity
        case .kakao: return try await kakaoIdentity(of: credential)
        case .naver: return try await naverIdentity(of: credential)
        default: return nil
        }
    }

    func identity(
        of credential: PresentedCredential, from provider: ProviderID, by rules: ServerIDTokenVerifier
    ) throws(CredentialRefusal) -> VerifiedIdentity {
        guard let idToken = credential.idToken else { throw .malformed("\(provider) needs 'idToken'.") }
        do {
            return VerifiedIdentity(
                try rules.claims(of: idToken, rawNonce: credential.nonce, in: context), from: provider)
        } catch {
            switch error {
            case .nonce(let detail): throw .nonce(detail)
            case .token(let detail): throw .refused(detail)
            }
        }
    }

    /// Calls a provider's API and returns its JSON and status.
    ///
    /// - Throws: `unavailable` if the provider does not answer or its answer is not JSON.
    func answer(to request: EmulatorRequest) async throws(CredentialRefusal) -> (status: Int, json: AuthJSON) {
        let response = await context.call(request)
        guard response.status < 500, response.status != 429,
            let json = AuthJSON(json: response.body)
        else { throw .unavailable("The provider did not answer.") }
        return (response.status, json)
    }
}
