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
    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { fatalError() }
        set { fatalError() }
    }

    /// developer.apple.com/documentation/swiftui/environmentvalues/openurl
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    @MainActor @preconcurrency public var openURL: OpenURLAction {
        get { fatalError() }
        set { fatalError() }
    }

    /// developer.apple.com/documentation/swiftui/environmentvalues/locale
    public var locale: Locale {
        get { fatalError() }
        set { fatalError() }
    }

    /// developer.apple.com/documentation/swiftui/environmentvalues/colorscheme
    public var colorScheme: ColorScheme {
        get { fatalError() }
        set { fatalError() }
    }

    /// developer.apple.com/documentation/swiftui/environmentvalues/scenephase
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
    public var scenePhase: ScenePhase {
        get { fatalError() }
        set { fatalError() }
    }
}

/// developer.apple.com/documentation/swiftui/environment
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

/// developer.apple.com/documentation/swiftui/state
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@propertyWrapper public struct State<Value> {
    public init(wrappedValue value: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
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
