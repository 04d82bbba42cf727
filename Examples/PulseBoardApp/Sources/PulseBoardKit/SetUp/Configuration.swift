import AuthStreamsFirebase

/// The entries of the app at Firebase and in the providers' consoles.
///
/// Replace each value that has `YOUR-` in it, and Kakao's key in Info.plist, too. README.md says where to find them. None of them
/// is a secret.
struct Configuration {
    var firebaseProjectID = "YOUR-PROJECT-ID"
    var firebaseAPIKey = "YOUR-WEB-API-KEY"
    /// Where the function for Kakao and Naver runs.
    var functionsRegion = FunctionsRegion.seoul
    /// Of the client of type iOS.
    var googleClientID = "YOUR-CLIENT-ID.apps.googleusercontent.com"
    var kakaoNativeAppKey = "YOUR-KAKAO-NATIVE-APP-KEY"
    var naverClientID = "YOUR-NAVER-CLIENT-ID"
    /// The scheme of Naver's answers and of the app's own links, as registered at Naver.
    var urlScheme = "pulseboard"
    /// The name that the Naver app shows.
    var appName = "PulseBoard"

    /// The values that were not replaced.
    var placeholders: [String] {
        [firebaseProjectID, firebaseAPIKey, googleClientID, kakaoNativeAppKey, naverClientID]
            .filter { $0.contains("YOUR-") }
    }
}
