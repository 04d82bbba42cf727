import AuthStreams
import AuthStreamsApple
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import UIKit

/// An app with one window, and the answers of Apple's sheet, which a test can bend.
@MainActor
final class SheetFixture {
    static let user = "000123.abc.0456"

    let scene: UIWindowScene
    let window: UIWindow
    let steps = Lock([AuthState.SignInStep]())
    var apple = AppleProvider()

    init() {
        scene = AppleDevice.App.connect()
        window = scene.windows.first ?? UIWindow(windowScene: scene)
    }

    var request: AuthRequest {
        AuthRequest(presentation: .in(window)) { [steps] step in steps.withLock { $0.append(step) } }
    }

    /// Begins an attempt, without waiting for its sheet.
    func begin(_ request: AuthRequest? = nil) -> Task<Result<Credential, AuthError>, Never> {
        let stream = apple.authenticate(request ?? self.request)
        return Task { await stream.result }
    }

    /// The result of an attempt whose sheet is answered.
    func result(
        _ request: AuthRequest? = nil, _ answer: (AppleDevice.AppleID.Attempt) -> Void
    ) async -> Result<Credential, AuthError> {
        let attempt = begin(request)
        answer(await AppleDevice.AppleID.nextAttempt())
        return await attempt.value
    }

    /// The error of an attempt whose sheet is answered.
    func error(_ answer: (AppleDevice.AppleID.Attempt) -> Void) async -> AuthError? {
        if case .failure(let error) = await result(nil, answer) { error } else { nil }
    }
}

/// The error that ends a sheet which a test does not expect.
struct UnexpectedSheet: Error {}

extension AppleDevice.AppleID.Attempt {
    /// The claims of the ID token that Apple issues for this sheet's request.
    var claims: [String: AuthJSON] {
        var claims: [String: AuthJSON] = [
            "iss": "https://appleid.apple.com", "aud": "com.example.app", "sub": .string(SheetFixture.user),
            "nonce_supported": true,
        ]
        claims["nonce"] = request?.nonce.map { .string($0) }
        return claims
    }

    /// A credential for this sheet's request.
    func credential(
        claims: [String: AuthJSON] = [:], givenName: String? = nil, familyName: String? = nil, email: String? = nil,
        code: Data? = Data("one-time-code".utf8), status: ASUserDetectionStatus = .likelyReal
    ) -> ASAuthorizationAppleIDCredential {
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = (givenName, familyName)
        return .simulated(
            user: SheetFixture.user, identityToken: Self.token(self.claims.merging(claims) { $1 }),
            authorizationCode: code, state: request?.state, email: email, fullName: name, realUserStatus: status)
    }

    /// A token with these claims. Only a server verifies its signature.
    static func token(_ claims: [String: AuthJSON]) -> Data {
        let parts = [AuthJSON.object(["alg": "RS256"]), .object(claims)].map { Base64URL.encode($0.data) }
        return Data("\(parts[0]).\(parts[1]).c2lnbmF0dXJl".utf8)
    }
}

extension Result where Failure == AuthError {
    var code: AuthError.Code? { if case .failure(let error) = self { error.code } else { nil } }
}
