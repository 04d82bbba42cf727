public import SwiftUI

// Not confirmed: from memory of the SDK's interface.

/// developer.apple.com/documentation/authenticationservices/signinwithapplebutton
///
/// On Apple's systems it is in the overlay of AuthenticationServices and SwiftUI.
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public struct SignInWithAppleButton: View {
    /// developer.apple.com/documentation/authenticationservices/signinwithapplebutton/label
    public struct Label: Sendable {
        public static let signIn = Label()
        public static let `continue` = Label()
        public static let signUp = Label()
    }

    /// developer.apple.com/documentation/authenticationservices/signinwithapplebutton/style
    public struct Style: Sendable {
        public static let black = Style()
        public static let white = Style()
        public static let whiteOutline = Style()
    }

    /// …/init(_:onrequest:oncompletion:)
    public init(
        _ label: SignInWithAppleButton.Label = .signIn,
        onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping ((Result<ASAuthorization, any Error>) -> Void)
    ) {}
    public var body: some View { EmptyView() }
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/signinwithapplebuttonstyle(_:)
    nonisolated public func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> some View {
        EmptyView()
    }
}
