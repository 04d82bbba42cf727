#if AUTH_SWIFTUI
    public import AuthStreams
    public import Foundation
    public import SwiftUI

    extension View {
        /// Gives a service to the views below, and to the service the URLs and universal links that the scene receives.
        ///
        /// ```swift
        /// WindowGroup {
        ///     ContentView().authCallbacks(auth) { url in router.open(url) }
        /// }
        /// ```
        ///
        /// Apply it to the root view of each scene, instead of `onOpenURL`. The attempts that wait for a URL receive it by
        /// `AuthService.handle(_:)`. The views below find the service in `EnvironmentValues.auth`.
        ///
        /// - Parameters:
        ///   - service: The service.
        ///   - others: Receives the URLs that are the app's own to handle.
        public func authCallbacks(
            _ service: AuthService, others: @escaping @MainActor (URL) -> Void = { _ in }
        ) -> some View {
            environment(\.auth, service)
                .onOpenURL { url in
                    if !service.handle(url) { others(url) }
                }
                .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                    guard let url = activity.webpageURL, !service.handle(url) else { return }
                    others(url)
                }
        }
    }
#endif
