public import Foundation

/// developer.apple.com/documentation/uikit/uiscene
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIScene: UIResponder {
    /// developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive = 0
        case foregroundInactive = 1
        case background = 2
    }

    // developer.apple.com/documentation/uikit/uiscene: the notifications of its topics
    nonisolated public class var willConnectNotification: NSNotification.Name {
        .init("UISceneWillConnectNotification")
    }
    nonisolated public class var didDisconnectNotification: NSNotification.Name {
        .init("UISceneDidDisconnectNotification")
    }
    nonisolated public class var didActivateNotification: NSNotification.Name {
        .init("UISceneDidActivateNotification")
    }
    nonisolated public class var willDeactivateNotification: NSNotification.Name {
        .init("UISceneWillDeactivateNotification")
    }
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        .init("UISceneWillEnterForegroundNotification")
    }
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        .init("UISceneDidEnterBackgroundNotification")
    }

    public let session: UISceneSession
    open var delegate: (any UISceneDelegate)?
    open internal(set) var activationState = ActivationState.unattached
    open var title: String! = ""

    public init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
        self.session = session
        super.init()
        session.scene = self
    }

    /// developer.apple.com/documentation/uikit/uiscene/openexternalurloptions
    @MainActor open class OpenExternalURLOptions: NSObject {
        open var universalLinksOnly = false
        public override init() { super.init() }
    }

    /// developer.apple.com/documentation/uikit/uiscene/open(_:options:completionhandler:)
    open func open(
        _ url: URL, options: UIScene.OpenExternalURLOptions?, completionHandler completion: ((Bool) -> Void)? = nil
    ) {
        let isOpened = AppleDevice.App.open(url, universalLinksOnly: options?.universalLinksOnly ?? false)
        AppleDevice.App.finish { completion?(isOpened) }
    }
}

/// developer.apple.com/documentation/uikit/uiwindowscene
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIWindowScene: UIScene {
    open internal(set) var windows: [UIWindow] = []

    @available(iOS 15.0, tvOS 15.0, *)
    open internal(set) weak var keyWindow: UIWindow?

    /// developer.apple.com/documentation/uikit/uiwindowscene/traitcollection
    @available(iOS 13.0, tvOS 13.0, *)
    open var traitCollection: UITraitCollection {
        UITraitCollection(activeAppearance: AppleDevice.App.frontmost === self ? .active : .inactive)
    }
}

/// developer.apple.com/documentation/uikit/uiscenesession
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UISceneSession: NSObject {
    /// developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct. Not confirmed: the raw values.
    public struct Role: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
        @available(iOS 16.0, tvOS 16.0, *)
        public static let windowExternalDisplayNonInteractive = Role(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }

    open internal(set) weak var scene: UIScene?
    public let role: Role
    public let persistentIdentifier = UUID().uuidString

    init(role: Role) {
        self.role = role
        super.init()
    }
}
