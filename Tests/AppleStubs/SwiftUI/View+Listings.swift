public import Foundation

// What the listings of the documentation use. Not confirmed: everything.

/// developer.apple.com/documentation/swiftui/progressview
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
public struct ProgressView<Label: View, CurrentValueLabel: View>: View, PrimitiveView {
    public init() where Label == EmptyView, CurrentValueLabel == EmptyView {}
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [ViewNode("ProgressView")] }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Text {
    /// developer.apple.com/documentation/swiftui/text/init(_:)-9d1g4
    public init<S: StringProtocol>(_ content: S) { self.init(verbatim: String(content)) }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Button where Label == Text {
    /// developer.apple.com/documentation/swiftui/button/init(_:action:)-lpm7
    @preconcurrency
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {
        self.init(action: action) { Text(title) }
    }
}

/// developer.apple.com/documentation/swiftui/image
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Image: View, PrimitiveView {
    private let picture: any Sendable
    private let label: String?
    public init(_ name: String, bundle: Bundle? = nil) { self.init(picture: name) }
    /// developer.apple.com/documentation/swiftui/image/init(systemname:)
    @available(macOS 11.0, *)
    public init(systemName: String) { self.init(picture: systemName) }
    init(picture: any Sendable, label: String? = nil) { (self.picture, self.label) = (picture, label) }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        let node = ViewNode("Image", picture)
        return [label.map { ViewNode("accessibilityLabel", $0, [node]) } ?? node]
    }
    /// developer.apple.com/documentation/swiftui/image/resizable(capinsets:resizingmode:). Its parameters are left out.
    public func resizable() -> Image { self }
}
