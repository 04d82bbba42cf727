import AuthStreams
import AuthStreamsFirebase
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The method kind of a sign-in on an emulated phone: which app or page is really opened.
@MainActor
@Suite(.limitedParallelization) struct EmulatedDeviceMethodKindTests {
    @Test func everyMethodOfTheDeviceSignsIn() async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL)
            #expect(
                device.auth.methods == [
                    .init(.apple, using: .web), .init(.google, using: .web), .init(.kakao, using: .app),
                    .init(.kakao, using: .web), .init(.naver, using: .app), .init(.naver, using: .web),
                ])
            for method in device.auth.methods {
                let (pages, apps) = (device.browser.visits.count, device.apps.visits.values.reduce(0, +))
                _ = try await device.auth.signIn(with: method).value
                let isByApp = method.kind == .app
                #expect(device.apps.visits.values.reduce(0, +) - apps == (isByApp ? 1 : 0), "\(method)")
                #expect(device.browser.visits.count - pages == (isByApp ? 0 : 1), "\(method)")
            }
            #expect(device.apps.refusals.isEmpty)
        }
    }

    @Test func appsRequestsReachTheEmulatedServer() async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL, backend: .server)
            _ = try await device.auth.signIn(with: .kakao).value
            let url = emulator.url(for: "https://api.pulseboard.example/auth/user")
            #expect(try await device.auth.data(for: AuthHTTPRequest(.get, url)).status == 200)
            let other = EmulatedDevice(at: emulator.baseURL, backend: .server, api: [])
            _ = try await other.auth.signIn(with: .kakao).value
            let error = await #expect(throws: AuthError.self) {
                try await other.auth.data(for: AuthHTTPRequest(.get, url))
            }
            #expect(error?.code == .misconfigured)
        }
    }

    @Test(arguments: [ProviderID.kakao, .naver])
    func appAloneThatIsNotInstalledIsToldAndNoPageOpens(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL)
            device.apps.installed = []
            let error = try await #require(throws: AuthError.self) {
                try await device.auth.signIn(with: provider, using: .app).value.user
            }
            #expect(error.code == .appUnavailable && error.provider == provider)
            #expect(device.browser.visits.isEmpty)
            var states = device.auth.states.makeAsyncIterator()
            while await states.next() == .restoring(.reading) {}
            #expect(device.auth.state == .signedOut(nil))
            // Without naming the kind the page serves.
            _ = try await device.auth.signIn(with: provider).value
            #expect(device.browser.visits.count == 1)
        }
    }

    @Test(arguments: [ProviderID.kakao, .naver])
    func fallingBackToThePageIsAnEvent(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let device = EmulatedDevice(at: emulator.baseURL)
            device.apps.installed = []
            var events = device.auth.events.makeAsyncIterator()
            _ = try await device.auth.signIn(with: provider).value
            var warnings: [AuthEvent] = []
            while let event = await events.next(), event.kind != .signInSucceeded {
                if event.kind == .providerWarning { warnings.append(event) }
            }
            #expect(warnings.map(\.failure?.code) == [.appUnavailable] && warnings.first?.provider == provider)
            #expect(warnings.first?.failure?.explanation.contains("LSApplicationQueriesSchemes") == true)
        }
    }

    @Test func providerRegisteredTwiceIsPickedByItsKind() async throws {
        try await withEmulator { emulator in
            let callbacks = CallbackRouter()
            let transport = URLSessionTransport.untimed()
            let browser = ScriptedBrowser(transport: transport) { callbacks.handle($0) }
            let apps = EmulatedApps(emulator: emulator.baseURL, transport: transport, next: browser) {
                callbacks.handle($0)
            }
            let page = SystemBrowser(opener: apps, callbacks: callbacks)
            let naver = emulator.configuration.naver
            func provider(_ mode: NaverProvider.Configuration.Mode) -> NaverProvider {
                NaverProvider(
                    .init(
                        clientID: naver.clientID, urlScheme: naver.urlScheme, appName: "PulseBoard", mode: mode,
                        endpoints: .emulator(at: emulator.baseURL)),
                    callbacks: callbacks, opener: apps, userAgent: page)
            }
            let auth = AuthService(
                repository: FirebaseRepository.emulated(
                    at: emulator.baseURL, project: emulator.configuration.firebase, transport: transport),
                providers: [provider(.browserOnly), ScriptedProvider(.kakao), provider(.appOnly)],
                store: MemorySessionStore(), callbacks: callbacks)
            #expect(auth.providers == [.naver, .kakao])

            _ = try await auth.signIn(with: .naver).value
            #expect(browser.visits.count == 1 && apps.visits.isEmpty)
            _ = try await auth.signIn(with: SignInMethod(serverValue: "NAVER_APP")).value
            #expect(browser.visits.count == 1 && apps.visits == [.naver: 1])
            _ = try await auth.signIn(with: .naver, using: .web).value
            #expect(browser.visits.count == 2 && apps.visits == [.naver: 1])
        }
    }
}
