public import Foundation

// Not confirmed: everything but sendActions(for:) and the initializer of UIAction.

/// developer.apple.com/documentation/uikit/uicontrol
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIControl: UIView {
    /// developer.apple.com/documentation/uikit/uicontrol/event
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchUpInside = Event(rawValue: 1 << 6)
        @available(iOS 9.0, tvOS 9.0, *)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    }

    private var actions: [(action: UIAction, events: Event)] = []

    /// developer.apple.com/documentation/uikit/uicontrol/isenabled
    open var isEnabled = true

    /// developer.apple.com/documentation/uikit/uicontrol/addaction(_:for:)
    @available(iOS 14.0, tvOS 14.0, *)
    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
        actions.append((action, controlEvents))
    }

    /// developer.apple.com/documentation/uikit/uicontrol/sendactions(for:)
    open func sendActions(for controlEvents: UIControl.Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.handler(action) }
    }
}

/// developer.apple.com/documentation/uikit/uibutton
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIButton: UIControl {
    /// developer.apple.com/documentation/uikit/uibutton/buttontype. The others are left out.
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system = 1
    }

    private var own: Configuration?

    /// developer.apple.com/documentation/uikit/uibutton/configuration-9uz1p
    @available(iOS 15.0, tvOS 15.0, *)
    open var configuration: UIButton.Configuration? {
        get { own }
        set { own = newValue }
    }

    /// developer.apple.com/documentation/uikit/uibutton/init(configuration:primaryaction:)
    @available(iOS 15.0, tvOS 15.0, *)
    public convenience init(configuration: UIButton.Configuration, primaryAction: UIAction? = nil) {
        self.init(type: .custom, primaryAction: primaryAction)
        self.configuration = configuration
    }

    @available(iOS 14.0, tvOS 14.0, *)
    public convenience init(type: ButtonType = .system, primaryAction: UIAction?) {
        self.init()
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }
}

/// developer.apple.com/documentation/uikit/uiimage
@available(iOS 2.0, tvOS 9.0, *)
@available(macOS, unavailable)
open class UIImage: NSObject, @unchecked Sendable {
    /// developer.apple.com/documentation/uikit/uiimage/renderingmode-swift.enum
    public enum RenderingMode: Int, Sendable { case automatic, alwaysOriginal, alwaysTemplate }

    open var size: CGSize { pixels }
    private let pixels: CGSize
    open private(set) var renderingMode = RenderingMode.automatic
    /// What was drawn into the image.
    public internal(set) var drawings: [CGRect] = []

    /// An empty image of that size. Only of the stub.
    public init(ofSize size: CGSize) { pixels = size }

    /// developer.apple.com/documentation/uikit/uiimage/init(named:). The app of the tests has no images.
    public init?(named name: String) { nil }

    /// developer.apple.com/documentation/uikit/uiimage/init(systemname:). A symbol is as large as its font, here 17 points.
    @available(iOS 13.0, tvOS 13.0, *)
    public init?(systemName name: String) { (pixels, symbolName) = (CGSize(width: 20, height: 17), name) }
    /// The name of the symbol that was drawn. Only of the stub.
    public fileprivate(set) var symbolName: String?
    /// The color of that symbol. Only of the stub.
    @available(watchOS, unavailable)
    public var tintColor: UIColor? { tint as? UIColor }
    fileprivate var tint: NSObject?

    /// developer.apple.com/documentation/uikit/uiimage/withtintcolor(_:)
    @available(iOS 13.0, tvOS 13.0, *)
    @available(watchOS, unavailable)
    open func withTintColor(_ color: UIColor) -> UIImage {
        tint = color
        return self
    }

    /// developer.apple.com/documentation/uikit/uiimage/withrenderingmode(_:)
    @available(iOS 7.0, tvOS 9.0, *)
    open func withRenderingMode(_ renderingMode: UIImage.RenderingMode) -> UIImage {
        self.renderingMode = renderingMode
        return self
    }

    /// developer.apple.com/documentation/uikit/uiimage/draw(in:)
    open func draw(in rect: CGRect) {
        UIGraphicsImageRenderer.drawn.append(rect)
        UIGraphicsImageRenderer.symbol = symbolName == nil ? nil : self
    }
}

/// developer.apple.com/documentation/uikit/uigraphicsimagerenderer
@available(iOS 10.0, tvOS 10.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class UIGraphicsImageRenderer: NSObject {
    nonisolated(unsafe) static var drawn: [CGRect] = []
    nonisolated(unsafe) static var symbol: UIImage?
    private let size: CGSize

    public init(size: CGSize) { self.size = size }

    /// developer.apple.com/documentation/uikit/uigraphicsimagerenderer/image(actions:)
    open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        (Self.drawn, Self.symbol) = ([], nil)
        actions(UIGraphicsImageRendererContext())
        let image = UIImage(ofSize: size)
        image.drawings = Self.drawn
        (image.symbolName, image.tint) = (Self.symbol?.symbolName, Self.symbol?.tint)
        return image
    }
}

/// developer.apple.com/documentation/uikit/uigraphicsimagerenderercontext
@available(iOS 10.0, tvOS 10.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
open class UIGraphicsImageRendererContext: NSObject {}

/// developer.apple.com/documentation/uikit/uimenuelement
@available(iOS 13.0, tvOS 13.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIMenuElement: NSObject {
    /// developer.apple.com/documentation/uikit/uimenuelement/attributes
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let disabled = Attributes(rawValue: 1 << 0)
        public static let destructive = Attributes(rawValue: 1 << 1)
        public static let hidden = Attributes(rawValue: 1 << 2)
    }

    /// developer.apple.com/documentation/uikit/uimenuelement/state
    public enum State: Int, Sendable {
        case off = 0
        case on = 1
        case mixed = 2
    }
}

/// developer.apple.com/documentation/uikit/uiactionhandler
@available(iOS 13.0, tvOS 14.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
public typealias UIActionHandler = (UIAction) -> Void

/// developer.apple.com/documentation/uikit/uiaction
@available(iOS 13.0, tvOS 14.0, *)
@available(macOS, unavailable)
@available(watchOS, unavailable)
@MainActor open class UIAction: UIMenuElement {
    /// developer.apple.com/documentation/uikit/uiaction/identifier-swift.struct
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    open var title: String
    let handler: UIActionHandler

    /// …/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:)
    public init(
        title: String = "", image: UIImage? = nil, identifier: UIAction.Identifier? = nil,
        discoverabilityTitle: String? = nil, attributes: UIMenuElement.Attributes = [],
        state: UIMenuElement.State = .off, handler: @escaping UIActionHandler
    ) {
        (self.title, self.handler) = (title, handler)
        super.init()
    }
}
