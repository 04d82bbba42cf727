import AuthStreams
import AuthStreamsTesting
import Foundation

/// An emulated Firebase project under test: speaks to it as a client would, at a time that the test moves.
struct EmulatedBackend: Sendable {
    struct Answer: Sendable {
        let status: Int
        let json: AuthJSON

        subscript(member: String) -> AuthJSON? { json[member] }
        /// The message of Google's error envelope.
        var message: String? { json["error"]?["message"]?.string }
        /// What precedes the first colon of it.
        var code: String? {
            message?.split(separator: ":").first.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    let emulator: Emulator
    let clock: ManualClock
    /// Reaches the emulator without a network.
    let transport: EmulatorTransport
    private let start: Date

    /// Runs a test against a project whose clock stands still.
    @discardableResult
    static func run<Value: Sendable>(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (EmulatedBackend) async throws -> Value
    ) async throws -> Value {
        let clock = ManualClock()
        let start = Date(timeIntervalSince1970: 1_760_000_000)
        var configuration = EmulatorConfiguration(clock: clock.authClock(startingAt: start))
        change(&configuration)
        return try await withEmulator(configuration) { emulator in
            try await body(EmulatedBackend(emulator: emulator, clock: clock, start: start))
        }
    }

    private init(emulator: Emulator, clock: ManualClock, start: Date) {
        self.emulator = emulator
        // No request fails because the machine is slow.
        transport = EmulatorTransport(to: emulator, clock: ManualClock().authClock(startingAt: start))
        self.clock = clock
        self.start = start
    }

    var now: Int64 { Int64(start.timeIntervalSince1970) + clock.now.offset.components.seconds }

    // MARK: Requests

    /// Calls a method of Identity Toolkit, such as `lookup`.
    func toolkit(_ method: String, _ body: AuthJSON, key: String? = "emulator-api-key") async throws -> Answer {
        let query = key.map { "?key=\($0)" } ?? ""
        return try await post(
            "https://identitytoolkit.googleapis.com/v1/accounts:\(method)\(query)", JSONEncoder().encode(body))
    }

    func secureToken(_ body: String, type: String = FormCoding.contentType) async throws -> Answer {
        try await post(
            "https://securetoken.googleapis.com/v1/token?key=emulator-api-key", Data(body.utf8), type: type)
    }

    func socialLogin(_ data: AuthJSON) async throws -> Answer {
        try await post(Self.function, JSONEncoder().encode(["data": data] as AuthJSON))
    }

    static let function = "https://asia-northeast3-authstreams-demo.cloudfunctions.net/socialLogin"

    func post(
        _ url: String, _ body: Data, type: String = "application/json", headers: [HeaderName: String] = [:],
        method: AuthHTTPRequest.Method = .post
    ) async throws -> Answer {
        var headers = headers
        headers[.contentType] = type
        return try await send(AuthHTTPRequest(method, emulator.url(for: url), headers: headers, body: body))
    }

    func get(_ url: String) async throws -> Answer { try await send(AuthHTTPRequest(.get, emulator.url(for: url))) }

    private func send(_ request: AuthHTTPRequest) async throws -> Answer {
        let response = try await transport.send(request)
        let json = try? JSONDecoder().decode(AuthJSON.self, from: response.body)
        return Answer(status: response.status, json: json ?? .null)
    }

    // MARK: Tokens

    /// Signs a token with the key of that host, as the provider would.
    func token(_ claims: [String: AuthJSON], host: String) -> String {
        TokenSigner().idToken(claims, host: host, fault: nil)
    }

    /// Google's ID token for Minji, with other claims where the test says so; `null` leaves one out.
    func googleToken(_ changes: [String: AuthJSON] = [:], host: String = "accounts.google.com") -> String {
        idToken(issuer: "https://accounts.google.com", host: host, audience: googleClient, changes)
    }

    /// Apple's ID token, without a nonce unless the test says so.
    func appleToken(_ changes: [String: AuthJSON] = [:]) -> String {
        idToken(issuer: "https://appleid.apple.com", host: "appleid.apple.com", audience: appleClient, changes)
    }

    /// Kakao's ID token for the native app key, of a person who has logged in to the app.
    func kakaoToken(_ changes: [String: AuthJSON] = [:]) -> String {
        let key = emulator.configuration.kakao.nativeAppKey
        emulator.kakao.link(changes["sub"]?.string ?? "1001")
        return idToken(issuer: "https://kauth.kakao.com", host: "kauth.kakao.com", audience: key, changes)
    }

    private var googleClient: String { emulator.configuration.google.iOS.id }
    private var appleClient: String { emulator.configuration.apple.bundleID }

    private func idToken(
        issuer: String, host: String, audience: String, _ changes: [String: AuthJSON]
    ) -> String {
        let claims: [String: AuthJSON] = [
            "iss": .string(emulator.url(for: issuer).absoluteString), "aud": .string(audience), "sub": "1001",
            "iat": .integer(now), "exp": .integer(now + 3600), "email": "minji@example.com", "email_verified": true,
        ]
        return token(claims.merging(changes) { $1 }.filter { $0.value != .null }, host: host)
    }

    /// The claims of a custom token of the project's service account, with changes.
    func customToken(_ changes: [String: AuthJSON] = [:], host: String? = nil) -> String {
        let account = emulator.configuration.firebase.serviceAccount
        let claims: [String: AuthJSON] = [
            "iss": .string(account), "sub": .string(account), "iat": .integer(now), "exp": .integer(now + 3600),
            "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
            "uid": "kakao:1001",
        ]
        return token(claims.merging(changes) { $1 }.filter { $0.value != .null }, host: host ?? account)
    }

    // MARK: Sign-ins

    /// Signs in with an ID token by `signInWithIdp`.
    func signIn(
        _ provider: String, _ idToken: String, _ more: [(name: String, value: String)] = [],
        body: [String: AuthJSON] = [:]
    ) async throws -> Answer {
        let form = FormCoding.encode([("id_token", idToken), ("providerId", provider)] + more)
        let standard: [String: AuthJSON] = [
            "requestUri": "http://localhost", "postBody": .string(form), "returnSecureToken": true,
            "returnIdpCredential": true,
        ]
        return try await toolkit("signInWithIdp", .object(standard.merging(body) { $1 }))
    }

    func signInWithCustomToken(_ token: String) async throws -> Answer {
        try await toolkit("signInWithCustomToken", ["token": .string(token), "returnSecureToken": true])
    }
}
