public import SwiftUI

// Not confirmed: from memory of the SDK's interface.

/// developer.apple.com/documentation/authenticationservices/signinwithapplebutton
///
/// On Apple's systems it is in the overlay of AuthenticationServices and SwiftUI.
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
@MainActor @preconcurrency public struct SignInWithAppleButton: View {
    /// developer.apple.com/documentation/authenticationservices/signinwithapplebutton/label
    public struct Label: Hashable, Sendable {
        let name: String
        public static let signIn = Label(name: "signIn")
        public static let `continue` = Label(name: "continue")
        public static let signUp = Label(name: "signUp")
    }

    /// developer.apple.com/documentation/authenticationservices/signinwithapplebutton/style
    public struct Style: Hashable, Sendable {
        let name: String
        public static let black = Style(name: "black")
        public static let white = Style(name: "white")
        public static let whiteOutline = Style(name: "whiteOutline")
    }

    private let label: Label

    /// …/init(_:onrequest:oncompletion:)
    public init(
        _ label: SignInWithAppleButton.Label = .signIn,
        onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping ((Result<ASAuthorization, any Error>) -> Void)
    ) { self.label = label }

    /// What is seen. A tap, which would begin an authorization of its own, is not expected.
    public var body: some View {
        Button {
            fatalError("Apple's button was tapped.")
        } label: {
            DrawnView("SignInWithAppleButton", label)
        }
    }
}

@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
extension View {
    /// developer.apple.com/documentation/swiftui/view/signinwithapplebuttonstyle(_:)
    nonisolated public func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> some View {
        drawn("signInWithAppleButtonStyle", style)
    }
}
