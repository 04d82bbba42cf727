/// What a host has drawn: a view, or a modifier around its content.
public struct ViewNode {
    /// The name of the view or of the modifier, such as `Text` or `lineLimit`.
    public let kind: String
    /// What it was given, such as a text or a color.
    public let value: Any?
    public let children: [ViewNode]
    /// What a tap does.
    let action: (@MainActor () -> Void)?

    init(_ kind: String, _ value: Any? = nil, _ children: [ViewNode] = [], action: (@MainActor () -> Void)? = nil) {
        self.kind = kind
        self.value = value
        self.children = children
        self.action = action
    }

    /// The nodes of a kind, from the outside to the inside and in reading order.
    public func all(_ kind: String) -> [ViewNode] {
        (self.kind == kind ? [self] : []) + children.flatMap { $0.all(kind) }
    }

    /// What the nodes of a kind were given.
    public func values<Value>(_ kind: String, as type: Value.Type = Value.self) -> [Value] {
        all(kind).compactMap { $0.value as? Value }
    }

    /// The texts that are seen, in reading order.
    public var texts: [String] {
        if kind == "hidden" { return [] }
        return (kind == "Text" ? value as? String : nil).map { [$0] } ?? children.flatMap(\.texts)
    }

    /// The innermost nodes with that VoiceOver label.
    public func labeled(_ label: String) -> [ViewNode] {
        all("accessibilityLabel").filter { $0.value as? String == label }
    }

    /// Taps what is innermost there, and is not excluded from hit testing.
    @MainActor public func tap() {
        guard let target else { fatalError("Nothing here takes taps.") }
        target()
    }

    private var target: (@MainActor () -> Void)? {
        if kind == "allowsHitTesting", value as? Bool == false { return nil }
        if kind == "disabled", value as? Bool == true { return nil }
        return children.lazy.compactMap(\.target).first ?? action
    }
}

/// Where a view is drawn.
struct RenderContext {
    let host: ViewHost
    /// The identity of the view: its place among the views around it.
    var path = ""
    var environment: EnvironmentValues
    /// The sheet around, above which one further thing can be presented; empty for the scene.
    var level = ""

    func entering(_ part: Any) -> Self {
        var context = self
        context.path += "/\(part)"
        return context
    }
}

/// A view that is drawn without a body.
@MainActor protocol PrimitiveView {
    func nodes(in context: RenderContext) -> [ViewNode]
}

/// A property that has its value from the host.
@MainActor protocol HostedProperty {
    func connect(to context: RenderContext)
}

extension View {
    @MainActor func nodes(in context: RenderContext) -> [ViewNode] {
        if let view = self as? any PrimitiveView { return view.nodes(in: context) }
        let here = context.entering(Self.self)
        for (name, value) in Mirror(reflecting: self).children {
            (value as? any HostedProperty)?.connect(to: here.entering(name ?? ""))
        }
        return body.nodes(in: here)
    }

    nonisolated func modified(
        _ name: String, _ value: Any? = nil, _ change: @escaping @MainActor (inout RenderContext) -> Void = { _ in }
    ) -> ModifiedView<Self> {
        ModifiedView(content: self, name: name, value: value, change: change)
    }
}

/// A view with a modifier.
struct ModifiedView<Content: View> {
    let content: Content
    let name: String
    let value: Any?
    /// Prepares what is drawn inside.
    let change: @MainActor (inout RenderContext) -> Void
}

extension ModifiedView: View, PrimitiveView {
    var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        var inside = context.entering(name)
        change(&inside)
        let nodes = content.nodes(in: inside)
        // What is to run while a view is shown runs for no view, such as an empty group.
        if nodes.isEmpty { context.host.unwant(at: inside.path) }
        return [ViewNode(name, value, nodes)]
    }
}

/// A view of another stub.
public struct DrawnView {
    let name: String
    let value: Any?

    public init(_ name: String, _ value: Any? = nil) { (self.name, self.value) = (name, value) }
}

extension DrawnView: View, PrimitiveView {
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [ViewNode(name, value)] }
}

extension View {
    /// A modifier of another stub.
    nonisolated public func drawn(_ name: String, _ value: Any?) -> some View { modified(name, value) }
}
