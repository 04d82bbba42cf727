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
    public init(frame: CGRect) { super.init() }
    public override init() { super.init() }
    public required init?(coder: NSCoder) { nil }

    /// The window whose root this is.
    weak var hostWindow: UIWindow?
    open var window: UIWindow? { hostWindow ?? superview?.window }
    open private(set) weak var superview: UIView?
    open private(set) var subviews: [UIView] = []
    open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }
    open func insertSubview(_ view: UIView, at index: Int) {
        view.removeFromSuperview()
        subviews.insert(view, at: index)
        view.superview = self
    }
    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open var isHidden = false
    /// developer.apple.com/documentation/uikit/uiview/tintcolor
    @available(iOS 7.0, tvOS 9.0, *)
    open var tintColor: UIColor!
    /// developer.apple.com/documentation/uikit/uiview/overrideuserinterfacestyle
    @available(iOS 13.0, tvOS 13.0, *)
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified
    /// developer.apple.com/documentation/uikit/uiview/backgroundcolor
    open var backgroundColor: UIColor?
    open var alpha: CGFloat = 1
    open var translatesAutoresizingMaskIntoConstraints = true

    /// The traits that the device or a test gave this view.
    var ownTraits: UITraitCollection?
    var traitRegistrations: [(UITraitCollection) -> Void] = []
    open var traitCollection: UITraitCollection { ownTraits ?? superview?.traitCollection ?? UITraitCollection() }

    /// The constraints that concern this view alone, as tests read them.
    public internal(set) var minimums: [NSLayoutConstraint.Attribute: CGFloat] = [:]
    public internal(set) var maximums: [NSLayoutConstraint.Attribute: CGFloat] = [:]
    /// The view whose height a constraint gives to this one.
    public internal(set) weak var heightIsThatOf: UIView?
    /// Whether a constraint fixes the height.
    public internal(set) var hasFixedHeight = false

    open var isAccessibilityElement = false
    open var accessibilityLabel: String?
    open var accessibilityValue: String?
}

/// developer.apple.com/documentation/uikit/uiviewcontroller
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIViewController: UIResponder {
    private var loadedView: UIView?
    open var title: String?
    /// developer.apple.com/documentation/uikit/uiviewcontroller/presentedviewcontroller
    open private(set) var presentedViewController: UIViewController?

    /// developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { nil }
    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/view. The first access makes the view.
    open var view: UIView! {
        get {
            if loadedView == nil {
                loadView()
                viewDidLoad()
            }
            return loadedView
        }
        set { loadedView = newValue }
    }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/loadview()
    open func loadView() { loadedView = UIView() }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()
    open func viewDidLoad() {}

    /// developer.apple.com/documentation/uikit/uiviewcontroller/viewwilldisappear(_:). The stub does not call it.
    open func viewWillDisappear(_ animated: Bool) {}

    /// developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller
    open private(set) weak var presentingViewController: UIViewController?

    /// developer.apple.com/documentation/uikit/uiviewcontroller/presentationcontroller
    @available(iOS 8.0, tvOS 9.0, *)
    open private(set) lazy var presentationController: UIPresentationController? = UIPresentationController(of: self)

    /// developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)
    ///
    /// One that presents already presents nothing else, and says so in the log alone. The completion is called later, after the
    /// animation.
    @available(iOS 5.0, tvOS 9.0, *)
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil else { return }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        viewControllerToPresent.onDismiss = { [weak self] in self?.presentedViewController = nil }
        viewControllerToPresent.viewDidAppear(flag)
        viewControllerToPresent.isBeingPresented = flag
        AppleDevice.App.animate { [weak viewControllerToPresent] in
            viewControllerToPresent?.isBeingPresented = false
            completion?()
        }
    }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/isbeingpresented
    @available(iOS 5.0, tvOS 9.0, *)
    open private(set) var isBeingPresented = false

    /// developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)
    ///
    /// Closes what this one presents; without such, this one. The completion is called later, as after an animation. While what is to
    /// be closed still comes up, nothing happens (from reports).
    @available(iOS 5.0, tvOS 9.0, *)
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let closed = presentedViewController ?? self
        guard !closed.isBeingPresented else { return }
        closed.end()
        if let completion { AppleDevice.call(.main) { completion() } }
    }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/supportedinterfaceorientations
    @available(iOS 6.0, *)
    @available(tvOS, unavailable)
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/childforstatusbarstyle
    @available(iOS, introduced: 7.0)
    @available(visionOS, introduced: 1.0, deprecated: 1.0)
    @available(tvOS, unavailable)
    open var childForStatusBarStyle: UIViewController? { nil }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/childforstatusbarhidden
    @available(iOS, introduced: 7.0)
    @available(visionOS, introduced: 1.0, deprecated: 1.0)
    @available(tvOS, unavailable)
    open var childForStatusBarHidden: UIViewController? { nil }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/childforhomeindicatorautohidden
    @available(iOS 11.0, *)
    @available(tvOS, unavailable)
    open var childForHomeIndicatorAutoHidden: UIViewController? { nil }

    /// developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)
    open func viewDidAppear(_ animated: Bool) {}

    /// developer.apple.com/documentation/uikit/uiviewcontroller/viewdiddisappear(_:)
    open func viewDidDisappear(_ animated: Bool) {}

    /// Tells the controller that presents this one; `nil` while it is not presented.
    var onDismiss: (() -> Void)?

    /// Is presented no more, nor is what this one presents.
    func end() {
        guard let onDismiss else { return }
        self.onDismiss = nil
        presentedViewController?.end()
        presentingViewController = nil
        onDismiss()
        viewDidDisappear(true)
    }
}

/// developer.apple.com/documentation/uikit/uiinterfaceorientationmask
@available(tvOS, unavailable)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let portrait = Self(rawValue: 1 << 1)
    public static let landscapeRight = Self(rawValue: 1 << 3)
    public static let landscapeLeft = Self(rawValue: 1 << 4)
    public static let landscape: Self = [.landscapeLeft, .landscapeRight]
    public static let allButUpsideDown: Self = [.portrait, .landscape]
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
    open var rootViewController: UIViewController? { didSet { rootViewController?.view.hostWindow = self } }

    open var isKeyWindow: Bool { windowScene?.keyWindow === self }

    @available(iOS 13.0, tvOS 13.0, *)
    public init(windowScene: UIWindowScene) {
        super.init()
        self.windowScene = windowScene
        windowScene.windows.append(self)
    }

    public override init() { super.init() }
    public required init?(coder: NSCoder) { nil }

    /// developer.apple.com/documentation/uikit/uiwindow/level
    public struct Level: RawRepresentable, Hashable, Sendable {
        public var rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let normal = Level(rawValue: 0)
    }

    open var windowLevel = UIWindow.Level.normal

    open func makeKeyAndVisible() { makeKey() }

    open func makeKey() { windowScene?.keyWindow = self }
}
