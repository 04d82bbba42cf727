import AuthStreams
import AuthStreamsFirebase
import Foundation

/// A project, its answers, and tokens with characters that show a wrong encoding.
enum Fixture {
    static let project = FirebaseProject(id: "demo", apiKey: "AIza key+1")
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let clock = AuthClock(ContinuousClock()) { now }

    static let providerToken = "provider+id/token=&."
    static let accessToken = "provider+access/token="
    static let nonce = "raw+nonce/&="
    static let code = "authorization+code/&"
    static let verifier = "verifier~secret"
    static let customToken = "custom.token+secret"
    static let refreshToken = "refresh+token/secret="

    static let apple = Credential(
        provider: .apple, idToken: Secret(providerToken), rawNonce: Secret(nonce),
        profile: .init(name: PersonName(givenName: "길동", familyName: "홍 \"&\"")))
    static let google = Credential(
        provider: .google, idToken: Secret(providerToken), rawNonce: Secret(nonce), accessToken: Secret(accessToken))
    static let kakao = Credential(
        provider: .kakao, idToken: Secret(providerToken), rawNonce: Secret(nonce), accessToken: Secret(accessToken))
    static let naver = Credential(
        provider: .naver, accessToken: Secret(accessToken),
        authorizationCode: .init(
            code: Secret(code), state: Secret("state+1"), redirectURI: URL(string: "demo://authorize?x=1")))

    /// An ID token of Firebase's, as the public emulator makes them: unsigned.
    static func idToken(_ claims: [String: AuthJSON] = [:], of user: String = "uid-1") -> String {
        var all: [String: AuthJSON] = [
            "iss": "https://securetoken.google.com/demo", "aud": "demo", "auth_time": 1_799_999_999,
            "iat": 1_800_000_000, "exp": 1_800_003_600, "sub": .string(user), "user_id": .string(user),
            "firebase": ["identities": [:], "sign_in_provider": "custom"],
        ]
        all.merge(claims) { _, new in new }
        let encoder = JSONEncoder()
        // The same claims are the same token.
        encoder.outputFormatting = .sortedKeys
        let parts = [["alg": "none", "typ": "JWT"] as AuthJSON, .object(all)].map { part in
            Base64URL.encode((try? encoder.encode(part)) ?? Data())
        }
        return parts.joined(separator: ".") + "."
    }

    static func signedIn(
        _ extra: String = "", idToken: String = Fixture.idToken(), user: String? = "uid-1"
    ) -> AuthHTTPResponse {
        let localID = user.map { #""localId":"\#($0)","# } ?? ""
        return .json(
            #"{\#(localID)"idToken":"\#(idToken)","refreshToken":"\#(refreshToken)","expiresIn":"3600"\#(extra)}"#)
    }

    static let account = AuthHTTPResponse.json(#"{"users":[{"localId":"uid-1","email":"a@b.example"}]}"#)
    static let functionResult = AuthHTTPResponse.json(#"{"result":{"customToken":"\#(customToken)"}}"#)

    /// A function's result with a custom token that names its user.
    static func functionResult(for user: String) -> AuthHTTPResponse {
        .json(#"{"result":{"customToken":"\#(idToken(["uid": .string(user)]))"}}"#)
    }

    static let session = AuthSession(
        accessToken: Secret(idToken()), refreshToken: Secret(refreshToken), expiresAt: now,
        user: AuthUser(id: "uid-1", displayName: "Kept", claims: ["old": true]), provider: .kakao, isNewUser: true)
}
