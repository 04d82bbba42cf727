public import Foundation

// Not confirmed: everything but openURL and OpenURLAction.

/// developer.apple.com/documentation/swiftui/environmentkey
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

/// developer.apple.com/documentation/swiftui/environmentvalues
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// developer.apple.com/documentation/swiftui/environmentvalues/openurl
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    @MainActor @preconcurrency public var openURL: OpenURLAction {
        get { fatalError() }
        set { fatalError() }
    }

    /// developer.apple.com/documentation/swiftui/environmentvalues/locale
    public var locale = Locale(identifier: "en_US")

    /// developer.apple.com/documentation/swiftui/environmentvalues/colorscheme
    public var colorScheme = ColorScheme.light

    /// How much larger than the standard the person's text size is. Only of the stub: SwiftUI's is `dynamicTypeSize`.
    public var textScale = 1.0

    /// developer.apple.com/documentation/swiftui/environmentvalues/scenephase
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public var scenePhase = ScenePhase.active
}

/// developer.apple.com/documentation/swiftui/environment
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct Environment<Value> {
    private final class Place { var value: Value? }
    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let place = Place()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
    public var wrappedValue: Value { place.value ?? EnvironmentValues()[keyPath: keyPath] }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension Environment: HostedProperty {
    func connect(to context: RenderContext) { place.value = context.environment[keyPath: keyPath] }
}

/// developer.apple.com/documentation/swiftui/state
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct State<Value> {
    private final class Place { var cell: StateCell<Value>? }
    private let initial: Value
    private let place = Place()

    public init(wrappedValue value: Value) { initial = value }
    public var wrappedValue: Value {
        get { if let cell = place.cell { cell.value } else { initial } }
        nonmutating set { place.cell?.set(newValue) }
    }
    public var projectedValue: Binding<Value> {
        Binding {
            wrappedValue
        } set: {
            wrappedValue = $0
        }
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension State: HostedProperty {
    func connect(to context: RenderContext) {
        place.cell = context.host.cell(at: context.path) { StateCell(initial, in: context.host) }
    }
}

/// developer.apple.com/documentation/swiftui/binding
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    public var projectedValue: Self { self }
}

/// developer.apple.com/documentation/swiftui/scaledmetric
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint> {
    private final class Place { var scale = 1.0 }
    private let value: Value
    private let place = Place()

    public init(wrappedValue: Value, relativeTo textStyle: Font.TextStyle) { value = wrappedValue }
    public var wrappedValue: Value { value * Value(place.scale) }
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension ScaledMetric: HostedProperty {
    func connect(to context: RenderContext) { place.scale = context.environment.textScale }
}

/// developer.apple.com/documentation/swiftui/scenephase
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
public enum ScenePhase: Comparable, Sendable {
    case background, inactive, active
}

/// developer.apple.com/documentation/swiftui/openurlaction
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public struct OpenURLAction: Sendable {
    public func callAsFunction(_ url: URL) { fatalError() }

    /// developer.apple.com/documentation/swiftui/openurlaction/callasfunction(_:completion:)
    @available(watchOS, unavailable)
    public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) { fatalError() }
}
