// Compared: App, its body and its main(). Not confirmed: the others.

/// developer.apple.com/documentation/swiftui/app
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    /// developer.apple.com/documentation/swiftui/app/body-swift.property
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// developer.apple.com/documentation/swiftui/app/init()
    @MainActor @preconcurrency init()
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension App {
    /// developer.apple.com/documentation/swiftui/app/main(). Here it returns.
    @MainActor @preconcurrency public static func main() { ViewHost.launched.append(Self.self) }
}

/// developer.apple.com/documentation/swiftui/scene
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    /// developer.apple.com/documentation/swiftui/scene/body-swift.property
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension Never: Scene {}

/// developer.apple.com/documentation/swiftui/scenebuilder
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@resultBuilder public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// developer.apple.com/documentation/swiftui/windowgroup
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
public struct WindowGroup<Content: View>: Scene, HostedScene {
    nonisolated(unsafe) let content: any View
    /// developer.apple.com/documentation/swiftui/windowgroup/init(content:)
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Never { fatalError() }
}

/// A scene with a window.
@MainActor protocol HostedScene { var content: any View { get } }

extension ViewHost {
    /// The apps whose `main()` was called.
    public internal(set) static var launched: [any App.Type] = []

    /// Shows the window of an app.
    public convenience init(app: some App, environment: EnvironmentValues = EnvironmentValues()) {
        guard let scene = app.body as? any HostedScene else { fatalError("The app's scene has no window.") }
        self.init(scene.content, environment: environment)
    }
}

/// developer.apple.com/documentation/swiftui/previewprovider
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
@MainActor @preconcurrency public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/previewdisplayname(_:)
    nonisolated public func previewDisplayName(_ value: String?) -> some View { modified("previewDisplayName", value) }
}
