package import AuthStreams
import Foundation

/// A value of a type that can hold a secret, with secrets that hold the mark.
package struct SecretSample {
    package static let mark = "S3CRET"

    package let type: Any.Type
    /// All that printing shows.
    package let printed: @MainActor () async throws -> String

    package init(type: Any.Type, printed: @escaping @MainActor () async throws -> String) {
        self.type = type
        self.printed = printed
    }

    /// - Parameters:
    ///   - secrets: The secrets of the value that were not made of the mark.
    ///   - make: Makes the value.
    package init<Value>(
        _ type: Value.Type, secrets: @escaping @MainActor (Value) -> [Secret] = { _ in [] },
        _ make: @escaping @MainActor () async throws -> Value
    ) {
        self.init(type: type) {
            let value = try await make()
            return Self.text(of: value, with: secrets(value))
        }
    }

    /// All that printing a value shows, with the mark if that is one of the secrets, which were not made of the mark.
    package static func text(of value: Any, with secrets: [Secret]) -> String {
        let text = everythingPrinted(of: value)
        return secrets.contains { !$0.isEmpty && text.contains($0.reveal()) } ? text + mark : text
    }

    /// The types of the samples that show a secret, or nothing at all.
    @MainActor
    package static func leaks(of samples: [SecretSample]) async throws -> [String] {
        var leaks: [String] = []
        for sample in samples {
            let printed = try await sample.printed()
            if printed.isEmpty || printed.contains(mark) { leaks.append("\(sample.type)") }
        }
        return leaks
    }
}

extension SecretSample {
    package static let secret = Secret(mark)
    package static let user = AuthUser(id: "u1", email: "kim@example.com", claims: ["role": "admin"])
    package static let session = AuthSession(
        accessToken: secret, refreshToken: secret, expiresAt: Date(timeIntervalSince1970: 0), user: user,
        provider: .kakao, openID: AuthSession.OpenID(idToken: secret))
    package static let code = Credential.AuthorizationCode(
        code: secret, state: secret, redirectURI: URL(string: "app://cb"), codeVerifier: secret)
    package static let credential = Credential(
        provider: .naver, idToken: secret, rawNonce: secret, accessToken: secret, authorizationCode: code,
        serverAuthCode: secret, pendingToken: secret)
}
