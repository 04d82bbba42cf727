public import Foundation

#if AUTH_UIKIT
    public import UIKit
#elseif AUTH_APPKIT
    public import AppKit
#endif

// Not confirmed: from memory of the SDK's interface.

/// developer.apple.com/documentation/swiftui/form
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Form<Content: View>: View, PrimitiveView {
    private let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("Form", nil, content.nodes(in: context.entering("Form")))]
    }
}

/// developer.apple.com/documentation/swiftui/section
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Section<Parent, Content, Footer> {
    private let content: Content
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("Section", nil, content.nodes(in: context.entering("Section")))]
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    /// developer.apple.com/documentation/swiftui/section/init(content:)
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// developer.apple.com/documentation/swiftui/textfield
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct TextField<Label: View>: View, PrimitiveView {
    private let input: ViewNode.TextInput
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [ViewNode("TextField", input)] }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension TextField where Label == Text {
    /// developer.apple.com/documentation/swiftui/textfield/init(_:text:)-38pze
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        input = ViewNode.TextInput(title: String(title), text: text)
    }
}

/// developer.apple.com/documentation/swiftui/securefield
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct SecureField<Label: View>: View, PrimitiveView {
    private let input: ViewNode.TextInput
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] { [ViewNode("SecureField", input)] }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension SecureField where Label == Text {
    /// developer.apple.com/documentation/swiftui/securefield/init(_:text:)-1vagp
    public init<S: StringProtocol>(_ title: S, text: Binding<String>) {
        input = ViewNode.TextInput(title: String(title), text: text)
    }
}

extension ViewNode {
    /// A field for text.
    public struct TextInput {
        public let title: String
        let binding: Binding<String>

        init(title: String, text: Binding<String>) { (self.title, binding) = (title, text) }

        @MainActor public var text: String {
            get { binding.wrappedValue }
            nonmutating set { binding.wrappedValue = newValue }
        }
    }

    /// The fields for text, in reading order.
    public var inputs: [TextInput] {
        let own = value as? TextInput
        return own.map { [$0] } ?? children.flatMap(\.inputs)
    }
}

/// developer.apple.com/documentation/swiftui/toggle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct Toggle<Label: View>: View, PrimitiveView {
    private let isOn: Binding<Bool>
    private let label: Label
    /// developer.apple.com/documentation/swiftui/toggle/init(ison:label:)
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { (self.isOn, self.label) = (isOn, label()) }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        let label = label.nodes(in: context.entering("Toggle"))
        return [ViewNode("Toggle", isOn.wrappedValue, label) { isOn.wrappedValue.toggle() }]
    }
}

/// developer.apple.com/documentation/swiftui/link
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
public struct Link<Label: View>: View, PrimitiveView {
    private let destination: URL
    private let label: Label
    /// developer.apple.com/documentation/swiftui/link/init(destination:label:)
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        (self.destination, self.label) = (destination, label())
    }
    public var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("Link", destination, label.nodes(in: context.entering("Link")))]
    }
}

/// developer.apple.com/documentation/swiftui/groupedformstyle
@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
public struct GroupedFormStyle: FormStyle { nonisolated public init() {} }

/// developer.apple.com/documentation/swiftui/formstyle
@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
@MainActor @preconcurrency public protocol FormStyle {}

@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
extension FormStyle where Self == GroupedFormStyle {
    @MainActor @preconcurrency public static var grouped: GroupedFormStyle { GroupedFormStyle() }
}

@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/formstyle(_:)
    nonisolated public func formStyle<S: FormStyle>(_ style: S) -> some View { modified("formStyle", style) }
}

/// developer.apple.com/documentation/swiftui/focusstate
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
@propertyWrapper public struct FocusState<Value: Hashable> {
    private final class Place { var cell: StateCell<Value>? }
    private let initial: Value
    private let place = Place()

    public init() where Value: ExpressibleByNilLiteral { initial = nil }
    public var wrappedValue: Value {
        get { place.cell?.value ?? initial }
        nonmutating set { place.cell?.set(newValue) }
    }
    public var projectedValue: FocusState<Value>.Binding { Binding(state: self) }

