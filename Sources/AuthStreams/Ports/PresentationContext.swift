/// Where to present a page or sheet: a given window, or the front-most one.
public struct PresentationContext: Sendable {
    @MainActor
    private final class WeakWindow {
        weak var window: AnyObject?

        init(_ window: AnyObject) {
            self.window = window
        }
    }

    private let reference: WeakWindow?

    /// The front-most window of the active scene.
    public static let frontmost = PresentationContext(reference: nil)

    private init(reference: WeakWindow?) {
        self.reference = reference
    }

    /// Presents in the given window, which is held weakly.
    @MainActor
    public init(window: AnyObject) {
        reference = WeakWindow(window)
    }

    /// The given window; `nil` if there was none or it is gone, in which case the front-most one is used.
    @MainActor
    public var window: AnyObject? { reference?.window }
}
