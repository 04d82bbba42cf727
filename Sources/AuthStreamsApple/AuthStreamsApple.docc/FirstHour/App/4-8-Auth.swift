import AuthStreams
import AuthStreamsApple
import AuthStreamsFirebase
import AuthStreamsOAuth
import Foundation

@MainActor let auth = AuthService(
    .firebase(id: "my-app", apiKey: "AIza…", functionsIn: .seoul),
    providers: [
        .kakao(nativeAppKey: "0123abcd"),
        .google(clientID: "1234-abc.apps.googleusercontent.com"),
    ],
    platform: .app)

extension AuthService {
    static func emulated(
        at emulator: URL, on platform: AuthPlatform = .app
    ) -> AuthService {
        AuthService(
            .firebase(
                FirebaseProject(
                    id: "authstreams-demo", apiKey: "emulator-api-key",
                    endpoints: .emulator(at: emulator)),
                routes: .standard(functionsIn: .seoul)),
            providers: [
                .kakao(
                    .init(
                        nativeAppKey: "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
                        bundleID: "com.example.authstreams",
                        endpoints: .emulator(at: emulator))),
                .google(
                    clientID: "1001-ios.apps.googleusercontent.com",
                    endpoints: .emulator(at: emulator)),
            ],
            platform: platform)
    }
}
