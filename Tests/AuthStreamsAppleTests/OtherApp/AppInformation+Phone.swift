import Foundation

@testable import AuthStreamsApple

extension AppInformation {
    /// An app whose Info.plist has what the test names.
    init(schemes: [String] = [], queries: [String] = [], hasScenes: Bool = true) {
        var dictionary: [String: Any] = [
            "CFBundleURLTypes": schemes.map { ["CFBundleURLSchemes": [$0]] }, "LSApplicationQueriesSchemes": queries,
        ]
        if hasScenes { dictionary["UIApplicationSceneManifest"] = ["UIApplicationSupportsMultipleScenes": true] }
        self.init(dictionary)
    }

    /// An app that lists everything for Kakao.
    static let forKakao = AppInformation(schemes: ["kakao1"], queries: ["kakaokompassauth"])
}
