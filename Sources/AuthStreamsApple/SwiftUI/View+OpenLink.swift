#if AUTH_SWIFTUI
    import AuthStreams
    public import Foundation
    import Observation
    public import SwiftUI

    /// The link of a scene that waits for the content of a user.
    @MainActor @Observable
    final class SceneLinks {
        private var pending = PendingLink()
        /// Counts the occasions at which a content may open the link.
        private(set) var occasions = 0
        /// Whose users the link is for: another service has others.
        @ObservationIgnored private weak var auth: AuthService?

        var url: URL? { pending.url }

        func arrived(_ link: URL, for auth: AuthService) {
            self.auth = auth
            pending.arrived(link, in: auth.state)
            occasions += 1
        }

        /// Another state, such as that the user whose content is shown is signed in again.
        func stateChanged() { if pending.url != nil { occasions += 1 } }

        func contentBegan(of user: AuthUser.ID, _ auth: AuthService) {
            if waits(for: auth) { pending.contentBegan(of: user) }
        }

        func opened(by user: AuthUser.ID, _ auth: AuthService) -> URL? {
            waits(for: auth) ? pending.opened(by: user, in: auth.state) : nil
        }

        /// Whether a link of a service waits. One for the users of another service is dropped.
        private func waits(for auth: AuthService) -> Bool {
            guard pending.url != nil else { return false }
            if auth !== self.auth { pending = PendingLink() }
            return auth === self.auth
        }
    }

    extension SceneLinks: CustomReflectable {
        /// A mirror without children, because a link can hold a secret, such as the code of an invitation.
        nonisolated var customMirror: Mirror { Mirror(self, children: []) }
    }

    private struct SceneLinksKey: EnvironmentKey {
        static var defaultValue: SceneLinks? { nil }
    }

    private struct PendingLinkKey: EnvironmentKey {
        static var defaultValue: URL? { nil }
    }

    private struct ContentUserKey: EnvironmentKey {
        static var defaultValue: AuthUser.ID? { nil }
    }

    extension EnvironmentValues {
        /// The link that waits until a user is signed in; `nil` when none does, and outside of `authService(_:onOtherURL:)`.
        ///
        /// A log-in screen tells the person by it that the link is opened after the log-in.
        public internal(set) var pendingLink: URL? {
            get { self[PendingLinkKey.self] }
            set { self[PendingLinkKey.self] = newValue }
        }

        /// The links of the scene.
        var sceneLinks: SceneLinks? {
            get { self[SceneLinksKey.self] }
            set { self[SceneLinksKey.self] = newValue }
        }

        /// Whose content of a gate the view belongs to.
        var contentUser: AuthUser.ID? {
            get { self[ContentUserKey.self] }
            set { self[ContentUserKey.self] = newValue }
        }
    }

    extension View {
        /// Opens the app's own links on this view, which is part of the content that an ``AuthGate`` shows for a user.
        ///
        /// ```swift
        /// NavigationStack(path: $path) { FeedView() }
        ///     .onOpenLink { link in path = [Page(link)] }
        /// ```
        ///
        /// It receives the URLs and universal links that `authService(_:onOtherURL:)` leaves to the app. While the content is shown,
        /// a link is opened at once. One that arrives before, such as in the middle of a log-in, is kept until the content of a user
        /// is shown, and is then opened once. A further link replaces it, because the person followed that one last. It is kept in
        /// memory alone, for each scene.
        ///
        /// A link that arrives while a user is signed in is for that user, any other for the next user whose content is shown. It is
        /// never opened for another user.
        ///
        /// Apply it to one view, which is there as long as the content is. Outside of such a content it does nothing; use the closure
        /// of `authService(_:onOtherURL:)` there.
        public func onOpenLink(perform action: @escaping @MainActor (URL) -> Void) -> some View {
            LinkOpener(content: self, action: action)
        }
    }

    private struct LinkOpener<Content: View>: View {
        @Environment(\.auth) private var auth
        @Environment(\.sceneLinks) private var links
        @Environment(\.contentUser) private var user
        let content: Content
        let action: @MainActor (URL) -> Void

        var body: some View {
            // Also when the view appears.
            content.task(id: links?.occasions) {
                if let user, let link = links?.opened(by: user, auth) { action(link) }
            }
        }
    }
#endif
