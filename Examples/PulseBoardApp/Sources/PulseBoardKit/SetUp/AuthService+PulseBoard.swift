import AuthStreams
import AuthStreamsApple
import AuthStreamsFirebase
import AuthStreamsOAuth

extension AuthService {
    /// The service of the app.
    static func pulseBoard(_ configuration: Configuration, on platform: AuthPlatform) -> AuthService {
        AuthService(
            .firebase(
                FirebaseProject(id: configuration.firebaseProjectID, apiKey: configuration.firebaseAPIKey),
                routes: .standard(functionsIn: configuration.functionsRegion),
                functions: .standard(in: configuration.functionsRegion)),
            providers: [
                .apple, .google(clientID: configuration.googleClientID),
                .kakao(nativeAppKey: configuration.kakaoNativeAppKey),
                .naver(
                    clientID: configuration.naverClientID, urlScheme: configuration.urlScheme,
                    appName: configuration.appName),
            ],
            platform: platform, sinks: [.log])
    }
}