    /// …/binding
    @propertyWrapper public struct Binding {
        let state: FocusState
        public var wrappedValue: Value {
            get { state.wrappedValue }
            nonmutating set { state.wrappedValue = newValue }
        }
        public var projectedValue: FocusState<Value>.Binding { self }
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension FocusState: HostedProperty {
    func connect(to context: RenderContext) {
        place.cell = context.host.cell(at: context.path) { StateCell(initial, in: context.host) }
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/focused(_:equals:)
    nonisolated public func focused<Value: Hashable>(
        _ binding: FocusState<Value>.Binding, equals value: Value
    ) -> some View { FocusedView(content: self, binding: binding, focus: value) }

    /// developer.apple.com/documentation/swiftui/view/onsubmit(of:_:), without the triggers, which are those of text.
    nonisolated public func onSubmit(_ action: @escaping () -> Void) -> some View { modified("onSubmit", action) }
}

/// A view that has the focus or not.
struct FocusedView<Content: View, Value: Hashable> {
    let content: Content
    nonisolated(unsafe) let binding: FocusState<Value>.Binding
    nonisolated(unsafe) let focus: Value
}

extension FocusedView: View, PrimitiveView {
    var body: Never { fatalError() }
    func nodes(in context: RenderContext) -> [ViewNode] {
        [ViewNode("focused", binding.wrappedValue == focus, content.nodes(in: context.entering("focused")))]
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/disabled(_:)
    nonisolated public func disabled(_ disabled: Bool) -> some View { modified("disabled", disabled) }

    /// developer.apple.com/documentation/swiftui/view/autocorrectiondisabled(_:)
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        modified("autocorrectionDisabled", disable)
    }
}

/// developer.apple.com/documentation/swiftui/textinputautocapitalization
@available(iOS 15.0, tvOS 15.0, watchOS 8.0, *)
@available(macOS, unavailable)
public struct TextInputAutocapitalization: Hashable, Sendable {
    let name: String
    public static var never: TextInputAutocapitalization { Self(name: "never") }
}

extension View {
    /// developer.apple.com/documentation/swiftui/view/textinputautocapitalization(_:)
    @available(iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    @available(macOS, unavailable)
    nonisolated public func textInputAutocapitalization(
        _ autocapitalization: TextInputAutocapitalization?
    ) -> some View { modified("textInputAutocapitalization", autocapitalization) }
}

#if AUTH_UIKIT
    @available(iOS 13.0, tvOS 13.0, *)
    @available(macOS, unavailable)
    @available(watchOS, unavailable)
    extension View {
        /// developer.apple.com/documentation/swiftui/view/textcontenttype(_:)-ufdv
        nonisolated public func textContentType(_ textContentType: UITextContentType?) -> some View {
            modified("textContentType", textContentType)
        }

        /// developer.apple.com/documentation/swiftui/view/keyboardtype(_:)
        nonisolated public func keyboardType(_ type: UIKeyboardType) -> some View { modified("keyboardType", type) }
    }
#elseif AUTH_APPKIT
    @available(macOS 11.0, *)
    extension View {
        /// developer.apple.com/documentation/swiftui/view/textcontenttype(_:)-6fic1
        nonisolated public func textContentType(_ textContentType: NSTextContentType?) -> some View {
            modified("textContentType", textContentType)
        }
    }
#endif

/// developer.apple.com/documentation/swiftui/keyboardshortcut
@available(macOS 11.0, iOS 14.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
public struct KeyboardShortcut: Hashable, Sendable {
    let name: String
    public static let defaultAction = KeyboardShortcut(name: "defaultAction")
    public static let cancelAction = KeyboardShortcut(name: "cancelAction")
}

@available(macOS 11.0, iOS 14.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
extension View {
    /// developer.apple.com/documentation/swiftui/view/keyboardshortcut(_:)-7vz8t
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View {
        modified("keyboardShortcut", shortcut)
    }

    /// developer.apple.com/documentation/swiftui/view/keyboardshortcut(_:)-3vjx6: `nil` for none.
    @available(macOS 12.3, iOS 15.4, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    nonisolated public func keyboardShortcut(_ shortcut: KeyboardShortcut?) -> some View {
        modified("keyboardShortcut", shortcut)
    }
}

/// developer.apple.com/documentation/swiftui/accessibilitytraits
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct AccessibilityTraits: Hashable, Sendable {
    let name: String
    public static let isHeader = AccessibilityTraits(name: "isHeader")
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/accessibilityaddtraits(_:)
    nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        modified("accessibilityAddTraits", traits)
    }
}

/// developer.apple.com/documentation/swiftui/textselectability
@available(macOS 12.0, iOS 15.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
public protocol TextSelectability {}

/// developer.apple.com/documentation/swiftui/enabledtextselectability
@available(macOS 12.0, iOS 15.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
public struct EnabledTextSelectability: TextSelectability {}

@available(macOS 12.0, iOS 15.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

@available(macOS 12.0, iOS 15.0, *)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
extension View {
    /// developer.apple.com/documentation/swiftui/view/textselection(_:)
    nonisolated public func textSelection<S: TextSelectability>(_ selectability: S) -> some View {
        modified("textSelection", selectability)
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Image {
    /// developer.apple.com/documentation/swiftui/image/init(_:scale:orientation:label:), without the orientation.
    public init(_ cgImage: CGImage, scale: CGFloat, label: Text) { self.init(picture: cgImage, label: label.content) }

    /// developer.apple.com/documentation/swiftui/image/interpolation
    public enum Interpolation: Hashable, Sendable { case none, low, medium, high }

    /// developer.apple.com/documentation/swiftui/image/interpolation(_:)
    public func interpolation(_ interpolation: Image.Interpolation) -> Image { self }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/scaledtofit()
    nonisolated public func scaledToFit() -> some View { modified("scaledToFit") }
}
