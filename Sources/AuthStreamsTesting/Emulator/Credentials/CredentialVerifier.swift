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
        return VerifiedIdentity(
            try rules.claims(of: idToken, rawNonce: credential.nonce, in: context), from: provider)
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

extension CredentialVerifier {
    /// Redeems the code that Google issued for the server, which may then call Google's APIs without the person.
    func redeem(serverAuthCode code: String) async throws(CredentialRefusal) {
        let server = context.configuration.google.web
        var form = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
            (name: "client_id", value: server.id),
        ]
        if let secret = server.secret { form.append(("client_secret", secret)) }
        let request = EmulatorRequest("POST", host: "oauth2.googleapis.com", path: "/token", form: form)
        guard try await answer(to: request).status == 200 else { throw .refused("Google refused the server's code.") }
    }
}

/// An app's credential before the server has verified it.
struct PresentedCredential {
    var idToken: String?
    /// The nonce before any hashing.
    var nonce: String?
    var accessToken: String?
    var code: String?
    var state: String?
    var redirectURI: String?
    /// Google's code for the server.
    var serverAuthCode: String?
}

/// A person's identity at a provider, verified for the server's app.
struct VerifiedIdentity {
    let provider: ProviderID
    /// The provider's identifier of the person.
    let userID: String
    var email: String?
    /// Whether the provider has verified the address. Naver never does.
    var isEmailVerified = false
    var displayName: String?
    var photoURL: String?
}

extension VerifiedIdentity {
    /// Reads the claims of a valid ID token.
    init(_ claims: [String: AuthJSON], from provider: ProviderID) {
        self.init(provider: provider, userID: claims["sub"]?.string ?? "")
        email = claims["email"]?.string
        isEmailVerified = claims["email_verified"]?.lenientBool ?? false
        displayName = claims["name"]?.string ?? claims["nickname"]?.string
        photoURL = claims["picture"]?.string
    }
}

/// Why a server refuses a provider's credential, for engineers. Never contains a part of the credential.
enum CredentialRefusal: Error {
    /// A required part of the credential is missing.
    case malformed(String)
    /// The credential is expired, used, forged, or was issued for another app.
    case refused(String)
    /// The ID token's nonce is not the attempt's.
    case nonce(String)
    /// The provider did not answer.
    case unavailable(String)
}
