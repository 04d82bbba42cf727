public import Foundation

/// developer.apple.com/documentation/uikit/uiapplication
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIApplication: UIResponder {
    /// developer.apple.com/documentation/uikit/uiapplication/shared
    @available(iOSApplicationExtension, unavailable)
    @available(macCatalystApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public static let shared = UIApplication()

    // What a class inherits of developer.apple.com/documentation/objectivec/nsobjectprotocol. It knows `shared` alone. That
    // extensions have no application is how Apple describes it; whether the class answers there is not confirmed.
    public class func responds(to aSelector: Selector!) -> Bool {
        !AppleDevice.App.isExtension && aSelector == NSSelectorFromString("sharedApplication")
    }

    public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        responds(to: aSelector) ? Unmanaged.passUnretained(AppleDevice.App.application) : nil
    }

    /// developer.apple.com/documentation/uikit/uiapplication/state
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    /// developer.apple.com/documentation/uikit/uiapplication/applicationstate
    @available(iOS 4.0, tvOS 9.0, *)
    open var applicationState: State {
        let states = Set(connectedScenes.map(\.activationState))
        return states.contains(.foregroundActive)
            ? .active : states.contains(.foregroundInactive) ? .inactive : .background
    }

    /// developer.apple.com/documentation/uikit/uiapplication/connectedscenes
    @available(iOS 13.0, tvOS 13.0, *)
    open var connectedScenes: Set<UIScene> { AppleDevice.App.scenes }

    /// developer.apple.com/documentation/uikit/uiapplication/supportsmultiplescenes
    @available(iOS 13.0, tvOS 13.0, *)
    open var supportsMultipleScenes: Bool { true }

    /// developer.apple.com/documentation/uikit/uiapplication/isprotecteddataavailable
    @available(iOS 4.0, tvOS 9.0, *)
    nonisolated open var isProtectedDataAvailable: Bool { AppleDevice.lockState == .unlocked }

    /// developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        @available(iOS 10.0, tvOS 10.0, *)
        public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:). Its header excludes
    /// extensions.
    @available(iOS 10.0, tvOS 10.0, *)
    @available(iOSApplicationExtension, unavailable)
    @available(macCatalystApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    open func open(
        _ url: URL, options: [UIApplication.OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let isOpened = AppleDevice.App.open(url, universalLinksOnly: options[.universalLinksOnly] as? Bool ?? false)
        AppleDevice.App.finish { completion?(isOpened) }
    }

    /// developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)
    @available(iOS 10.0, tvOS 10.0, *)
    @available(iOSApplicationExtension, unavailable)
    @available(macCatalystApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    open func open(_ url: URL, options: [UIApplication.OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { continuation in
            open(url, options: options) { continuation.resume(returning: $0) }
        }
    }

    /// developer.apple.com/documentation/uikit/uiapplication/canopenurl(_:)
    @available(iOS, introduced: 3.0, deprecated: 27.0)
    @available(tvOS, introduced: 9.0, deprecated: 27.0)
    open func canOpenURL(_ url: URL) -> Bool { AppleDevice.App.canOpen(url) }
}

@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIApplication {
    // developer.apple.com/documentation/uikit/uiapplication: the notifications of its topics
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name {
        .init("UIApplicationDidBecomeActiveNotification")
    }
    nonisolated public class var willResignActiveNotification: NSNotification.Name {
        .init("UIApplicationWillResignActiveNotification")
    }
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        .init("UIApplicationDidEnterBackgroundNotification")
    }
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        .init("UIApplicationWillEnterForegroundNotification")
    }
    nonisolated public class var willTerminateNotification: NSNotification.Name {
        .init("UIApplicationWillTerminateNotification")
    }
    nonisolated public class var protectedDataWillBecomeUnavailableNotification: NSNotification.Name {
        .init("UIApplicationProtectedDataWillBecomeUnavailable")
    }
    nonisolated public class var protectedDataDidBecomeAvailableNotification: NSNotification.Name {
        .init("UIApplicationProtectedDataDidBecomeAvailable")
    }
}
