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
            platform: platform, gate: .pulseBoard, sinks: [.log])
    }
}

extension SessionGate {
    /// The gate of the app: Face ID, Touch ID or the passcode at launch, and after five minutes in the background.
    static var pulseBoard: SessionGate {
        // A phone without a passcode is as open as the person wants it.
        .deviceOwner("Unlock PulseBoard.", after: .seconds(300), isPasscodeRequired: false)
    }
}
