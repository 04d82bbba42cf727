public import Foundation

// Compared: all but the isolation of UIApplicationMain, whose page names none.

/// developer.apple.com/documentation/uikit/uiapplicationdelegate
///
/// Apple's requirements are optional; here, each has an implementation that does nothing.
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:configurationforconnecting:options:)
    @available(iOS 13.0, tvOS 13.0, *)
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
}

@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role) }
}

/// developer.apple.com/documentation/uikit/uisceneconfiguration
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role
    open var delegateClass: AnyClass?

    /// developer.apple.com/documentation/uikit/uisceneconfiguration/init(name:sessionrole:)
    public init(name: String?, sessionRole: UISceneSession.Role) {
        (self.name, role) = (name, sessionRole)
        super.init()
    }
}

/// developer.apple.com/documentation/uikit/uiapplicationmain(_:_:_:_:)-1yub7. Here it returns.
@available(macOS, unavailable)
@available(watchOS, unavailable)
@discardableResult
public func UIApplicationMain(
    _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ principalClassName: String?,
    _ delegateClassName: String?
) -> Int32 {
    MainActor.assumeIsolated { AppleDevice.App.launched.append(delegateClassName) }
    return 0
}

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension AppleDevice.App {
    /// Asks an app's delegate how to make a scene, as the system does for one that it has not connected before.
    public static func configuration(by delegate: any UIApplicationDelegate) -> UISceneConfiguration {
        delegate.application(
            UIApplication.shared, configurationForConnecting: UISceneSession(role: .windowApplication),
            options: UIScene.ConnectionOptions(urlContexts: [], userActivities: [], sourceApplication: nil))
    }
}
