#if AUTH_SWIFTUI
    public import AuthStreams
    public import SwiftUI

    private struct AuthServiceKey: EnvironmentKey {
        static let defaultValue = AuthService.missing(
            """
            No service was given to the views. Apply `authService(_:)` with the app's service to the root view of each \
            scene, or set `\\.auth` in the environment of a preview.
            """)
    }

    extension EnvironmentValues {
        /// The app's service, for the views below `authService(_:onOtherURL:)`.
        ///
        /// ```swift
        /// @Environment(\.auth) private var auth
        /// ```
        ///
        /// A view that reads its `user` or `state` is not drawn again when they change: ``AuthGate`` and ``AuthViewModel`` are
        /// observed, and `states` is followed in a `task`.
        ///
        /// Without one, every sign-in fails with `misconfigured`. A preview sets its own:
        ///
        /// ```swift
        /// #Preview { LoginView().environment(\.auth, .preview(failing: .network)) }
        /// ```
        public var auth: AuthService {
            get { self[AuthServiceKey.self] }
            set { self[AuthServiceKey.self] = newValue }
        }
    }
#endif
