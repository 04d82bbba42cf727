import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation

/// The package's own repository against the emulated project, and credentials as the providers hand them over.
extension EmulatedBackend {
    var repository: FirebaseRepository {
        .emulated(
            at: emulator.baseURL, project: emulator.configuration.firebase, transport: transport,
            clock: emulator.configuration.clock)
    }

    /// A fresh credential of Google's: no two have the same nonce.
    func google(_ id: String = "1001", email: AuthJSON = "minji@example.com", isVerified: Bool = true) -> Credential {
        let nonce = UUID().uuidString
        let token = googleToken([
            "sub": .string(id), "email": email, "email_verified": .bool(isVerified), "nonce": .string(nonce),
        ])
        return Credential(provider: .google, idToken: Secret(token), rawNonce: Secret(nonce))
    }

    /// A fresh credential of Apple's, whose nonce the token has hashed.
    func apple(_ id: String = "a1", email: AuthJSON = "relay@example.com", isVerified: Bool = true) -> Credential {
        let nonce = UUID().uuidString
        let token = appleToken([
            "sub": .string(id), "email": email, "email_verified": .bool(isVerified),
            "nonce": .string(SHA256.hex(nonce)),
        ])
        return Credential(provider: .apple, idToken: Secret(token), rawNonce: Secret(nonce))
    }

    func kakao(_ id: String = "1001") -> Credential {
        let nonce = UUID().uuidString
        return Credential(
            provider: .kakao, idToken: Secret(kakaoToken(["nonce": .string(nonce), "sub": .string(id)])),
            rawNonce: Secret(nonce))
    }

    func naver() async throws -> Credential {
        let naver = emulator.configuration.naver
        let code = Credential.AuthorizationCode(
            code: Secret(try await naverCode()), state: Secret("s"),
            redirectURI: URL(string: "\(naver.urlScheme)://authorize"))
        return Credential(provider: .naver, authorizationCode: code)
    }
}

/// How an attempt failed; `nil` when it did not.
func error<Value>(of attempt: () async throws(AuthError) -> Value) async -> AuthError? {
    do throws(AuthError) { _ = try await attempt() } catch { return error }
    return nil
}
