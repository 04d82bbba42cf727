public import Foundation

// Not confirmed: everything but View, onOpenURL(perform:) and onContinueUserActivity(_:perform:).

/// developer.apple.com/documentation/swiftui/view
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    /// developer.apple.com/documentation/swiftui/view/body-8kl5o
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Never: View {
    public var body: Never { fatalError() }
}

/// developer.apple.com/documentation/swiftui/viewbuilder
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    @_disfavoredOverload
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        var views: [any View] = []
        for view in repeat each content { views.append(view) }
        return TupleView(views: views)
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> _ConditionalContent<First, Second> { _ConditionalContent(isFirst: true, content: first) }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> _ConditionalContent<First, Second> { _ConditionalContent(isFirst: false, content: second) }
}

/// developer.apple.com/documentation/swiftui/emptyview
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct EmptyView: View, PrimitiveView {
    nonisolated public init() {}
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [] }
}

/// developer.apple.com/documentation/swiftui/tupleview
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct TupleView<T>: View, PrimitiveView {
    nonisolated(unsafe) let views: [any View]
    nonisolated init(views: [any View]) { self.views = views }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        views.enumerated().flatMap { $1.nodes(in: context.entering($0)) }
    }
}

/// developer.apple.com/documentation/swiftui/_conditionalcontent
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct _ConditionalContent<TrueContent: View, FalseContent: View>: View, PrimitiveView {
    let isFirst: Bool
    nonisolated(unsafe) let content: any View
    nonisolated init(isFirst: Bool, content: any View) { (self.isFirst, self.content) = (isFirst, content) }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { content.nodes(in: context.entering(isFirst)) }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Optional: PrimitiveView where Wrapped: View {
    func nodes(in context: RenderContext) -> [ViewNode] { map { $0.nodes(in: context) } ?? [] }
}

/// developer.apple.com/documentation/swiftui/text
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Text: View, PrimitiveView {
    let content: String
    private var isSpelled = false
    public init(verbatim content: String) { self.content = content }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        let node = ViewNode("Text", content)
        return isSpelled ? [ViewNode("speechSpellsOutCharacters", content, [node])] : [node]
    }

    /// developer.apple.com/documentation/swiftui/text/speechspellsoutcharacters(_:)
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public func speechSpellsOutCharacters(_ value: Bool = true) -> Text {
        var text = self
        text.isSpelled = value
        return text
    }
}

/// developer.apple.com/documentation/swiftui/button
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Button<Label: View>: View, PrimitiveView {
    private let action: @MainActor () -> Void
    private let label: Label
    @preconcurrency
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
        self.label = label()
    }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("Button", nil, label.nodes(in: context.entering("Button")), action: action)]
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/onappear(perform:)
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        modified("onAppear") { context in
            let begin = {
                action?()
                return nil as Task<Void, Never>?
            }
            context.host.want(.init(begin: begin), at: context.path)
        }
    }

    /// developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, *)
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View {
        modified("onChange") { context in
            let changes = context.changes(of: value)
            let begin = {
                if initial || changes > 0 { action() }
                return nil as Task<Void, Never>?
            }
            context.host.want(.init(changes, begin: begin), at: context.path)
        }
    }

    /// developer.apple.com/documentation/swiftui/view/ondisappear(perform:)
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        modified("onDisappear") { $0.host.want(.init(end: { action?() }), at: $0.path) }
    }
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/onopenurl(perform:)
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        modified("onOpenURL", action)
    }

    /// developer.apple.com/documentation/swiftui/view/oncontinueuseractivity(_:perform:)
    nonisolated public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping (NSUserActivity) -> Void
    ) -> some View { modified("onContinueUserActivity", (activityType, action)) }
}
