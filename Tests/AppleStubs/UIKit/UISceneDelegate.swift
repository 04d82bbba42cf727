public import Foundation

/// developer.apple.com/documentation/uikit/uiscenedelegate
///
/// Apple's requirements are optional; here, each has an implementation that does nothing.
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    /// developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:willconnectto:options:)
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// developer.apple.com/documentation/uikit/uiscenedelegate/scenediddisconnect(_:)
    func sceneDidDisconnect(_ scene: UIScene)
    /// developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:openurlcontexts:)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:continue:)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

/// developer.apple.com/documentation/uikit/uiwindowscenedelegate
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {}

@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIScene {
    /// developer.apple.com/documentation/uikit/uiscene/connectionoptions
    @MainActor open class ConnectionOptions: NSObject {
        public let urlContexts: Set<UIOpenURLContext>
        public let userActivities: Set<NSUserActivity>
        public let sourceApplication: String?

        init(urlContexts: Set<UIOpenURLContext>, userActivities: Set<NSUserActivity>, sourceApplication: String?) {
            self.urlContexts = urlContexts
            self.userActivities = userActivities
            self.sourceApplication = sourceApplication
            super.init()
        }
    }

    /// developer.apple.com/documentation/uikit/uiscene/openurloptions
    @MainActor open class OpenURLOptions: NSObject {
        public let sourceApplication: String?

        init(sourceApplication: String?) {
            self.sourceApplication = sourceApplication
            super.init()
        }
    }
}

/// developer.apple.com/documentation/uikit/uiopenurlcontext
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options: UIScene.OpenURLOptions

    init(_ url: URL, sourceApplication: String?) {
        self.url = url
        self.options = UIScene.OpenURLOptions(sourceApplication: sourceApplication)
        super.init()
    }
}
