#if AUTH_SWIFTUI
    public import AuthStreams
    import Foundation
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

        /// Receives what to tell the person when an attempt fails that a button below began, or an intent of a view model.
        ///
        /// ```swift
        /// SignInPicker().onAuthError { message in toast = message.text }
        /// RootView(model: model).onAuthError(of: model) { message in toast = message.text }
        /// ```
        ///
        /// Called once for each failed attempt, also if the button has gone away since; the same failure twice is two calls. Not
        /// called where there is nothing to tell: the person's own cancel, and an attempt that a newer one replaced. The text is
        /// in the language of the environment.
        ///
        /// - Parameters:
        ///   - model: The view model; that of no model unless given. Its errors are received while the view is shown.
        ///   - action: Receives the message. Of several such modifiers around a button, the innermost is called.
        public func onAuthError(
            of model: AuthViewModel? = nil, _ action: @escaping @MainActor @Sendable (AuthMessage) -> Void
        ) -> some View {
            ErrorReceiver(content: environment(\.signInReports.onError, action), model: model, action: action)
        }
    }

    private struct ErrorReceiver<Content: View>: View {
        private struct Source: Hashable {
            let model: ObjectIdentifier?
            let locale: Locale
        }

        @Environment(\.locale) private var locale
        let content: Content
        let model: AuthViewModel?
        let action: @MainActor (AuthMessage) -> Void

        var body: some View {
            content.task(id: Source(model: model.map(ObjectIdentifier.init), locale: locale)) {
                guard let errors = model?.errors else { return }
                for await error in errors {
                    if let message = AuthMessage(error, locale: locale) { action(message) }
                }
            }
        }
    }
#endif
