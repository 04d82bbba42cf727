extension AuthErrorTexts {
    /// The standard texts in English.
    public static let english = AuthErrorTexts(
        [
            .accessDenied: .init("Sign-in was not allowed.", named: "{provider} sign-in was not allowed."),
            .abandoned: .init(
                "Sign-in was not finished. Please try again.",
                named: "{provider} sign-in was not finished. Please try again."),
            .timedOut: .init(
                "Sign-in took too long. Please try again.", named: "{provider} sign-in took too long. Please try again."
            ),
            .unsupportedProvider: .init(
                "This way to sign in is not available.", named: "{provider} sign-in is not available."),
            .notSignedIn: .init("Please sign in first.", named: "Please sign in with {provider} first."),
            .userNotFound: .init("No account was found.", named: "No account was found for this {provider} sign-in."),
            .invalidCredential: .init(
                "Sign-in was not accepted. Please start again.",
                named: "{provider} sign-in was not accepted. Please start again."),
            .invalidCustomToken: .init(
                "The server could not complete the sign-in. Please try again later.",
                named: "The server could not complete the {provider} sign-in. Please try again later."),
            .accountExists: .init(
                "There already is an account with this email. Please sign in the way you did before.",
                named: "There already is an account with your {provider} email. Please sign in the way you did before."),
            .credentialInUse: .init(
                "This account already belongs to another user.",
                named: "This {provider} account already belongs to another user."),
            .secondFactorRequired: .init(
                "This account needs a second sign-in step, which is not available here.",
                named: "This {provider} account needs a second sign-in step, which is not available here."),
            .requiresRecentSignIn: .init(
                "To continue, please confirm that it is you by signing in again.",
                named: "To continue, please confirm that it is you by signing in with {provider} again."),
            .lastProvider: .init(
                "This is your only way to sign in. Please add another one first.",
                named: "{provider} is your only way to sign in. Please add another one first."),
            .userDisabled: .init(
                "This account has been disabled.", named: "The account of this {provider} sign-in has been disabled."),
            .sessionExpired: .init(
                "Your session has ended. Please sign in again.",
                named: "Your {provider} session has ended. Please sign in again."),
            .rateLimited: .init(
                "Too many attempts. Please try again later.",
                named: "Too many {provider} sign-in attempts. Please try again later."),
            .network: .init(
                "Sign-in failed. Please check your internet connection.",
                named: "{provider} sign-in failed. Please check your internet connection."),
            .server: .init(
                "Sign-in failed because of a problem at the server. Please try again later.",
                named: "{provider} sign-in failed because of a problem at the server. Please try again later."),
            .invalidResponse: .init(
                "Sign-in failed because the server's answer could not be read. Please try again later.",
                named:
                    "{provider} sign-in failed because the server's answer could not be read. Please try again later."),
            .stateMismatch: .init(
                "Sign-in was stopped for your safety: the answer belonged to another attempt. Please start again.",
                named: "{provider} sign-in was stopped for your safety: the answer belonged to another attempt. "
                    + "Please start again."),
            .nonceMismatch: .init(
                "Sign-in was stopped for your safety: the confirmation was not made for this attempt. "
                    + "Please start again.",
                named:
                    "{provider} sign-in was stopped for your safety: the confirmation was not made for this attempt. "
                    + "Please start again."),
            .issuerMismatch: .init(
                "Sign-in was stopped for your safety: the answer came from somewhere else. Please start again.",
                named: "{provider} sign-in was stopped for your safety: the answer came from somewhere else. "
                    + "Please start again."),
            .invalidIDToken: .init(
                "Sign-in was stopped for your safety: your identity could not be confirmed. Please start again.",
                named: "{provider} sign-in was stopped for your safety: your identity could not be confirmed. "
                    + "Please start again."),
            .misconfigured: .init(
                "Sign-in is not set up correctly in this app.",
                named: "{provider} sign-in is not set up correctly in this app."),
            .appUnavailable: .init(
                "The app for this sign-in could not be opened. Please install it, or sign in another way.",
                named: "The {provider} app could not be opened. Please install it, or sign in another way.",
                byProvider: [.kakao: "KakaoTalk could not be opened. Please install it, or sign in another way."]),
            .presentationUnavailable: .init(
                "Sign-in could not be shown. Please try again.",
                named: "{provider} sign-in could not be shown. Please try again."),
            .storage: .init(
                "Your sign-in could not be read or saved on this device.",
                named: "Your {provider} sign-in could not be read or saved on this device."),
            .storageLocked: .init(
                "Please unlock this device to continue.",
                named: "Please unlock this device to continue with {provider}."),
            .unexpected: .init(
                "Sign-in failed. Please try again.", named: "{provider} sign-in failed. Please try again."),
        ],
        otherwise: .init("Sign-in did not work.", named: "{provider} sign-in did not work."),
        suggestions: [
            .tryAgain: "Please try again.", .tryLater: "Please try again later.", .signIn: "Please sign in first.",
            .anotherWay: "Please choose another way to sign in.",
            .contactSupport: "Please contact the support of this app.",
        ],
        providerNames: [
            .apple: "Apple", .google: "Google", .kakao: "Kakao", .naver: "Naver", .password: "Email",
            .anonymous: "Guest",
        ])
}
