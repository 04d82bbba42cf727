#if AUTH_SWIFTUI
    public import AuthStreams
    public import SwiftUI

    /// Shows one of three contents: for the user who is signed in, for signing in, and while that is not known yet.
    ///
    /// ```swift
    /// WindowGroup {
    ///     AuthGate { user in
    ///         HomeView(user: user)
    ///     } signedOut: {
    ///         SignInPicker()
    ///     }
    ///     .authService(auth)
    /// }
    /// ```
    ///
    /// The content for signing in stays while a sign-in is in progress, and the content for a user while the session is refreshed
    /// or changes its user's name. It gets a new identity with each user, and with another service.
    ///
    /// `onOpenLink(perform:)` opens the app's links on the content for a user. A link that arrives before is kept.
    ///
    /// Make it the root of the scene's content. What is around it, such as a navigation stack, may suspend it and delay a change.
    public struct AuthGate<Home: View, SignIn: View, Launch: View>: View {
        @Environment(\.auth) private var auth
        private let home: (AuthUser) -> Home
        private let signIn: () -> SignIn
        private let launch: () -> Launch

        /// Makes a gate.
        ///
        /// - Parameters:
        ///   - signedIn: The content for the user who is signed in.
        ///   - signedOut: The content while no user is signed in.
        ///   - restoring: The content until storage was read, such as the launch screen's picture.
        public init(
            @ViewBuilder signedIn: @escaping (AuthUser) -> Home, @ViewBuilder signedOut: @escaping () -> SignIn,
            @ViewBuilder restoring: @escaping () -> Launch
        ) {
            home = signedIn
            signIn = signedOut
            launch = restoring
        }

        /// The content for the present state.
        public var body: some View {
            // Another service is another identity, so that nothing of the previous one stays.
            AuthGateView(auth: auth, home: home, signIn: signIn, launch: launch).id(ObjectIdentifier(auth))
        }
    }

    /// The gate of one service.
    private struct AuthGateView<Home: View, SignIn: View, Launch: View>: View {
        @State private var content: AuthGateContent?
        @Environment(\.sceneLinks) private var links
        let auth: AuthService
        let home: (AuthUser) -> Home
        let signIn: () -> SignIn
        let launch: () -> Launch

        var body: some View {
            // A task of a group is that of its content, which may be empty.
            ZStack {
                switch content ?? AuthGateContent(auth.state) {
                case .launch: launch()
                case .signedOut: signIn()
                case .signedIn(let user):
                    home(user)
                        .environment(\.contentUser, user.id)
                        .onAppear { links?.contentBegan(of: user.id, auth) }
                        .id(user.id)
                }
            }
            .task {
                for await state in auth.states.latest {
                    let next = AuthGateContent(state)
                    if next != content { content = next }
                    links?.stateChanged()
                }
            }
        }
    }

    extension AuthGate where Launch == EmptyView {
        /// Makes a gate that shows nothing until storage was read.
        public init(
            @ViewBuilder signedIn: @escaping (AuthUser) -> Home, @ViewBuilder signedOut: @escaping () -> SignIn
        ) {
            self.init(signedIn: signedIn, signedOut: signedOut, restoring: { EmptyView() })
        }
    }
#endif
