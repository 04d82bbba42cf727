public import Foundation

// Not confirmed: from memory of the SDK's interface.

/// developer.apple.com/documentation/swiftui/shapestyle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public protocol ShapeStyle: Sendable {}

/// developer.apple.com/documentation/swiftui/shape
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public protocol Shape: Sendable, View {}

/// developer.apple.com/documentation/swiftui/insettableshape
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public protocol InsettableShape: Shape {}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension InsettableShape {
    /// developer.apple.com/documentation/swiftui/insettableshape/strokeborder(_:linewidth:antialiased:)
    nonisolated public func strokeBorder<S: ShapeStyle>(
        _ content: S, lineWidth: CGFloat = 1, antialiased: Bool = true
    ) -> some View { modified("strokeBorder", content) }
}

/// developer.apple.com/documentation/swiftui/roundedcornerstyle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum RoundedCornerStyle: Sendable { case circular, continuous }

/// developer.apple.com/documentation/swiftui/rectangle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Rectangle: InsettableShape, PrimitiveView {
    nonisolated public init() {}
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [ViewNode("Rectangle", nil)] }
}

/// developer.apple.com/documentation/swiftui/roundedrectangle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct RoundedRectangle: InsettableShape, PrimitiveView {
    public let cornerRadius: CGFloat
    nonisolated public init(cornerRadius: CGFloat, style: RoundedCornerStyle = .continuous) {
        self.cornerRadius = cornerRadius
    }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [ViewNode("RoundedRectangle", cornerRadius)] }
}

/// developer.apple.com/documentation/swiftui/fillstyle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct FillStyle: Sendable {
    public init(eoFill: Bool = false, antialiased: Bool = true) {}
}

/// developer.apple.com/documentation/swiftui/color
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Color: View, ShapeStyle, PrimitiveView, Hashable {
    public let red: Double
    public let green: Double
    public let blue: Double
    public let opacity: Double

    /// developer.apple.com/documentation/swiftui/color/rgbcolorspace
    public enum RGBColorSpace: Sendable { case sRGB, sRGBLinear, displayP3 }

    /// developer.apple.com/documentation/swiftui/color/init(_:red:green:blue:opacity:)
    nonisolated public init(
        _ colorSpace: Color.RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) { (self.red, self.green, self.blue, self.opacity) = (red, green, blue, opacity) }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [ViewNode("Color", self)] }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension ShapeStyle where Self == Color {
    /// developer.apple.com/documentation/swiftui/shapestyle/red
    public static var red: Color { Color(red: 1, green: 0, blue: 0) }
    /// developer.apple.com/documentation/swiftui/shapestyle/white
    public static var white: Color { Color(red: 1, green: 1, blue: 1) }
}

/// developer.apple.com/documentation/swiftui/material
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 10.0, *)
public struct Material: ShapeStyle {}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 10.0, *)
extension ShapeStyle where Self == Material {
    /// developer.apple.com/documentation/swiftui/shapestyle/regularmaterial
    public static var regularMaterial: Material { Material() }
}

/// developer.apple.com/documentation/swiftui/colorscheme
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum ColorScheme: Sendable { case light, dark }

/// developer.apple.com/documentation/swiftui/font
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Font: Hashable, Sendable {
    /// The font's file; that of the system if `nil`.
    public let name: String?
    /// The text style whose size it follows, or its size.
    public let textStyle: TextStyle?
    public let size: CGFloat?

    private init(name: String? = nil, textStyle: TextStyle? = nil, size: CGFloat? = nil) {
        (self.name, self.textStyle, self.size) = (name, textStyle, size)
    }

    /// developer.apple.com/documentation/swiftui/font/weight
    public struct Weight: Sendable { public static let medium = Weight() }

    /// developer.apple.com/documentation/swiftui/font/textstyle
    public enum TextStyle: Sendable { case title, title2, headline, body, caption }

    public static let title = Font(textStyle: .title)
    public static let title2 = Font(textStyle: .title2)
    public static let headline = Font(textStyle: .headline)
    public static let body = Font(textStyle: .body)
    public static let caption = Font(textStyle: .caption)

    /// developer.apple.com/documentation/swiftui/font/design
    public enum Design: Sendable { case `default` }

    /// developer.apple.com/documentation/swiftui/font/system(size:weight:design:)-697b2
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public static func system(size: CGFloat, weight: Font.Weight? = nil, design: Font.Design? = nil) -> Font {
        Font(size: size)
    }

    /// developer.apple.com/documentation/swiftui/font/custom(_:fixedsize:)
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { Font(name: name, size: fixedSize) }

    /// developer.apple.com/documentation/swiftui/font/monospaced()
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public func monospaced() -> Font { self }

    /// developer.apple.com/documentation/swiftui/font/weight(_:)
    public func weight(_ weight: Font.Weight) -> Font { self }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/font(_:)
    nonisolated public func font(_ font: Font?) -> some View { modified("font", font) }

    /// developer.apple.com/documentation/swiftui/view/hidden()
    nonisolated public func hidden() -> some View { modified("hidden") }

    /// developer.apple.com/documentation/swiftui/view/opacity(_:)
    nonisolated public func opacity(_ opacity: Double) -> some View { modified("opacity", opacity) }

    /// developer.apple.com/documentation/swiftui/view/clipshape(_:style:)
    nonisolated public func clipShape<S: Shape>(_ shape: S, style: FillStyle = FillStyle()) -> some View {
        modified("clipShape", shape)
    }

    /// developer.apple.com/documentation/swiftui/view/contentshape(_:eofill:)
    nonisolated public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View {
        modified("contentShape", shape)
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/foregroundstyle(_:)
    nonisolated public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
        modified("foregroundStyle", style)
    }

    /// developer.apple.com/documentation/swiftui/view/background(_:in:fillstyle:)-20tq5
    nonisolated public func background<S: ShapeStyle, T: InsettableShape>(
        _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
    ) -> some View { modified("background", style) }

    /// developer.apple.com/documentation/swiftui/view/overlay(alignment:content:)
    nonisolated public func overlay<V: View>(
        alignment: Alignment = .center, @ViewBuilder content: () -> V
    ) -> some View { OverlaidView(content: self, overlay: content()) }
}

/// A view with another one above it.
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
struct OverlaidView<Content: View, Overlay: View> {
    let content: Content
    let overlay: Overlay
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension OverlaidView: View, PrimitiveView {
    var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        let above = overlay.nodes(in: context.entering("overlay"))
        return [ViewNode("overlay", nil, content.nodes(in: context.entering("content")) + above)]
    }
}
