/// Where to present a page or a sheet.
public enum PresentationContext: Sendable {
    /// The key window of the app's scene that is active in the foreground; of several, the frontmost one.
    ///
    /// Presenting fails with `presentationUnavailable` if there is none: the app is in the background, or the process is
    /// an extension, which has no scene. The explanation says which.
    case automatic

    /// A window of the app. Presenting fails with `presentationUnavailable` if it is gone by then, or if its scene was
    /// disconnected or is in the background, and never takes place in another window.
    case window(WeakWindow)

    /// A window of the app, such as that of the button that was tapped.
    ///
    /// - Parameter window: A `UIWindow` or an `NSWindow`. It is held weakly.
    @MainActor
    public static func `in`(_ window: AnyObject) -> Self { .window(WeakWindow(window)) }
}

/// A weak reference to a window.
@MainActor
public final class WeakWindow {
    /// The window; `nil` if it is gone.
    public private(set) weak var window: AnyObject?

    /// Makes a reference to a `UIWindow` or an `NSWindow`.
    public init(_ window: AnyObject) { self.window = window }
}
