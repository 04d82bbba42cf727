import AuthStreams
import AuthStreamsTesting
import Foundation

// What an app sees of FirebaseAuth and FirebaseFunctions, with the signatures and error codes of firebase-ios-sdk, and the
// emulator behind it. `@concurrent`, because the SDK's modules are compiled without this package's language features.

/// The SDK as it is installed in one app: a test's own, so that tests do not share a user.
final class FirebaseStandIn: Sendable {
    @TaskLocal static var installed = FirebaseStandIn(emulator: nil)

    let auth = Auth()
    private let emulator: Emulator?

    init(emulator: Emulator?) {
        self.emulator = emulator
    }

    /// Sends JSON to a production URL, where the emulator stands in for it.
    func post(_ url: String, _ body: Data, headers: [HeaderName: String] = [:]) async throws -> (Int, AuthJSON) {
        guard let emulator else { throw NSError(domain: AuthErrors.domain, code: 17020) }
        var headers = headers
        headers[.contentType] = "application/json"
        let request = AuthHTTPRequest(.post, emulator.url(for: url), headers: headers, body: body)
        let response: AuthHTTPResponse
        do { response = try await URLSessionTransport.untimed().send(request) } catch {
            // The SDK keeps what it was sent and what it got in its errors.
            throw NSError(
                domain: AuthErrors.domain, code: 17020,
                userInfo: [NSUnderlyingErrorKey: String(decoding: body, as: UTF8.self)])
        }
        return (response.status, (try? JSONDecoder().decode(AuthJSON.self, from: response.body)) ?? .null)
    }

    func callableURL(_ name: String, region: String) -> String {
        "https://\(region)-\(emulator?.configuration.firebase.projectID ?? "").cloudfunctions.net/\(name)"
    }

    /// Calls Identity Toolkit or Secure Token.
    func toolkit(_ url: String, _ body: AuthJSON) async throws -> AuthJSON {
        let key = emulator?.configuration.firebase.apiKey ?? ""
        let (status, json) = try await post("\(url)?key=\(key)", JSONEncoder().encode(body))
        guard status == 200 else { throw AuthErrors.error(json["error"]?["message"]?.string ?? "") }
        return json
    }
}

enum AuthErrors {
    static let domain = "FIRAuthErrorDomain"

    /// The SDK detects it.
    static let userMismatch = "USER_MISMATCH"

    private static let codes = [
        "INVALID_CUSTOM_TOKEN": 17000, "USER_DISABLED": 17005, "TOO_MANY_ATTEMPTS_TRY_LATER": 17010,
        "USER_NOT_FOUND": 17011, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": 17014, "TOKEN_EXPIRED": 17021,
        "EMAIL_EXISTS": 17007, "FEDERATED_USER_ID_ALREADY_LINKED": 17025, "INVALID_IDP_RESPONSE": 17004,
        userMismatch: 17024,
    ]

    static func error(_ message: String) -> NSError {
        let code = message.split(separator: ":").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        return NSError(domain: domain, code: codes[code] ?? 17999, userInfo: ["FIRAuthErrorUserInfoNameKey": message])
    }
}

final class Auth: Sendable {
    private let user = Lock<User?>(nil)

    static func auth() -> Auth { FirebaseStandIn.installed.auth }

    var currentUser: User? { user.withLock { $0 } }

    @concurrent @discardableResult
    func signIn(withCustomToken token: String) async throws -> AuthDataResult {
        let result = try await answer(
            "https://identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken",
            ["token": .string(token), "returnSecureToken": true])
        show(result.user)
        return result
    }

