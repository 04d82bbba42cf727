public import Foundation

// Not confirmed: everything but the numbers of attributes, axes and priorities, which AppKit shares. Constraints are kept
// as far as tests read them; nothing is laid out.

/// developer.apple.com/documentation/uikit/nslayoutconstraint
@available(iOS 6.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class NSLayoutConstraint: NSObject {
    /// developer.apple.com/documentation/uikit/nslayoutconstraint/attribute
    public enum Attribute: Int, Sendable {
        case leading = 5
        case trailing = 6
        case top = 3
        case bottom = 4
        case width = 7
        case height = 8
        case centerX = 9
    }

    private let apply: @MainActor (CGFloat) -> Void
    private var isActive = false

    init(_ constant: CGFloat = 0, apply: @escaping @MainActor (CGFloat) -> Void = { _ in }) {
        self.constant = constant
        self.apply = apply
    }

    /// developer.apple.com/documentation/uikit/nslayoutconstraint/constant
    open var constant: CGFloat { didSet { if isActive { apply(constant) } } }

    /// developer.apple.com/documentation/uikit/nslayoutconstraint/priority
    open var priority = UILayoutPriority.required

    /// developer.apple.com/documentation/uikit/nslayoutconstraint/activate(_:)
    open class func activate(_ constraints: [NSLayoutConstraint]) {
        for each in constraints {
            each.isActive = true
            each.apply(each.constant)
        }
    }
}

/// developer.apple.com/documentation/uikit/uilayoutpriority
@available(iOS 6.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    public let rawValue: Float
    public init(rawValue: Float) { self.rawValue = rawValue }
    public static let required = Self(rawValue: 1000)
    public static let defaultHigh = Self(rawValue: 750)
}

/// developer.apple.com/documentation/uikit/nslayoutanchor
@available(iOS 9.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    weak var view: UIView?
    let attribute: NSLayoutConstraint.Attribute

    init(_ view: UIView?, _ attribute: NSLayoutConstraint.Attribute) {
        self.view = view
        self.attribute = attribute
    }

    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        NSLayoutConstraint { [self] _ in if attribute == .height { view?.heightIsThatOf = anchor.view } }
    }

    open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        NSLayoutConstraint()
    }

    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint()
    }
}

@available(iOS 9.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

@available(iOS 9.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

@available(iOS 9.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(c) { [self] in view?.minimums[attribute] = $0 }
    }

    open func constraint(lessThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(c) { [self] in view?.maximums[attribute] = $0 }
    }

    open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(c) { [self] _ in if attribute == .height { view?.hasFixedHeight = true } }
    }
}

@available(iOS 9.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIView {
    public var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .leading) }
    public var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .trailing) }
    public var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .top) }
    public var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(self, .bottom) }
    public var centerXAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(self, .centerX) }
    public var widthAnchor: NSLayoutDimension { NSLayoutDimension(self, .width) }
    public var heightAnchor: NSLayoutDimension { NSLayoutDimension(self, .height) }
}

/// developer.apple.com/documentation/uikit/uilayoutguide
@available(iOS 9.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UILayoutGuide: NSObject {
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(nil, .leading) }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor(nil, .trailing) }
    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(nil, .top) }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor(nil, .bottom) }
}

@available(iOS 11.0, tvOS 11.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIView {
    /// developer.apple.com/documentation/uikit/uiview/safearealayoutguide
    public var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
}

/// developer.apple.com/documentation/uikit/uiscrollview
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIScrollView: UIView {
    /// developer.apple.com/documentation/uikit/uiscrollview/contentlayoutguide
    @available(iOS 11.0, tvOS 11.0, *)
    open var contentLayoutGuide: UILayoutGuide { UILayoutGuide() }
    /// developer.apple.com/documentation/uikit/uiscrollview/framelayoutguide
    @available(iOS 11.0, tvOS 11.0, *)
    open var frameLayoutGuide: UILayoutGuide { UILayoutGuide() }
}

/// developer.apple.com/documentation/uikit/uistackview
@available(iOS 9.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIStackView: UIView {
    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    open var axis = NSLayoutConstraint.Axis.horizontal
    open var spacing: CGFloat = 0
    open var isLayoutMarginsRelativeArrangement = false
    open var arrangedSubviews: [UIView] { subviews }
    open func addArrangedSubview(_ view: UIView) { addSubview(view) }
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) { insertSubview(view, at: stackIndex) }
}

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension NSLayoutConstraint {
    /// developer.apple.com/documentation/uikit/nslayoutconstraint/axis
    public enum Axis: Int, Sendable { case horizontal, vertical }
}
