#if AUTH_UIKIT
    public import AuthStreams
    public import UIKit

    extension AuthService {
        /// Passes the URLs that another app or the browser opened to the attempts that wait for them; see
        /// `AuthService.handle(_:)`.
        ///
        /// ```swift
        /// func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        ///     for context in auth.handle(contexts) { open(context.url) }
        /// }
        /// ```
        ///
        /// - Returns: The contexts of URLs that no attempt waits for and that do not have the form of a provider's answer: they are
        ///   the app's own to handle.
        @MainActor
        @discardableResult
        public func handle(_ urlContexts: Set<UIOpenURLContext>) -> Set<UIOpenURLContext> {
            urlContexts.filter { !handle($0.url) }
        }

        /// Passes the universal link of a user activity to the attempt that waits for it; see `AuthService.handle(_:)`.
        ///
        /// Call it in the scene delegate's `scene(_:continue:)`.
        ///
        /// - Returns: Whether the activity is a universal link that an attempt waits for, or that has the form of a provider's
        ///   answer. If `false`, the activity is the app's own to handle.
        @MainActor
        @discardableResult
        public func handle(_ userActivity: NSUserActivity) -> Bool {
            guard userActivity.activityType == NSUserActivityTypeBrowsingWeb, let url = userActivity.webpageURL else {
                return false
            }
            return handle(url)
        }

        /// Passes what a scene was connected with to the attempts that wait for it: the URLs and universal links that launched
        /// the app, or opened it in a new scene.
        ///
        /// ```swift
        /// func scene(
        ///     _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
        /// ) {
        ///     let own = auth.handle(connectionOptions)
        ///     for context in own.urlContexts { open(context.url) }
        ///     …
        /// }
        /// ```
        ///
        /// The system does not call `scene(_:openURLContexts:)` and `scene(_:continue:)` for them.
        ///
        /// - Returns: The URLs and user activities that no attempt waits for and that do not have the form of a provider's
        ///   answer: they are the app's own to handle. The other options are not looked at.
        @MainActor
        @discardableResult
        public func handle(_ connectionOptions: UIScene.ConnectionOptions) -> AppConnectionOptions {
            AppConnectionOptions(
                urlContexts: handle(connectionOptions.urlContexts),
                userActivities: connectionOptions.userActivities.filter { !handle($0) })
        }
    }

    /// What a scene was connected with that is the app's own to handle, and no answer to a sign-in.
    @MainActor
    public struct AppConnectionOptions {
        /// The contexts of the app's own URLs.
        public let urlContexts: Set<UIOpenURLContext>
        /// The app's own user activities, such as universal links and those of Handoff.
        public let userActivities: Set<NSUserActivity>
    }

    extension AppConnectionOptions: CustomStringConvertible, CustomReflectable {
        /// The same text for all options; never their content.
        public nonisolated var description: String { "connection options of the app's own" }
        /// A mirror without children, because the app's own URLs can hold secrets, such as the code of an invitation.
        public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
