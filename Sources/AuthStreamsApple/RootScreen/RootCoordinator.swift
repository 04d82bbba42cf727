public import AuthStreams
public import Foundation

/// Switches the root screen of a scene when another user, or no user, is signed in.
///
/// ```swift
/// coordinator = RootCoordinator(auth.states) { [weak self] screen in
///     await self?.show(screen)
/// } openLink: { [weak self] link in
///     self?.home?.open(link)
/// }
/// ```
///
/// ```
/// state   restoring ── signedOut ── signingIn ── signedIn(1) ── signedIn(1) ── signedIn(2) ──▶
/// show                 login                     home(1)                       home(2)
/// ```
///
/// It begins at ``RootScreen/launch``, which the scene shows already when it makes the coordinator. From then on there is one
/// switch each time the screen changes. Changes during a switch wait for its end, and only the last of them counts: one
/// that leads back to the screen that is shown causes no switch.
///
/// Make one for each scene, and keep it with the scene. It keeps no service alive, and ends when it is released.
@MainActor
public final class RootCoordinator {
    private enum Position {
        case shown(RootScreen)
        case switching(to: RootScreen)
    }
    private var position = Position.shown(.launch)
    private let states: AuthStates
    private let show: @MainActor (RootScreen) async -> Void
    private let openLink: @MainActor (URL) -> Void
    private var reader: Task<Void, Never>?

    private var link = PendingLink()

    /// Makes a coordinator.
    ///
    /// - Parameters:
    ///   - states: The states of the service.
    ///   - show: Shows a screen, and returns when the transition has ended. It may change who is signed in.
    ///   - openLink: Opens a link on the home screen, which is shown. Links are ignored unless given.
    public init(
        _ states: AuthStates, show: @escaping @MainActor (RootScreen) async -> Void,
        openLink: @escaping @MainActor (URL) -> Void = { _ in }
    ) {
        self.states = states
        self.show = show
        self.openLink = openLink
        var changes = states.latest.makeAsyncIterator()
        reader = Task { [weak self] in
            while await changes.next() != nil {
                // Weak between the steps: a coordinator that is released during a switch begins no further one.
                while let (screen, show) = self?.beginSwitch() {
                    await show(screen)
                    self?.switchEnded(screen)
                }
                self?.openPendingLink()
            }
        }
    }

    deinit { reader?.cancel() }

    /// The screen that is shown, or that is being switched to.
    public var screen: RootScreen {
        switch position {
        case .shown(let screen), .switching(let screen): screen
        }
    }

    /// The link that waits for a home screen; `nil` when none does.
    public var pendingLink: URL? { link.url }

    /// Opens a link of the app on the home screen.
    ///
    /// While a home screen is shown, the link is opened at once. On the launch screen, on the log-in screen, in the middle of a
    /// log-in and during a switch it is kept until a home screen is shown. A further link replaces it, because the person followed
    /// that one last. It is kept in memory alone.
    ///
    /// A link that arrives while a user is signed in is for that user, any other for the next user whose home screen is shown. It
    /// is never opened for another user.
    ///
    /// Give URLs to `AuthService.handle(_:)` first, and only those that it leaves to the app to the coordinator of the scene that
    /// received them.
    public func open(_ link: URL) {
        self.link.arrived(link, in: states.present)
        openPendingLink()
    }

    /// Begins the switch to the screen of the present state, which may have changed during the last one; `nil` if it is shown.
    private func beginSwitch() -> (RootScreen, @MainActor (RootScreen) async -> Void)? {
        guard let next = states.present.map(RootScreen.init), next != screen else { return nil }
        position = .switching(to: next)
        if case .home(let user) = next { link.contentBegan(of: user) }
        return (next, show)
    }

    private func switchEnded(_ screen: RootScreen) { position = .shown(screen) }

    private func openPendingLink() {
        // The user may have left, and the switch follows.
        guard case .shown(.home(let user)) = position, let link = link.opened(by: user, in: states.present) else {
            return
        }
        openLink(link)
    }
}

extension RootCoordinator: CustomReflectable {
    /// A mirror without children, because the pending link can hold a secret, such as the code of an invitation.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}

/// The root of an app's screens: the answer to 'who is signed in'.
///
/// | state | screen |
/// | --- | --- |
/// | `restoring` | ``launch`` |
/// | `signedOut`, `signingIn` | ``login``: the screen stays, with the window in which a provider's sheet is shown |
/// | `signedIn` | ``home(_:)`` of the user |
///
/// Steps, the freshness of a session, a refresh and a change of the user's profile change no screen.
public enum RootScreen: Hashable, Sendable {
    /// The launch screen: it is not known yet who is signed in.
    case launch
    /// The log-in screen.
    case login
    /// The first screen of the user with that identifier. What else it shows of the user, such as the name, is state.
    case home(AuthUser.ID)

    /// The screen for a state.
    public init(_ state: AuthState) {
        self =
            switch state {
            case .restoring: .launch
            case .signedOut, .signingIn: .login
            case .signedIn(let user, _): .home(user.id)
            }
    }
}

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
