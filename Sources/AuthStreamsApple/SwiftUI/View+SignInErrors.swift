#if AUTH_SWIFTUI
    public import SwiftUI

    private struct SignInErrorKey: EnvironmentKey {
        static let defaultValue: @MainActor @Sendable (SignInMessage) -> Void = { _ in }
    }

    extension EnvironmentValues {
        /// Receives what people are told about the sign-ins of the buttons below.
        var signInErrors: @MainActor @Sendable (SignInMessage) -> Void {
            get { self[SignInErrorKey.self] }
            set { self[SignInErrorKey.self] = newValue }
        }
    }

    extension View {
        /// Receives what to tell the person when a sign-in fails that a button below began.
        ///
        /// ```swift
        /// SignInPicker().onSignInError { message in toast = message.text }
        /// ```
        ///
        /// Called once for each failed attempt, also if the button has gone away since; the same failure twice is two calls. Not
        /// called where there is nothing to tell: the person's own cancel, and an attempt that a newer one replaced. The text is
        /// in the language of the button's environment.
        public func onSignInError(_ action: @escaping @MainActor @Sendable (SignInMessage) -> Void) -> some View {
            environment(\.signInErrors, action)
        }
    }
#endif
