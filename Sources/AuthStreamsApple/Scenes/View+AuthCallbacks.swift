#if AUTH_SWIFTUI
    public import AuthStreams
    public import Foundation
    public import SwiftUI

    extension View {
        /// Passes the URLs and universal links that the app is opened with to the attempts that wait for them; see
        /// `AuthService.handle(_:)`.
        ///
        /// ```swift
        /// WindowGroup {
        ///     ContentView().handlesCallbacks(of: auth) { url in router.open(url) }
        /// }
        /// ```
        ///
        /// Apply it to the root view of each scene, instead of `onOpenURL`.
        ///
        /// - Parameters:
        ///   - service: The service.
        ///   - others: Receives the URLs that are the app's own to handle.
        public func handlesCallbacks(
            of service: AuthService, others: @escaping @MainActor (URL) -> Void = { _ in }
        ) -> some View {
            onOpenURL { url in
                if !service.handle(url) { others(url) }
            }
            .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                guard let url = activity.webpageURL, !service.handle(url) else { return }
                others(url)
            }
        }
    }
#endif
