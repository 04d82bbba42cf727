import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// A Kakao provider with everything around it played by the test.
@MainActor
struct KakaoFixture {
    let callbacks = CallbackRouter()
    let clock = ManualClock()
    let steps = StepLog()
    let server: TokenServer
    let phone: Phone
    let browser: PageReader
    /// The secrets of the first request, of the second, and so on.
    static let secrets: [AuthorizationSecrets] = (1...3).map { AuthorizationSecrets.seeded($0) }
    var secrets: [AuthorizationSecrets] { Self.secrets }
    var configuration = KakaoProvider.Configuration(nativeAppKey: "a1b2", bundleID: "com.example.app")

    /// An answer of the token endpoint that has no ID token.
    static let accessTokenOnly = #"{"token_type":"bearer","access_token":"at-secret","expires_in":43199}"#

    /// A server whose ID token repeats the nonce of the request that has the verifier.
    static func server() -> TokenServer {
        let secrets = secrets
        return TokenServer { request in
            if request.url == KakaoProvider.Endpoints.production.keys { return try SignedTokens.keys() }
            let form = String(decoding: request.body ?? Data(), as: UTF8.self)
            let nonce = secrets.first { form.contains($0.proofKey.verifier.reveal()) }?.nonce.reveal() ?? ""
            let claims = SignedTokens.claims([
                "iss": "https://kauth.kakao.com", "aud": "a1b2", "nonce": .string(nonce),
            ])
            return try .json([
                "token_type": "bearer", "access_token": "at-secret", "expires_in": 43199,
                "id_token": .string(try SignedTokens.token(claims)),
            ])
        }
    }

    init(
        server: TokenServer = server(),
        talk: @escaping @MainActor (Int) -> Phone.Reaction = { _ in .answer(["kakaoa1b2://oauth?code=talk-secret"]) },
        page: (@MainActor (String) -> PageReader.Reaction)? = nil
    ) {
        self.server = server
        phone = Phone(callbacks, talk)
        browser = page.map { PageReader($0) } ?? .unused
    }

    var provider: KakaoProvider {
        var provider = KakaoProvider(
            configuration, callbacks: callbacks, opener: phone, userAgent: browser, transport: server,
            clock: clock.authClock(startingAt: SignedTokens.now))
        let next = Lock(secrets)
        provider.makeSecrets = { next.withLock { $0.isEmpty ? AuthorizationSecrets() : $0.removeFirst() } }
        provider.agent = "sdk/1.0.0 os/test"
        return provider
    }

    func attempt(_ request: AuthRequest = AuthRequest()) async -> Result<Credential, AuthError> {
        var request = request
        request.onStep = steps.append
        // After a code that Kakao refuses nothing comes any more, until the time limit.
        request.onWarning = { [clock] error in
            guard error.step == .exchanging else { return }
            Task {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(600))
            }
        }
        do { return .success(try await provider.authenticate(request).value) } catch { return .failure(error) }
    }

    /// The error of an attempt, which shows none of its secrets.
    func failure(_ request: AuthRequest = AuthRequest()) async -> AuthError? {
        guard case .failure(let error) = await attempt(request) else {
            Issue.record("The attempt succeeded.")
            return nil
        }
        #expect(error.provider == .kakao)
        for secret in secrets.flatMap(\.all) + ["at-secret", "talk-secret", "page-secret", "leak"] {
            #expect(!everything(error).contains(secret))
        }
        return error
    }

    /// The account page's answer to the request numbered so.
    static func pageAnswer(_ query: String, request: Int = 1) -> String {
        "kakaoa1b2://oauth?\(query)&state=\(secrets[request - 1].state.reveal())"
    }
}
