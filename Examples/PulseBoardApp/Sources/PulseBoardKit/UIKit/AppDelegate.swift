import UIKit

/// The app with UIKit.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// Info.plist names no scene delegate, because the app with SwiftUI has its own.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = SceneDelegate.self
        return configuration
    }
}
