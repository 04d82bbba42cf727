#if AUTH_SWIFTUI
    public import AuthStreams
    import Foundation
    public import SwiftUI

    extension View {
        /// Suggests passkeys by AutoFill while the view is shown and no user is signed in.
        ///
        /// ```swift
        /// TextField("E-mail address", text: $address)
        ///     .textContentType(.username)
        ///     .passkeyAutoFill()
        /// ```
        ///
        /// It uses the service of the environment. A sign-in that the person begins by choosing a passkey is reported to
        /// `onSignIn(_:)` and `onAuthError(of:_:)`, as those of the buttons are. When the suggestions are requested again after an
        /// error, and where there are none, `AuthService.suggestPasskeys(_:onResult:)` says.
        ///
        /// - Parameter request: Where to present.
        public func passkeyAutoFill(_ request: AuthRequest = AuthRequest()) -> some View {
            PasskeyAutoFill(content: self, request: request)
        }
    }

    private struct PasskeyAutoFill<Content: View>: View {
        @Environment(\.auth) private var auth
        @Environment(\.locale) private var locale
        @Environment(\.signInReports) private var signInReports
        let content: Content
        let request: AuthRequest

        private struct Source: Hashable {
            let auth: ObjectIdentifier
            let locale: Locale
        }

        var body: some View {
            content.task(id: Source(auth: ObjectIdentifier(auth), locale: locale)) {
                var reports = signInReports
                reports.locale = locale
                await auth.suggestPasskeys(request) { [reports] result in
                    switch result {
                    case .success(let result): reports.onSignIn(result)
                    case .failure(let error): reports.tell(error)
                    }
                }
            }
        }
    }
#endif
