import AuthStreams
import Foundation

/// A link of the app that waits for the content of a user.
///
/// It is for one user: the one who is signed in when it arrives, otherwise the next one whose content is shown. It is never opened
/// for another.
struct PendingLink {
    /// The link; `nil` when none waits.
    private(set) var url: URL?
    /// Whom it is for; `nil` until that is known.
    private var user: AuthUser.ID?

    /// A link arrived. It replaces the one that waits, because the person followed it last.
    mutating func arrived(_ link: URL, in state: AuthState?) { (url, user) = (link, state?.user?.id) }

    /// The content of a user is about to be shown. A link for another user is dropped.
    mutating func contentBegan(of user: AuthUser.ID) {
        guard url != nil else { return }
        if let owner = self.user, owner != user { self = Self() } else { self.user = user }
    }

    /// Returns the link that the shown content of a user opens, and keeps it no longer; `nil` for none.
    ///
    /// - Parameter state: The state now: the user may have left, although their content is still shown.
    mutating func opened(by user: AuthUser.ID, in state: AuthState?) -> URL? {
        if let state, state.user?.id != user { return nil }
        contentBegan(of: user)
        defer { self = Self() }
        return url
    }
}
