import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

/// A phone with the emulated apps and a browser, and both providers on it, speaking to an emulator over real HTTP.
@MainActor
struct EmulatedPhone {
    let emulator: Emulator
    let clock: ManualClock
    let callbacks = CallbackRouter()
    let transport = URLSessionTransport.untimed()
    let browser: ScriptedBrowser
    let device: EmulatedApps
    let steps = StepLog()

    /// Runs a test with a phone and an emulator that share a clock that stands still.
    static func run(_ body: (EmulatedPhone) async throws -> Void) async throws {
        let clock = ManualClock()
        let time = clock.authClock(startingAt: Date(timeIntervalSince1970: 1_700_000_000))
        try await withEmulator(EmulatorConfiguration(clock: time)) { emulator in
            try await body(EmulatedPhone(emulator, clock))
        }
    }

    private init(_ emulator: Emulator, _ clock: ManualClock) {
        self.emulator = emulator
        self.clock = clock
        let callbacks = callbacks
        browser = ScriptedBrowser(transport: transport) { callbacks.handle($0) }
        device = EmulatedApps(emulator: emulator.baseURL, transport: transport, next: browser) { callbacks.handle($0) }
    }

    private var time: AuthClock { clock.authClock(startingAt: Date(timeIntervalSince1970: 1_700_000_000)) }

    private var userAgent: SystemBrowser { SystemBrowser(opener: device, callbacks: callbacks, clock: time) }

    func kakao(_ change: (inout KakaoProvider.Configuration) -> Void = { _ in }) -> KakaoProvider {
        let app = emulator.configuration.kakao
        var configuration = KakaoProvider.Configuration(
            nativeAppKey: app.nativeAppKey, bundleID: app.bundleIDs.first,
            endpoints: .emulator(at: emulator.baseURL))
        change(&configuration)
        return KakaoProvider(
            configuration, callbacks: callbacks, opener: device, userAgent: userAgent, transport: transport, clock: time
        )
    }

    func naver(_ change: (inout NaverProvider.Configuration) -> Void = { _ in }) -> NaverProvider {
        let app = emulator.configuration.naver
        var configuration = NaverProvider.Configuration(
            clientID: app.clientID, urlScheme: app.urlScheme, appName: "PulseBoard",
            endpoints: .emulator(at: emulator.baseURL))
        change(&configuration)
        return NaverProvider(configuration, callbacks: callbacks, opener: device, userAgent: userAgent, clock: time)
    }

    func credential(_ provider: some AuthProvider, _ request: AuthRequest = AuthRequest()) async throws -> Credential {
        var request = request
        request.onStep = steps.append
        // After a code that Kakao refuses nothing comes any more, until the time limit.
        request.onWarning = { [clock, onWarning = request.onWarning] error in
            onWarning(error)
            guard error.step == .exchanging else { return }
            Task {
                await clock.waitForSleepers(count: 1)
                clock.advance(by: .seconds(600))
            }
        }
        return try await provider.authenticate(request).value
    }

    /// The error of an attempt, which shows no secret that the emulator ever saw.
    ///
    /// An attempt that ends otherwise says what the phone did: an app that refused is left for the browser.
    func failure(
        _ provider: some AuthProvider, _ request: AuthRequest = AuthRequest(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> AuthError {
        let error = try await #require(throws: AuthError.self, sourceLocation: sourceLocation) {
            _ = try await credential(provider, request)
            Issue.record("The attempt went through. \(story)", sourceLocation: sourceLocation)
        }
        // A `code` of the Naver app may be the number of an error, which is for all to see.
        for secret in emulator.issuedSecrets where secret.value.reveal().count > 2 {
            #expect(!everything(error).contains(secret.value.reveal()), "\(secret.name) shows")
        }
        return error
    }

    /// What happened on the phone, for an attempt that came out another way than the test says.
    var story: String {
        """
        Steps: \(steps.steps.map(\.rawValue)), apps visited: \(device.visits), refusals of the apps: \(device.refusals), \
        pages visited: \(browser.visits.count), requests: \(requests)
        """
    }

    /// What the emulator was asked, such as `POST kauth.kakao.com/oauth/token`.
    var requests: [String] { emulator.journal.entries.map { "\($0.method) \($0.host)\($0.path)" } }
}
