import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

// What the article 'Test with the emulator' shows is between the marks, in functions that supply what it leaves out.

// The article lines its comments up.
// swift-format-ignore
@MainActor
private func conducts(_ device: EmulatedDevice, _ emulator: Emulator) {
    // TestWithTheEmulator: what the person does
    device.apps.kakaoTalk = .deny                               // refuses in KakaoTalk: accessDenied
    device.apps.kakaoTalk = .cancel                             // KakaoTalk's own cancel: cancelled
    device.apps.kakaoTalk = .comeBackWithoutAnswer              // switches back: abandoned
    device.apps.kakaoTalk = .stay                               // does nothing: the attempt waits
    device.apps.installed = [.naver]                            // without KakaoTalk: its page follows
    device.browser.answers = [.deny]                            // refuses on each page: accessDenied
    device.browser.answers = [.close, .approve]                 // closes the first page (abandoned), agrees on the next
    device.browser.answers = [.approve(as: "1002")]             // another of the emulator's people
    emulator.inject(.dropConnection, at: .kakaoToken)           // no answer, once: network
    emulator.inject(.status(503), at: .serverRefresh, .always)  // until clearFaults(): server
    emulator.stop()                                             // no answers any more: see below
    // TestWithTheEmulator end
}

// The article lines its comments up.
// swift-format-ignore
private func anotherPerson() -> EmulatorConfiguration {
    // TestWithTheEmulator: another person
    var configuration = EmulatorConfiguration()
    configuration.kakao.users.append(EmulatorUser(id: "1003", name: "Ada Lovelace", email: "ada@kakao.example"))
    configuration.server.accessTokenLifetime = .seconds(60)  // the app refreshes every minute
    configuration.server.recentSignIn = .zero                // each deletion asks the person
    // TestWithTheEmulator end
    return configuration
}

// TestWithTheEmulator: a request to the emulated server
@MainActor
@Test func theServerKnowsWhoAsks() async throws {
    try await withEmulator { (emulator: Emulator) in
        let device = EmulatedDevice(at: emulator.baseURL, backend: .server)
        _ = try await device.auth.signIn(with: .kakao).value

        let url = emulator.url(for: EmulatorConfiguration.Server.baseURL + "/auth/user")
        let answer = try await device.auth.data(for: AuthHTTPRequest(.get, url))

        #expect(answer.status == 200)
    }
}
// TestWithTheEmulator end

// TestWithTheEmulator: the app's composition
func makeAuth(
    on platform: AuthPlatform, api: URL, google: GoogleProvider.Endpoints = .production,
    kakao: KakaoProvider.Endpoints = .production
) -> AuthService {
    AuthService(
        .server(api),
        providers: [
            .google(clientID: "1234-abc.apps.googleusercontent.com", endpoints: google),
            .kakao(.init(nativeAppKey: "0123abcd", bundleID: "com.example.app", endpoints: kakao)),
        ],
        platform: platform)
}
// TestWithTheEmulator end

@Suite(.limitedParallelization) struct ComposedAppTests {
    // TestWithTheEmulator: the app at the emulator
    @MainActor
    @Test(arguments: [ProviderID.google, .kakao])
    func theAppSignsIn(with provider: ProviderID) async throws {
        var configuration = EmulatorConfiguration()  // knows the app by its own identifiers
        configuration.google.iOS.id = "1234-abc.apps.googleusercontent.com"
        configuration.kakao.nativeAppKey = "0123abcd"
        configuration.kakao.bundleIDs = ["com.example.app"]
        try await withEmulator(configuration) { emulator in
            let network = URLSessionTransport.untimed()  // also where the machine is busy
            var platform = AuthPlatform(
                store: MemorySessionStore(), opener: ScriptedBrowser(transport: network), redirect: .appURL
            ) { SystemBrowser(opener: $0.opener, callbacks: $0.callbacks, clock: $0.clock) }
            let callbacks = platform.callbacks
            let browser = ScriptedBrowser(transport: network) { callbacks.handle($0) }
            platform.opener = EmulatedApps(emulator: emulator.baseURL, transport: network, next: browser) {
                callbacks.handle($0)
            }
            let auth = makeAuth(
                on: platform, api: emulator.url(for: EmulatorConfiguration.Server.baseURL),
                google: .emulator(at: emulator.baseURL), kakao: .emulator(at: emulator.baseURL))

            let user = try await auth.signIn(with: provider).value.user

            #expect(emulator.server[user.id]?.identities.map(\.id) == [provider])
        }
    }
    // TestWithTheEmulator end
}
