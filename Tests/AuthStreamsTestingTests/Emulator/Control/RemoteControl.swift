import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsTesting

/// A program that changes the emulator.
struct RemoteControl {
    static let token = "token-of-this-test"

    static func run(
        isOn: Bool = true, allowing origins: Set<String> = [], _ body: (RemoteControl) async throws -> Void
    ) async throws {
        var configuration = EmulatorConfiguration()
        configuration.controlToken = isOn ? Secret(token) : nil
        configuration.allowedOrigins = origins
        try await withEmulator(configuration) { try await body(RemoteControl(emulator: $0)) }
    }

    let emulator: Emulator
    private let transport = URLSessionTransport.untimed()

    init(emulator: Emulator) { self.emulator = emulator }

    func send(
        _ method: AuthHTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = token,
        headers: [HeaderName: String] = [:]
    ) async throws -> AuthHTTPResponse {
        let url = try #require(URL(string: "\(emulator.baseURL)/emulator/control\(path)"))
        var request = AuthHTTPRequest(method, url, headers: headers, body: body.map { Data($0.utf8) })
        if let token { request.headers[.authorization] = "Bearer \(token)" }
        return try await transport.send(request)
    }

    func value(_ path: String) async throws -> AuthJSON? { AuthJSON(json: try await send(.get, path).body) }

    /// Signs a person in at Kakao, and returns the access token.
    func signIn(as user: String) async throws -> String {
        let (wire, kakao) = (Wire(emulator), emulator.configuration.kakao)
        let page = try await wire.get(
            "https://kauth.kakao.com/oauth/authorize",
            [
                "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "response_type": "code",
                "state": "state-of-\(user)",
            ])
        let answer = try await wire.answer(page, "approve", user: user)
        let location = try #require(answer.headers["location"].flatMap(URLComponents.init(string:)))
        let code = location.queryItems?.first { $0.name == "code" }?.value
        let tokens = try await wire.post(
            "https://kauth.kakao.com/oauth/token",
            [
                "grant_type": "authorization_code", "client_id": kakao.nativeAppKey, "code": code,
                "redirect_uri": kakao.nativeRedirectURI,
            ])
        return try #require(AuthJSON(json: tokens.body)?["access_token"]?.string)
    }

    func profileStatus(_ token: String) async throws -> Int {
        try await Wire(emulator).get("https://kapi.kakao.com/v2/user/me", bearer: token).status
    }
}
