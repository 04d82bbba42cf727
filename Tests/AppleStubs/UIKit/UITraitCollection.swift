public import Foundation

/// developer.apple.com/documentation/uikit/uiuserinterfaceactiveappearance
@available(iOS 14.0, tvOS 14.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public enum UIUserInterfaceActiveAppearance: Int, Sendable {
    case unspecified = -1
    case inactive = 0
    case active = 1
}

/// developer.apple.com/documentation/uikit/uitraitcollection
@available(iOS 8.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class UITraitCollection: NSObject, @unchecked Sendable {
    private var appearance = UIUserInterfaceActiveAppearance.unspecified.rawValue
    private var style = UIUserInterfaceStyle.unspecified
    private var category = UIContentSizeCategory.large

    public override init() {}

    /// developer.apple.com/documentation/uikit/uitraitcollection/init(userinterfacestyle:)
    @available(iOS 12.0, tvOS 10.0, *)
    public init(userInterfaceStyle: UIUserInterfaceStyle) { style = userInterfaceStyle }

    /// developer.apple.com/documentation/uikit/uitraitcollection/init(preferredcontentsizecategory:)
    @available(iOS 10.0, tvOS 10.0, *)
    public init(preferredContentSizeCategory: UIContentSizeCategory) { category = preferredContentSizeCategory }

    /// developer.apple.com/documentation/uikit/uitraitcollection/userinterfacestyle
    @available(iOS 12.0, tvOS 10.0, *)
    open var userInterfaceStyle: UIUserInterfaceStyle { style }

    /// developer.apple.com/documentation/uikit/uitraitcollection/preferredcontentsizecategory
    @available(iOS 10.0, tvOS 10.0, *)
    open var preferredContentSizeCategory: UIContentSizeCategory { category }

    /// developer.apple.com/documentation/uikit/uitraitcollection/init(activeappearance:)
    @available(iOS 14.0, tvOS 14.0, *)
    public init(activeAppearance userInterfaceActiveAppearance: UIUserInterfaceActiveAppearance) {
        appearance = userInterfaceActiveAppearance.rawValue
    }

    /// developer.apple.com/documentation/uikit/uitraitcollection/activeappearance
    ///
    /// Whether a scene is frontmost: of several that are active in the foreground, one is.
    @available(iOS 14.0, tvOS 14.0, *)
    open var activeAppearance: UIUserInterfaceActiveAppearance {
        UIUserInterfaceActiveAppearance(rawValue: appearance) ?? .unspecified
    }
}
