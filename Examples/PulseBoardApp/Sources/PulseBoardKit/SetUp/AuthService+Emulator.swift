import AuthStreams
import AuthStreamsApple
import AuthStreamsFirebase
import AuthStreamsOAuth
import Foundation

extension AuthService {
    /// The service of the app in front of an emulator: the same providers and server, with the entries that the emulator has.
    ///
    /// Apple is asked by its page, because an emulator cannot answer the system's sheet.
    static func emulated(at emulator: URL, on platform: AuthPlatform) -> AuthService {
        let project = FirebaseProject(
            id: "authstreams-demo", apiKey: "emulator-api-key", endpoints: .emulator(at: emulator))
        return AuthService(
            .firebase(project, routes: .standard(functionsIn: .seoul), functions: .standard(in: .seoul)),
            providers: [
                .apple(
                    servicesID: "com.example.authstreams.web",
                    relay: emulator.appending(path: "apple-relay.example/callback"),
                    callback: URL(string: "com.example.authstreams://apple") ?? emulator,
                    endpoints: .emulator(at: emulator)),
                .google(clientID: "1001-ios.apps.googleusercontent.com", endpoints: .emulator(at: emulator)),
                .kakao(
                    .init(
                        nativeAppKey: "0a1b2c3d4e5f60718293a4b5c6d7e8f9", bundleID: "com.example.authstreams",
                        endpoints: .emulator(at: emulator))),
                .naver(
                    .init(
                        clientID: "emulatorNaverClient", urlScheme: "authstreamsnaver", appName: "PulseBoard",
                        endpoints: .emulator(at: emulator))),
            ],
            platform: platform, gate: .pulseBoard, sinks: [.log])
    }
}

extension AuthPlatform {
    /// The platform of an app in front of an emulator.
    ///
    /// Its session has a place of its own, so that the emulator receives no token of a real one. No other app is opened: the real
    /// KakaoTalk knows nothing of the emulator.
    static var emulated: AuthPlatform {
        .app(
            store: KeychainSessionStore(service: "\(Bundle.main.bundleIdentifier ?? "PulseBoard").emulator"),
            opener: NoOtherApps())
    }
}

/// A phone on which no other app is installed.
struct NoOtherApps: ApplicationOpener {
    func canOpen(_ url: URL) -> Bool { false }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }
}
