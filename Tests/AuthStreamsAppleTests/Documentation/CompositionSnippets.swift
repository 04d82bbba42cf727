// What the article 'Compose a service' shows is between the marks.

// Composition: app
import AuthStreams
import AuthStreamsApple
import AuthStreamsFirebase
import AuthStreamsOAuth

@MainActor let auth = AuthService(
    .firebase(id: "my-app", apiKey: "AIza…", functionsIn: .seoul),
    providers: [
        .apple, .google(clientID: "1234-abc.apps.googleusercontent.com"), .kakao(nativeAppKey: "0123abcd"),
        .naver(clientID: "naverClient", urlScheme: "pulseboard", appName: "PulseBoard"),
    ],
    platform: .app)
// Composition end
