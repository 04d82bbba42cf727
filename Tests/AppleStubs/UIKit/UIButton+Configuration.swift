public import Foundation

// Not confirmed: everything but the fields of NSDirectionalEdgeInsets.

/// developer.apple.com/documentation/uikit/nsdirectionaledgeinsets
@available(iOS 11.0, tvOS 11.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct NSDirectionalEdgeInsets: Hashable, Sendable {
    public var top: CGFloat
    public var leading: CGFloat
    public var bottom: CGFloat
    public var trailing: CGFloat

    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
}

/// developer.apple.com/documentation/uikit/uibackgroundconfiguration-swift.struct
@available(iOS 14.0, tvOS 14.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UIBackgroundConfiguration {
    public var cornerRadius: CGFloat = 0
    public var backgroundColor: UIColor?
    public var strokeColor: UIColor?
    public var strokeWidth: CGFloat = 0
}

/// developer.apple.com/documentation/uikit/uiconfigurationtextattributestransformer-swift.struct
@available(iOS 15.0, tvOS 15.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public struct UIConfigurationTextAttributesTransformer: @unchecked Sendable {
    public let transform: (AttributeContainer) -> AttributeContainer
    public init(_ transform: @escaping (AttributeContainer) -> AttributeContainer) { self.transform = transform }
    public func callAsFunction(_ input: AttributeContainer) -> AttributeContainer { transform(input) }
}

/// developer.apple.com/documentation/foundation/attributescopes/uikitattributes/fontattribute
@available(iOS 15.0, tvOS 15.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public enum FontAttribute: AttributedStringKey {
    public typealias Value = UIFont
    public static let name = "NSFont"
}

@available(iOS 15.0, tvOS 15.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension AttributeContainer {
    public var font: UIFont? {
        get { self[FontAttribute.self] }
        set { self[FontAttribute.self] = newValue }
    }
}

@available(iOS 15.0, tvOS 15.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
extension UIButton {
    /// developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct
    public struct Configuration {
        public enum TitleAlignment: Int, Sendable { case automatic, leading, center, trailing }
        public enum CornerStyle: Int, Sendable {
            case fixed = -1
            case dynamic, small, medium, large, capsule
        }

        public static func plain() -> UIButton.Configuration { UIButton.Configuration() }

        public var title: String?
        public var titleTextAttributesTransformer: UIConfigurationTextAttributesTransformer?
        public var titleLineBreakMode = NSLineBreakMode.byWordWrapping
        public var titleAlignment = TitleAlignment.automatic
        public var subtitle: String?
        public var image: UIImage?
        public var imagePadding: CGFloat = 0
        public var showsActivityIndicator = false
        public var contentInsets = NSDirectionalEdgeInsets(top: 0, leading: 0, bottom: 0, trailing: 0)
        public var baseForegroundColor: UIColor?
        public var cornerStyle = CornerStyle.dynamic
        public var background = UIBackgroundConfiguration()
    }
}
