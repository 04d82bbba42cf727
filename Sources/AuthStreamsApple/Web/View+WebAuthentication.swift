#if AUTH_AUTHENTICATION_SERVICES && AUTH_SWIFTUI
    import AuthenticationServices
    import Foundation
    public import SwiftUI

    /// The sessions that views lend while they are shown.
    @MainActor
    final class WebAuthenticationViews: Sendable {
        private var sessions: [(view: UUID, session: WebAuthenticationSession)] = []

        nonisolated init() {}

        /// That of the view which appeared last.
        var current: WebAuthenticationSession? { sessions.last?.session }

        func appeared(_ view: UUID, with session: WebAuthenticationSession) {
            disappeared(view)
            sessions.append((view, session))
        }

        func disappeared(_ view: UUID) { sessions.removeAll { $0.view == view } }
    }

    extension View {
        /// Lets a user agent present in this view while it is shown. Of several views, that which appeared last is used.
        ///
        /// An app with several windows gives each a user agent of its own.
        public func presentsWebAuthentication(of agent: SwiftUIWebAuthenticationAgent) -> some View {
            WebAuthenticationPresenter(self, lendingTo: agent.views)
        }
    }

    private struct WebAuthenticationPresenter<Content: View>: View {
        let views: WebAuthenticationViews
        let content: Content
        @Environment(\.webAuthenticationSession) private var session
        @State private var id = UUID()

        init(_ content: Content, lendingTo views: WebAuthenticationViews) {
            self.content = content
            self.views = views
        }

        var body: some View {
            content.onAppear { views.appeared(id, with: session) }.onDisappear { views.disappeared(id) }
        }
    }
#endif
