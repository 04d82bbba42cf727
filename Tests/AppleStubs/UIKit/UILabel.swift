public import Foundation

// Not confirmed: everything but the numbers of NSTextAlignment and NSLineBreakMode, which AppKit shares.

/// developer.apple.com/documentation/uikit/uilabel
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UILabel: UIView {
    open var text: String?
    open var font: UIFont!
    open var numberOfLines = 1
    open var textAlignment = NSTextAlignment.natural
    open var adjustsFontForContentSizeCategory = false
}

/// developer.apple.com/documentation/uikit/nstextalignment
@available(iOS 6.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public enum NSTextAlignment: Int, Sendable { case left, center, right, justified, natural }

/// developer.apple.com/documentation/uikit/nslinebreakmode
@available(iOS 6.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public enum NSLineBreakMode: Int, Sendable {
    case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail, byTruncatingMiddle
}

/// developer.apple.com/documentation/uikit/uifont
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class UIFont: NSObject, @unchecked Sendable {
    /// developer.apple.com/documentation/uikit/uifont/weight
    public struct Weight: Hashable, Sendable { public static let medium = Weight() }

    /// developer.apple.com/documentation/uikit/uifont/textstyle
    public enum TextStyle: Sendable { case title1, headline, body, caption1 }

    /// The fonts that the app has installed. Only of the stub.
    nonisolated(unsafe) public static var installed: Set<String> = []

    open var fontName: String { name }
    open var pointSize: CGFloat { size }
    private let name: String
    private let size: CGFloat

    public init?(name fontName: String, size fontSize: CGFloat) {
        guard Self.installed.contains(fontName) else { return nil }
        (name, size) = (fontName, fontSize)
    }

    init(named name: String, _ size: CGFloat) { (self.name, self.size) = (name, size) }

    open class func systemFont(ofSize fontSize: CGFloat, weight: UIFont.Weight) -> UIFont {
        UIFont(named: "system", fontSize)
    }

    open class func preferredFont(forTextStyle style: UIFont.TextStyle) -> UIFont {
        UIFont(named: "system", style == .body ? 17 : 12)
    }
}

/// developer.apple.com/documentation/uikit/uifontmetrics
@available(iOS 11.0, tvOS 11.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class UIFontMetrics: NSObject {
    public init(forTextStyle textStyle: UIFont.TextStyle) {}

    open func scaledFont(for font: UIFont, compatibleWith traitCollection: UITraitCollection?) -> UIFont {
        UIFont(named: font.fontName, scaledValue(for: font.pointSize, compatibleWith: traitCollection))
    }

    open func scaledValue(for value: CGFloat, compatibleWith traitCollection: UITraitCollection?) -> CGFloat {
        value * (traitCollection?.preferredContentSizeCategory.scale ?? 1)
    }
}

/// developer.apple.com/documentation/uikit/uicolor
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class UIColor: NSObject, @unchecked Sendable {
    /// Red, green, blue and opacity. Only of the stub.
    public let components: [CGFloat]

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        components = [red, green, blue, alpha]
    }

    /// developer.apple.com/documentation/uikit/uicolor/systembackground
    @available(iOS 13.0, *)
    @available(tvOS, unavailable)
    open class var systemBackground: UIColor { UIColor(red: 1, green: 1, blue: 1, alpha: 1) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.components == components }
}
