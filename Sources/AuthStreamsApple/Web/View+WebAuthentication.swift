#if AUTH_AUTHENTICATION_SERVICES && AUTH_SWIFTUI
    import AuthenticationServices
    public import SwiftUI

    /// The session that a view lends.
    @MainActor
    final class WebAuthenticationViews: Sendable {
        var current: WebAuthenticationSession?

        nonisolated init() {}
    }

    extension View {
        /// Lets a user agent present in this view, once it has appeared. Of several views, that which appeared last is used.
        public func presentsWebAuthentication(of agent: SwiftUIWebAuthenticationAgent) -> some View {
            WebAuthenticationPresenter(views: agent.views, content: self)
        }
    }

    private struct WebAuthenticationPresenter<Content: View>: View {
        let views: WebAuthenticationViews
        let content: Content
        @Environment(\.webAuthenticationSession) private var session

        var body: some View { content.onAppear { views.current = session } }
    }
#endif
