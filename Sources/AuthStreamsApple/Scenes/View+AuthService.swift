#if AUTH_SWIFTUI
    public import AuthStreams
    public import Foundation
    public import SwiftUI

    extension View {
        /// Gives a service to the views below, and to the service the URLs and universal links that the scene receives.
        ///
        /// ```swift
        /// WindowGroup {
        ///     ContentView().authService(auth)
        /// }
        /// ```
        ///
        /// Apply it to the root view of each scene, instead of `onOpenURL`. The attempts that wait for a URL receive it by
        /// `AuthService.handle(_:)`. The views below find the service in `EnvironmentValues.auth`. The app's own links are opened by
        /// `onOpenLink(perform:)`, on the content for a user, or by `onOtherURL`.
        ///
        /// - Parameters:
        ///   - service: The service.
        ///   - onOtherURL: Receives the URLs that are the app's own to handle, at once, also while no user is signed in. Then none
        ///     is kept for `onOpenLink(perform:)`.
        public func authService(
            _ service: AuthService, onOtherURL: (@MainActor (URL) -> Void)? = nil
        ) -> some View {
            CallbackReceiver(content: self, service: service, onOtherURL: onOtherURL)
        }
    }

    private struct CallbackReceiver<Content: View>: View {
        @State private var links = SceneLinks()
        let content: Content
        let service: AuthService
        let onOtherURL: (@MainActor (URL) -> Void)?

        var body: some View {
            content
                .environment(\.auth, service)
                .environment(\.sceneLinks, links)
                .environment(\.pendingLink, links.url)
                .onOpenURL { receive($0) }
                .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                    if let url = activity.webpageURL { receive(url) }
                }
        }

        private func receive(_ url: URL) {
            guard !service.handle(url) else { return }
            if let onOtherURL { onOtherURL(url) } else { links.arrived(url, for: service) }
        }
    }
#endif
