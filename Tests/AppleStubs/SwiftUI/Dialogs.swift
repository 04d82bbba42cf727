// Compared: confirmationDialog. Not confirmed: the others.

/// developer.apple.com/documentation/swiftui/visibility
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public enum Visibility: Hashable, CaseIterable, Sendable { case automatic, visible, hidden }

/// developer.apple.com/documentation/swiftui/buttonrole
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public struct ButtonRole: Equatable, Sendable {
    private let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension Button where Label == Text {
    /// developer.apple.com/documentation/swiftui/button/init(_:role:action:)-8y5yk
    @preconcurrency
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {
        self.init(title, action: action)
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension Button {
    /// developer.apple.com/documentation/swiftui/button/init(role:action:label:)
    @preconcurrency
    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(action: action, label: label)
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/confirmationdialog(_:ispresented:titlevisibility:actions:)-46zbb
    ///
    /// The system closes the dialog when one of its buttons is tapped.
    nonisolated public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic, @ViewBuilder actions: () -> A
    ) -> some View {
        DialogView(content: self, title: String(title), isPresented: isPresented, actions: actions())
    }
}

/// A view with a dialog above it, while it is presented.
struct DialogView<Content: View, Actions: View> {
    let content: Content
    let title: String
    nonisolated(unsafe) let isPresented: Binding<Bool>
    let actions: Actions
}

extension DialogView: View, PrimitiveView {
    var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        let below = content.nodes(in: context.entering("content"))
        let place = context.entering("dialog").path
        guard isPresented.wrappedValue, context.host.presents(place, above: context.level) else { return below }
        let buttons = actions.nodes(in: context.entering("dialog")).map(closing)
        return below + [ViewNode("confirmationDialog", title, buttons)]
    }

    private func closing(_ node: ViewNode) -> ViewNode {
        let action = node.action.map { action in
            { @MainActor in
                isPresented.wrappedValue = false
                action()
            }
        }
        return ViewNode(node.kind, node.value, node.children.map(closing), action: action)
    }
}