    @concurrent @discardableResult
    func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
        let result = try await answer(to: credential)
        show(result.user)
        return result
    }

    @concurrent
    func revokeToken(withAuthorizationCode authorizationCode: String) async throws {
        _ = try await FirebaseStandIn.installed.toolkit(
            "https://identitytoolkit.googleapis.com/v2/accounts:revokeToken",
            [
                "providerId": "apple.com", "tokenType": "3", "token": .string(authorizationCode),
                "idToken": currentUser.map { .string($0.presentIDToken) } ?? .null,
            ])
    }

    /// - Parameter idToken: That of the user who gets the identity; `nil` to sign in.
    fileprivate func answer(
        to credential: AuthCredential, linkingTo idToken: String? = nil
    ) async throws -> AuthDataResult {
        var body: [String: AuthJSON] = [
            "postBody": .string(FormCoding.encode(credential.fields)), "requestUri": "http://localhost",
            "returnIdpCredential": true, "returnSecureToken": true,
        ]
        body["idToken"] = idToken.map(AuthJSON.string)
        return try await answer(
            "https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp", .object(body))
    }

    private func answer(_ method: String, _ body: AuthJSON) async throws -> AuthDataResult {
        let sdk = FirebaseStandIn.installed
        let tokens = try await sdk.toolkit(method, body)
        if let conflict = tokens["errorMessage"]?.string { throw AuthErrors.error(conflict) }
        let account = try await sdk.toolkit(
            "https://identitytoolkit.googleapis.com/v1/accounts:lookup", ["idToken": tokens["idToken"] ?? .null])
        return AuthDataResult(
            user: User(account["users"]?.array?.first ?? .null, tokens: tokens),
            isNewUser: tokens["isNewUser"]?.bool ?? false)
    }

    fileprivate func show(_ user: User) { self.user.withLock { $0 = user } }

    func signOut() throws { user.withLock { $0 = nil } }

    func forget() { user.withLock { $0 = nil } }
}

class AuthCredential {
    /// What the SDK sends of it.
    let fields: [(name: String, value: String)]

    init(fields: [(name: String, value: String)]) { self.fields = fields }
}

final class OAuthCredential: AuthCredential {}

enum GoogleAuthProvider {
    static func credential(withIDToken idToken: String, accessToken: String) -> AuthCredential {
        OAuthCredential(
            fields: [("id_token", idToken), ("providerId", "google.com"), ("access_token", accessToken)])
    }
}

enum OAuthProvider {
    static func appleCredential(
        withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
    ) -> OAuthCredential {
        var fields = [("id_token", idToken), ("providerId", "apple.com"), ("nonce", rawNonce ?? "")]
        if let fullName {
            let name: AuthJSON = [
                "firstName": .string(fullName.givenName ?? ""), "lastName": .string(fullName.familyName ?? ""),
            ]
            fields.append(("user", String(decoding: AuthJSON.object(["name": name]).data, as: UTF8.self)))
        }
        return OAuthCredential(fields: fields)
    }
}

protocol UserInfo: Sendable {
    var providerID: String { get }
    var uid: String { get }
    var email: String? { get }
}

private struct ProviderInfo: UserInfo {
    let providerID, uid: String
    let email: String?
}

struct AuthDataResult: Sendable {
    let user: User
    let additionalUserInfo: AdditionalUserInfo?

    init(user: User, isNewUser: Bool) {
        self.user = user
        additionalUserInfo = AdditionalUserInfo(isNewUser: isNewUser)
    }
}

struct AdditionalUserInfo: Sendable {
    let isNewUser: Bool
}

struct AuthTokenResult: Sendable {
    let token: String
    let expirationDate: Date

    var claims: [String: Any] {
        let claims = JSONWebToken(Secret(token))?.claims.data ?? Data()
        return (try? JSONSerialization.jsonObject(with: claims)) as? [String: Any] ?? [:]
    }
}

final class User: Sendable {
    let uid: String
    let email: String?
    let isEmailVerified: Bool
    let displayName: String?
    let photoURL: URL?
    let isAnonymous = false
    let providerData: [any UserInfo]
    let refreshToken: String?
    private let idToken: Lock<String>

