import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// A Naver provider with everything around it played by the test.
@MainActor
struct NaverFixture {
    let callbacks = CallbackRouter()
    let clock = ManualClock()
    let steps = StepLog()
    let phone: Phone
    let browser: PageReader
    var configuration = NaverProvider.Configuration(clientID: "cl_1", urlScheme: "myapp", appName: "My App")

    static let secrets = AuthorizationSecrets.seeded(7)
    static var state: String { secrets.state.reveal() }

    init(
        app: @escaping @MainActor (Int) -> Phone.Reaction = { _ in
            .answer(["myapp://thirdPartyLoginResult?authCode=app-secret"])
        },
        page: (@MainActor (String) -> PageReader.Reaction)? = nil
    ) {
        phone = Phone(callbacks, app)
        browser = page.map { PageReader($0) } ?? .unused
    }

    var provider: NaverProvider {
        var provider = NaverProvider(
            configuration, callbacks: callbacks, opener: phone, userAgent: browser,
            clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_700_000_000)))
        provider.makeSecrets = { [secrets = Self.secrets] in secrets }
        return provider
    }

    func attempt(_ request: AuthRequest = AuthRequest()) async -> Result<Credential, AuthError> {
        var request = request
        request.onStep = steps.append
        do { return .success(try await provider.authenticate(request).value) } catch { return .failure(error) }
    }

    /// The error of an attempt, which shows none of its secrets.
    func failure(_ request: AuthRequest = AuthRequest()) async -> AuthError? {
        guard case .failure(let error) = await attempt(request) else {
            Issue.record("The attempt succeeded.")
            return nil
        }
        #expect(error.provider == .naver)
        for secret in Self.secrets.all + ["app-secret", "page-secret", "leak"] {
            #expect(!everything(error).contains(secret))
        }
        return error
    }
}
