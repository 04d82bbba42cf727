public import Foundation

// Compared: UITraitChangeObservable. Not confirmed: the others.

/// developer.apple.com/documentation/uikit/uiuserinterfacestyle
@available(iOS 12.0, tvOS 10.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

/// developer.apple.com/documentation/uikit/uicontentsizecategory. The others are left out.
@available(iOS 7.0, tvOS 10.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let large = Self(rawValue: "UICTContentSizeCategoryL")
    public static let accessibilityExtraExtraExtraLarge = Self(rawValue: "UICTContentSizeCategoryAccessibilityXXXL")

    /// How much larger than the standard: body text is 17 points at `large`, and 53 at the largest.
    var scale: CGFloat { self == .accessibilityExtraExtraExtraLarge ? 53.0 / 17 : 1 }
}

/// developer.apple.com/documentation/uikit/uitraitdefinition
@available(iOS 17.0, tvOS 17.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public protocol UITraitDefinition {}

/// developer.apple.com/documentation/uikit/uitrait
@available(iOS 17.0, tvOS 17.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public typealias UITrait = any UITraitDefinition.Type

@available(iOS 17.0, tvOS 17.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UITraitUserInterfaceStyle: UITraitDefinition {}

@available(iOS 17.0, tvOS 17.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UITraitPreferredContentSizeCategory: UITraitDefinition {}

/// developer.apple.com/documentation/uikit/uitraitenvironment
@available(iOS 8.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor public protocol UITraitEnvironment: NSObjectProtocol {
    var traitCollection: UITraitCollection { get }
}

@available(iOS 8.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIView: UITraitEnvironment {}

/// developer.apple.com/documentation/uikit/uitraitchangeregistration
@available(iOS 17.0, tvOS 17.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public protocol UITraitChangeRegistration: AnyObject {}

/// developer.apple.com/documentation/uikit/uitraitchangeobservable-67e94
@available(iOS 17.0, tvOS 17.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor public protocol UITraitChangeObservable {
    typealias TraitChangeHandler<TraitEnvironment> = (TraitEnvironment, UITraitCollection) -> Void

    /// developer.apple.com/documentation/uikit/uitraitchangeobservable-67e94/registerfortraitchanges(_:handler:)
    @discardableResult
    func registerForTraitChanges<TraitEnvironment: UITraitEnvironment>(
        _ traits: [UITrait], handler: @escaping TraitChangeHandler<TraitEnvironment>
    ) -> any UITraitChangeRegistration
}

@available(iOS 17.0, tvOS 17.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIView: UITraitChangeObservable {
    private final class Registration: UITraitChangeRegistration {}

    @discardableResult
    public func registerForTraitChanges<TraitEnvironment: UITraitEnvironment>(
        _ traits: [UITrait], handler: @escaping TraitChangeHandler<TraitEnvironment>
    ) -> any UITraitChangeRegistration {
        traitRegistrations.append { [weak self] previous in
            if let view = self as? TraitEnvironment { handler(view, previous) }
        }
        return Registration()
    }
}

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension AppleDevice.App {
    /// Gives a view, and those in it, other traits, as when the person changes the appearance or the text size.
    @MainActor public static func change(_ view: UIView, to traits: UITraitCollection) {
        let previous = view.traitCollection
        view.ownTraits = traits
        view.tellTraits(previous)
    }
}

@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIView {
    fileprivate func tellTraits(_ previous: UITraitCollection) {
        for handler in traitRegistrations { handler(previous) }
        for view in subviews { view.tellTraits(previous) }
    }
}
