public import Foundation

// Not confirmed: UIResponder, UIView, UIViewController, and makeKeyAndVisible().

/// developer.apple.com/documentation/uikit/uiresponder
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIResponder: NSObject {
    public override init() { super.init() }
}

/// developer.apple.com/documentation/uikit/uiview
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIView: UIResponder {
    open internal(set) weak var window: UIWindow?
}

/// developer.apple.com/documentation/uikit/uiviewcontroller
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIViewController: UIResponder {
    open var view: UIView! = UIView()
    open var title: String?

    /// developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload(). Not called here: tests do so.
    open func viewDidLoad() {}
}

/// developer.apple.com/documentation/uikit/uiwindow
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIWindow: UIView {
    @available(iOS 13.0, tvOS 13.0, *)
    open weak var windowScene: UIWindowScene? {
        didSet {
            oldValue?.windows.removeAll { $0 === self }
            if let windowScene, !windowScene.windows.contains(self) { windowScene.windows.append(self) }
        }
    }

    @available(iOS 4.0, tvOS 9.0, *)
    open var rootViewController: UIViewController? { didSet { rootViewController?.view.window = self } }

    open var isKeyWindow: Bool { windowScene?.keyWindow === self }

    @available(iOS 13.0, tvOS 13.0, *)
    public init(windowScene: UIWindowScene) {
        super.init()
        self.windowScene = windowScene
        windowScene.windows.append(self)
    }

    public override init() { super.init() }

    open func makeKeyAndVisible() { windowScene?.keyWindow = self }
}
