public import Foundation

// Not confirmed: from memory of the SDK's interface. Their pages are named by type and member below
// developer.apple.com/documentation/swiftui.

/// developer.apple.com/documentation/swiftui/group
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Group<Content: View>: View {
    public let body: Content
    public init(@ViewBuilder content: () -> Content) { body = content() }
}

/// developer.apple.com/documentation/swiftui/hstack
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct HStack<Content: View>: View, PrimitiveView {
    private let content: Content
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) { self.content = content() }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("HStack", nil, content.nodes(in: context.entering("HStack")))]
    }
}

/// developer.apple.com/documentation/swiftui/vstack
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct VStack<Content: View>: View, PrimitiveView {
    private let spacing: CGFloat?
    private let content: Content
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) { (self.spacing, self.content) = (spacing, content()) }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("VStack", spacing, content.nodes(in: context.entering("VStack")))]
    }
}

/// developer.apple.com/documentation/swiftui/scrollview
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct ScrollView<Content: View>: View, PrimitiveView {
    private let content: Content
    /// developer.apple.com/documentation/swiftui/scrollview/init(_:content:), without the axes, which are vertical.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("ScrollView", nil, content.nodes(in: context.entering("ScrollView")))]
    }
}

/// developer.apple.com/documentation/swiftui/zstack
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct ZStack<Content: View>: View, PrimitiveView {
    private let content: Content
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("ZStack", nil, content.nodes(in: context.entering("ZStack")))]
    }
}

/// developer.apple.com/documentation/swiftui/foreach
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View, PrimitiveView {
    private let data: Data
    private let id: KeyPath<Data.Element, ID>
    private let content: (Data.Element) -> Content

    /// developer.apple.com/documentation/swiftui/foreach/init(_:id:content:)-82bgs
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) { (self.data, self.id, self.content) = (data, id, content) }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        data.flatMap { content($0).nodes(in: context.entering($0[keyPath: id])) }
    }
}

/// developer.apple.com/documentation/swiftui/verticalalignment
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct VerticalAlignment: Sendable { public static let center = VerticalAlignment() }

/// developer.apple.com/documentation/swiftui/horizontalalignment
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct HorizontalAlignment: Sendable {
    public static let center = HorizontalAlignment()
    public static let leading = HorizontalAlignment()
}

/// developer.apple.com/documentation/swiftui/alignment
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Alignment: Sendable {
    public static let center = Alignment()
    public static let bottom = Alignment()
}

/// developer.apple.com/documentation/swiftui/textalignment
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum TextAlignment: Sendable { case leading, center, trailing }

/// developer.apple.com/documentation/swiftui/contentmode
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum ContentMode: Sendable { case fit, fill }

/// developer.apple.com/documentation/swiftui/edge
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum Edge: Int8, Sendable {
    case top, leading, bottom, trailing

    /// developer.apple.com/documentation/swiftui/edge/set
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let top = Set(rawValue: 1)
        public static let leading = Set(rawValue: 2)
        public static let bottom = Set(rawValue: 4)
        public static let trailing = Set(rawValue: 8)
        public static let all = Set(rawValue: 15)
        public static let horizontal = Set(rawValue: 10)
        public static let vertical = Set(rawValue: 5)
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/padding(_:_:)
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        modified("padding", length)
    }

    /// developer.apple.com/documentation/swiftui/view/frame(width:height:alignment:)
    nonisolated public func frame(
        width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { modified("frame", Frame(width: width, height: height)) }

    /// developer.apple.com/documentation/swiftui/view/frame(minwidth:idealwidth:maxwidth:minheight:idealheight:maxheight:alignment:)
    nonisolated public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View {
        modified("frame", Frame(minWidth: minWidth, maxWidth: maxWidth, minHeight: minHeight, maxHeight: maxHeight))
    }

    /// developer.apple.com/documentation/swiftui/view/aspectratio(_:contentmode:)-771ow
    nonisolated public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View {
        modified("aspectRatio", contentMode)
    }

    /// developer.apple.com/documentation/swiftui/view/linelimit(_:)-513mb
    nonisolated public func lineLimit(_ number: Int?) -> some View { modified("lineLimit", number) }

    /// developer.apple.com/documentation/swiftui/view/multilinetextalignment(_:)
    nonisolated public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        modified("multilineTextAlignment", alignment)
    }
}

/// The size that a view was given.
public struct Frame: Hashable {
    public var width: CGFloat?
    public var height: CGFloat?
    public var minWidth: CGFloat?
    public var maxWidth: CGFloat?
    public var minHeight: CGFloat?
    public var maxHeight: CGFloat?

    public init(
        width: CGFloat? = nil, height: CGFloat? = nil, minWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil, maxHeight: CGFloat? = nil
    ) {
        (self.width, self.height) = (width, height)
        (self.minWidth, self.maxWidth, self.minHeight, self.maxHeight) = (minWidth, maxWidth, minHeight, maxHeight)
    }
}