    init(_ account: AuthJSON, tokens: AuthJSON) {
        uid = account["localId"]?.string ?? ""
        email = account["email"]?.string
        isEmailVerified = account["emailVerified"]?.bool ?? false
        displayName = account["displayName"]?.string
        photoURL = account["photoUrl"]?.string.flatMap(URL.init(string:))
        providerData = (account["providerUserInfo"]?.array ?? []).map { info in
            ProviderInfo(
                providerID: info["providerId"]?.string ?? "", uid: info["rawId"]?.string ?? "",
                email: info["email"]?.string)
        }
        refreshToken = tokens["refreshToken"]?.string
        idToken = Lock(tokens["idToken"]?.string ?? "")
    }

    @concurrent func getIDTokenResult(forcingRefresh: Bool = false) async throws -> AuthTokenResult {
        if forcingRefresh {
            let answer = try await FirebaseStandIn.installed.toolkit(
                "https://securetoken.googleapis.com/v1/token",
                ["grantType": "refresh_token", "refreshToken": refreshToken.map(AuthJSON.string) ?? .null])
            idToken.withLock { $0 = answer["id_token"]?.string ?? "" }
        }
        let token = idToken.withLock { $0 }
        let expiry = JSONWebToken(Secret(token))?.claims["exp"]?.lenientInteger ?? 0
        return AuthTokenResult(token: token, expirationDate: Date(timeIntervalSince1970: TimeInterval(expiry)))
    }

    fileprivate var presentIDToken: String { idToken.withLock { $0 } }

    /// The SDK changes this user; its stand-in makes another.
    @concurrent @discardableResult
    func link(with credential: AuthCredential) async throws -> AuthDataResult {
        let auth = Auth.auth()
        let result = try await auth.answer(to: credential, linkingTo: presentIDToken)
        auth.show(result.user)
        return result
    }

    @concurrent @discardableResult
    func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
        let auth = Auth.auth()
        let result = try await auth.answer(to: credential)
        guard result.user.uid == uid else { throw AuthErrors.error(AuthErrors.userMismatch) }
        auth.show(result.user)
        return result
    }

    @concurrent func delete() async throws {
        _ = try await FirebaseStandIn.installed.toolkit(
            "https://identitytoolkit.googleapis.com/v1/accounts:delete", ["idToken": .string(presentIDToken)])
    }
}

final class Functions: Sendable {
    let region: String

    private init(region: String) {
        self.region = region
    }

    static func functions(region: String) -> Functions { Functions(region: region) }

    func httpsCallable(_ name: String) -> HTTPSCallable { HTTPSCallable(name: name, region: region) }
}

final class HTTPSCallable: Sendable {
    private let name: String
    private let region: String

    init(name: String, region: String) {
        self.name = name
        self.region = region
    }

    @concurrent func call(_ data: Any? = nil) async throws -> HTTPSCallableResult {
        let sdk = FirebaseStandIn.installed
        let body = try JSONSerialization.data(withJSONObject: ["data": data ?? NSNull()])
        var headers: [HeaderName: String] = [:]
        // The SDK sends it whenever it shows a user.
        if let user = Auth.auth().currentUser { headers[.authorization] = "Bearer \(user.presentIDToken)" }
        let (status, json) = try await sdk.post(sdk.callableURL(name, region: region), body, headers: headers)
        guard status == 200, let result = json["result"] else {
            throw NSError(domain: "com.firebase.functions", code: Self.code(json), userInfo: ["details": "\(body)"])
        }
        return HTTPSCallableResult(
            data: try JSONSerialization.jsonObject(with: JSONEncoder().encode(result), options: .fragmentsAllowed))
    }

    /// `FunctionsErrorCode`.
    private static func code(_ answer: AuthJSON) -> Int {
        let codes = [
            "INVALID_ARGUMENT": 3, "ALREADY_EXISTS": 6, "PERMISSION_DENIED": 7, "UNAVAILABLE": 14,
            "UNAUTHENTICATED": 16,
        ]
        return codes[answer["error"]?["status"]?.string ?? ""] ?? 13
    }
}

final class HTTPSCallableResult {
    let data: Any

    init(data: Any) {
        self.data = data
    }
}
