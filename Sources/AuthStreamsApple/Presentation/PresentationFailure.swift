import AuthStreams

/// Why a page or sheet has no window to appear in.
enum PresentationFailure: Error, CaseIterable {
    /// The process is an app extension's, which has no scene of its own.
    case appExtension
    /// No scene of the app is in the foreground.
    case noSceneInForeground
    /// The scenes in the foreground have no key window.
    case noKeyWindow
    /// The window that the request named was released.
    case windowIsGone
    /// The object that the request named is no window of this system.
    case notAWindow
    /// The window's scene was disconnected, or the window was never part of one.
    case windowHasNoScene
    /// The window's scene is in the background.
    case sceneInBackground
    /// The scene was disconnected while the page was shown.
    case sceneDisconnected
    /// The window is closed, hidden or in the Dock.
    case windowIsNotVisible

    /// Whether a window may be there later: a scene becomes active, or the person shows the window.
    var mayPass: Bool {
        switch self {
        case .noSceneInForeground, .noKeyWindow, .sceneInBackground, .windowIsNotVisible: true
        case .appExtension, .windowIsGone, .notAWindow, .windowHasNoScene, .sceneDisconnected: false
        }
    }

    var error: AuthError { AuthError(.presentationUnavailable, explanation) }

    private var explanation: String {
        switch self {
        case .appExtension:
            """
            An app extension has no scene to find a window in. Give the request the window of the extension's view: \
            `.in(window)`.
            """
        case .noSceneInForeground:
            """
            The app has no scene in the foreground. Begin the attempt when the person taps, or give the request a window: \
            `.in(window)`.
            """
        case .noKeyWindow:
            """
            The app has no key window: no window was made key and visible. Call `makeKeyAndVisible()` before the attempt, or \
            give the request a window: `.in(window)`.
            """
        case .windowIsGone:
            "The window that the request named was released before the page could be shown. Keep it while the attempt runs."
        case .notAWindow: "The object that the request named is no window. Give `.in` a UIWindow or an NSWindow."
        case .windowHasNoScene:
            """
            The window that the request named belongs to no scene: the scene was disconnected, or the window was made without \
            one. The page is not shown in another scene.
            """
        case .sceneInBackground:
            """
            The scene of the window that the request named is in the background. The page is not shown in another scene.
            """
        case .sceneDisconnected:
            "The person or the system closed the scene that the page was shown in. Start over in another scene."
        case .windowIsNotVisible:
            "The window that the request named is closed, hidden or minimized. Show it before the attempt."
        }
    }
}
