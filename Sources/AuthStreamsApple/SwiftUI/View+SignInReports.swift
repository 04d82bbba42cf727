#if AUTH_SWIFTUI
    public import AuthStreams
    public import SwiftUI

    private struct SignInReportsKey: EnvironmentKey {
        static let defaultValue = SignInReports()
    }

    extension EnvironmentValues {
        /// Learn how the attempts of the buttons below end.
        var signInReports: SignInReports {
            get { self[SignInReportsKey.self] }
            set { self[SignInReportsKey.self] = newValue }
        }
    }

    extension View {
        /// Receives the result of each successful sign-in that a button below began, such as to close a sheet, or to show a new
        /// user the onboarding.
        ///
        /// ```swift
        /// SignInPicker().onSignIn { result in
        ///     if result.isNewUser { showsOnboarding = true }
        /// }
        /// ```
        ///
        /// Called once for each sign-in that succeeded, also if the button has gone away since. Not called for an attempt that a
        /// newer one replaced. Of several such modifiers around a button, the innermost is called.
        public func onSignIn(_ action: @escaping @MainActor @Sendable (SignInResult) -> Void) -> some View {
            environment(\.signInReports.onSignIn, action)
        }

        /// Receives the user with the new identity, when a button below has linked a provider.
        ///
        /// ```swift
        /// SignInButton(.kakao, action: .link).onLink { user in identities = user.providers }
        /// ```
        ///
        /// Called once for each link that succeeded, as `onSignIn(_:)` is for a sign-in.
        public func onLink(_ action: @escaping @MainActor @Sendable (AuthUser) -> Void) -> some View {
            environment(\.signInReports.onLink, action)
        }

        /// Receives what to tell the person when an attempt fails that a button below began.
        ///
        /// ```swift
        /// SignInPicker().onSignInError { message in toast = message.text }
        /// ```
        ///
        /// Called once for each failed attempt, also if the button has gone away since; the same failure twice is two calls. Not
        /// called where there is nothing to tell: the person's own cancel, and an attempt that a newer one replaced. The text is
        /// in the language of the button's environment.
        public func onSignInError(_ action: @escaping @MainActor @Sendable (SignInMessage) -> Void) -> some View {
            environment(\.signInReports.onError, action)
        }
    }
#endif
