import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import LoopbackHTTP
import Testing

/// An issuer over real HTTP, one of whose endpoints answers as the test says, and an app that signs in there.
struct HostileIssuer: Sendable {
    enum Endpoint: String, CaseIterable, Sendable {
        case metadata = "/.well-known/openid-configuration"
        case keys = "/keys"
        case token = "/token"
    }

    let endpoint: Endpoint?
    let time = ManualClock()
    let repository = ScriptedRepository()
    let store = MemorySessionStore()
    private let secrets: AuthorizationSecrets
    private let asked: Lock<[String]>
    private let server: LoopbackServer
    /// The server of the hostile endpoint, if it is another one.
    private let origin: String?

    /// - Parameters:
    ///   - endpoint: The hostile endpoint; `nil` for an issuer as it should be.
    ///   - origin: The server that the hostile endpoint is on, unless it is this one.
    init(
        _ endpoint: Endpoint?, at origin: String? = nil,
        answering answer: @escaping @Sendable (LoopbackRequest) async -> LoopbackResponse = { _ in .dropConnection }
    ) throws {
        let (asked, secrets) = (Lock<[String]>([]), AuthorizationSecrets())
        server = try LoopbackServer.start { request in
            asked.withLock { $0.append(request.path) }
            let issuer = "http://\(request.header("Host") ?? "")"
            guard request.path != endpoint?.rawValue else { return await answer(request) }
            func place(_ asked: Endpoint) -> AuthJSON {
                .string((asked == endpoint ? origin ?? issuer : issuer) + asked.rawValue)
            }
            switch Endpoint(rawValue: request.path) {
            case .metadata:
                return Self.json([
                    "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/auth"),
                    "token_endpoint": place(.token), "jwks_uri": place(.keys),
                ])
            case .keys: return Self.json(["keys": [SignedTokens.rsaKey]])
            case .token: return Self.json(Self.tokens(by: issuer, secrets))
            case nil: return LoopbackResponse(status: 404)
            }
        }
        (self.endpoint, self.origin, self.asked, self.secrets) = (endpoint, origin, asked, secrets)
    }

    /// How often the hostile endpoint was asked.
    var count: Int { asked.withLock { $0.count { $0 == endpoint?.rawValue } } }

    /// Everything of the attempt that no error may show.
    var secretTexts: [String] {
        [
            "secret-", secrets.state.reveal(), secrets.nonce.reveal(), secrets.proofKey.verifier.reveal(),
        ]
    }

    /// Signs in over the real network. The time limits of its requests are measured by ``time``.
    func signIn() async throws(AuthError) -> AuthUser {
        let local = "http://127.0.0.1:\(server.port)"
        var provider = OpenIDProvider(
            "hostile", issuer: endpoint == .metadata ? origin ?? local : local, clientID: "app",
            redirect: .redirect(URL(literal: "com.example.app:/callback")),
            userAgent: ScriptedAgent { page, redirectURI in
                callback(redirectURI, ["code": "secret-code", "state": page["state"] ?? ""])
            },
            transport: URLSessionTransport(clock: time.authClock(startingAt: .distantPast)), clock: SignedTokens.clock)
        provider.makeSecrets = { [secrets] in secrets }
        let service = AuthService(
            repository: repository, providers: [provider], store: store, callbacks: CallbackRouter())
        return try await service.signIn(with: "hostile").value.user
    }

    /// Expects that the sign-in fails, that its error says why and shows no secret, and that nothing is stored.
    func expectFailure(
        _ code: AuthError.Code, saying text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let error = try await #require(throws: AuthError.self, sourceLocation: sourceLocation) { try await signIn() }
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.explanation.contains(text), "\(error.explanation)", sourceLocation: sourceLocation)
        expectNoLeak(of: secretTexts, in: error, sourceLocation: sourceLocation)
        #expect(repository.calls.isEmpty, sourceLocation: sourceLocation)
        for key in [SessionStoreKey.session, .notes, .damagedSession] {
            #expect(try await store.read(key).data == nil, "\(key)", sourceLocation: sourceLocation)
        }
    }

    private static func tokens(by issuer: String, _ secrets: AuthorizationSecrets) -> AuthJSON {
        let claims = SignedTokens.claims([
            "iss": .string(issuer), "aud": "app", "nonce": .string(secrets.nonce.reveal()),
        ])
        let token = (try? SignedTokens.token(claims)) ?? ""
        return [
            "access_token": "secret-access", "token_type": "Bearer", "expires_in": 300, "id_token": .string(token),
        ]
    }

    private static func json(_ value: AuthJSON) -> LoopbackResponse {
        var response = LoopbackResponse.json((try? JSONEncoder().encode(value)) ?? Data())
        response.headers.append(
            ("Date", LoopbackDate.string(secondsSince1970: Int(SignedTokens.now.timeIntervalSince1970))))
        return response
    }
}
