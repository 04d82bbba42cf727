// Not confirmed: from memory of the SDK's interface.

/// developer.apple.com/documentation/swiftui/primitivebuttonstyle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

/// developer.apple.com/documentation/swiftui/plainbuttonstyle
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public struct PlainButtonStyle: PrimitiveButtonStyle {
    nonisolated public init() {}
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// developer.apple.com/documentation/swiftui/primitivebuttonstyle/plain
    @MainActor @preconcurrency public static var plain: PlainButtonStyle { PlainButtonStyle() }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/buttonstyle(_:)-66fbx
    nonisolated public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        modified("buttonStyle", style)
    }

    /// developer.apple.com/documentation/swiftui/view/allowshittesting(_:)
    nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View {
        modified("allowsHitTesting", enabled)
    }

    /// developer.apple.com/documentation/swiftui/view/environment(_:_:)
    nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        modified("environment") { $0.environment[keyPath: keyPath] = value }
    }
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/accessibilitylabel(_:)-1d7jv
    nonisolated public func accessibilityLabel(_ label: Text) -> some View {
        modified("accessibilityLabel", label.content)
    }

    /// developer.apple.com/documentation/swiftui/view/accessibilityvalue(_:)-8d2sa
    nonisolated public func accessibilityValue(_ value: Text) -> some View {
        modified("accessibilityValue", value.content)
    }

    /// developer.apple.com/documentation/swiftui/view/accessibilityhidden(_:)
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View {
        modified("accessibilityHidden", hidden)
    }
}
