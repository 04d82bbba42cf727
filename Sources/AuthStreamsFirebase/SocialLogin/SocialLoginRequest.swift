import AuthStreams
import Foundation

/// What the function is given for a credential: the proof that can be bound to this app, and nothing that is not needed.
struct SocialLoginRequest {
    let data: JSONValue

    /// Picks the proof.
    ///
    /// - Throws: `invalidCredential` when the provider's proof is missing.
    init(_ credential: Credential) throws(AuthError) {
        var members =
            switch credential.provider {
            case .naver: try Self.naver(credential)
            case .kakao: try Self.kakao(credential)
            default: try Self.other(credential)
            }
        members["provider"] = .string(credential.provider.rawValue)
        data = .object(members)
    }

    private static func naver(_ credential: Credential) throws(AuthError) -> [String: JSONValue] {
        guard let members = code(of: credential) else {
            throw missing(
                "The Naver credential has no code. Its access token would not do: it names no app, so anybody's is good.",
                credential)
        }
        return members
    }

    private static func kakao(_ credential: Credential) throws(AuthError) -> [String: JSONValue] {
        // Without its nonce an ID token could be one that somebody picked up.
        if credential.rawNonce?.present != nil, let members = idToken(of: credential) { return members }
        guard let members = accessToken(of: credential) else {
            throw missing(
                "The Kakao credential has neither an ID token with its nonce nor an access token.", credential)
        }
        return members
    }

    private static func other(_ credential: Credential) throws(AuthError) -> [String: JSONValue] {
        guard let members = idToken(of: credential) ?? code(of: credential) ?? accessToken(of: credential) else {
            throw missing("The credential has no token and no code.", credential)
        }
        return members
    }

    private static func idToken(of credential: Credential) -> [String: JSONValue]? {
        guard let idToken = credential.idToken?.present else { return nil }
        var members: [String: JSONValue] = ["idToken": .string(idToken.reveal())]
        members["nonce"] = (credential.rawNonce?.present).map { .string($0.reveal()) }
        return members
    }

    private static func accessToken(of credential: Credential) -> [String: JSONValue]? {
        (credential.accessToken?.present).map { ["accessToken": .string($0.reveal())] }
    }

    /// The code with what must be repeated when it is redeemed.
    private static func code(of credential: Credential) -> [String: JSONValue]? {
        guard let code = credential.authorizationCode, !code.code.isEmpty else { return nil }
        var members: [String: JSONValue] = ["code": .string(code.code.reveal())]
        members["state"] = (code.state?.present).map { .string($0.reveal()) }
        members["redirectURI"] = code.redirectURI.map { .string($0.absoluteString) }
        members["codeVerifier"] = (code.codeVerifier?.present).map { .string($0.reveal()) }
        return members
    }

    private static func missing(_ explanation: String, _ credential: Credential) -> AuthError {
        AuthError(.invalidCredential, explanation, provider: credential.provider)
    }
}
