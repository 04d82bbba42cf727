import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport

@testable import AuthStreamsOAuth

/// A server that gives codes for other devices, played: each answer of its token endpoint is the test's.
struct DeviceFixture: Sendable {
    /// One answer of the token endpoint.
    enum Answer: Sendable {
        case tokens
        case error(String, status: Int = 400)
        /// The connection is lost, or no answer comes in time.
        case lost(AuthError.Code = .network)
        /// Nothing is sent: the device has no network.
        case offline
        case response(AuthHTTPResponse)
    }

    static let issuer = "https://id.example"
    static let codes: [String: AuthJSON] = [
        "device_code": "secret-device-code", "user_code": "WDJB-MJHT", "verification_uri": "https://id.example/device",
        "verification_uri_complete": "https://id.example/device?user_code=WDJB-MJHT", "expires_in": 900, "interval": 5,
    ]

    let clock = ManualClock()
    /// When the token endpoint was asked, since the code was given.
    let polls = Lock([Duration]())
    /// The codes that were shown.
    let shown = Lock([UserCode]())
    let warnings = Lock([AuthError.Code]())
    /// The token that was ended first.
    let revoked = Promise<String?>()
    var scopes = ["read:user"]
    var parameters: [String: String] = [:]
    var authentication = ClientAuthentication.publicClient
    /// The answers of the token endpoint, in order. The last one is repeated.
    var answers = [Answer.tokens]
    /// Changes to the answer of the device authorization endpoint; `null` takes a member away.
    var codes: [String: AuthJSON] = [:]
    /// The answer of the device authorization endpoint in place of codes.
    var refusal: AuthHTTPResponse?
    /// The claims of the ID token; `nil` for an answer without one.
    var claims: [String: AuthJSON]?
    /// Makes an ID token of its claims.
    var sign: @Sendable ([String: AuthJSON]) throws -> String = { try SignedTokens.token($0) }
    var metadata = AuthorizationServerMetadata(
        authorizationEndpoint: URL(literal: "https://id.example/auth"),
        tokenEndpoint: URL(literal: "https://id.example/token"),
        deviceAuthorizationEndpoint: URL(literal: "https://id.example/device"))

    /// An issuer of OpenID Connect.
    static var openID: Self {
        var fixture = Self()
        fixture.scopes = ["openid", "email"]
        fixture.claims = ["iss": .string(issuer), "aud": "app"]
        fixture.metadata.issuer = issuer
        fixture.metadata.jwksURI = URL(literal: "https://id.example/keys")
        fixture.metadata.revocationEndpoint = URL(literal: "https://id.example/revoke")
        return fixture
    }

    var authClock: AuthClock { clock.authClock(startingAt: SignedTokens.now) }

    /// - Parameter onPoll: Called with the number of each request to the token endpoint, from 1.
    func transport(onPoll: @escaping @Sendable (Int) async -> Void = { _ in }) -> ScriptedTransport {
        ScriptedTransport { [self] request in
            switch request.url.path() {
            case "/device":
                if let refusal { return refusal }
                return try .json(.object(Self.codes.merging(codes) { $1 }.filter { $0.value != .null }))
            case "/token":
                let form = FormCoding.decode(String(decoding: request.body ?? Data(), as: UTF8.self)) ?? []
                if form.contains(where: { $0.value == "refresh_token" }) {
                    return try .json(["access_token": "access-2", "refresh_token": "refresh-2", "token_type": "Bearer"])
                }
                let count = polls.withLock { polls in
                    polls.append(clock.now.offset)
                    return polls.count
                }
                await onPoll(count)
                return try answer(answers[min(count, answers.count) - 1])
            case "/keys": return try SignedTokens.keys()
            case "/revoke":
                let form = FormCoding.decode(String(decoding: request.body ?? Data(), as: UTF8.self)) ?? []
                revoked.resolve(form.first { $0.name == "token" }?.value)
                return .text("")
            default: return .text("", status: 404)
            }
        }
    }

    private func answer(_ answer: Answer) throws -> AuthHTTPResponse {
        switch answer {
        case .error(let word, let status):
            return try .json(
                ["error": .string(word), "error_description": "of secret-device-code and WDJB-MJHT"], status: status)
        case .lost(let code): throw AuthError(code, "The answer was lost.")
        case .offline: throw AuthError(.network, "There is no network.", cause: URLError(.notConnectedToInternet))
        case .response(let response): return response
        case .tokens:
            var members: [String: AuthJSON] = [
                "access_token": "access-1", "refresh_token": "refresh-1", "token_type": "Bearer", "expires_in": 300,
            ]
            members["id_token"] = try claims.map { .string(try sign(SignedTokens.claims($0))) }
            return try .json(.object(members))
        }
    }

    func client(_ transport: ScriptedTransport) -> OAuthClient {
        OAuthClient(
            "tv", metadata: metadata, clientID: "app", authentication: authentication, transport: transport,
            clock: authClock)
    }

    func provider(_ transport: ScriptedTransport) -> DeviceCodeProvider {
        DeviceCodeProvider(client(transport), scopes: scopes, parameters: parameters)
    }

    /// A request that shows the code.
    var request: AuthRequest {
        var request = AuthRequest(onWarning: { [warnings] error in warnings.withLock { $0.append(error.code) } })
        request.prompter = .showing { [shown] code in shown.withLock { $0.append(code) } }
        return request
    }

    /// Signs in, while each pause is over as soon as it has begun.
    func signIn(
        _ transport: ScriptedTransport? = nil, _ request: AuthRequest? = nil
    ) async throws(AuthError) -> Credential {
        let time = Task { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepers(count: 1)
                clock.advanceToNextSleeper()
            }
        }
        defer { time.cancel() }
        return try await provider(transport ?? self.transport()).authenticate(request ?? self.request).value
    }

    /// Signs in, while the test moves the clock.
    func result(_ transport: ScriptedTransport? = nil) async -> Result<Credential, AuthError> {
        do throws(AuthError) {
            return .success(try await provider(transport ?? self.transport()).authenticate(request).value)
        } catch { return .failure(error) }
    }

    /// When the token endpoint was asked, in seconds since the code was given.
    var seconds: [Int64] { polls.withLock { $0.map(\.components.seconds) } }
}
