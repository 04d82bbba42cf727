extension AuthErrorTexts {
    /// The standard texts in English.
    ///
    /// A provider's name is always followed by 'sign-in' or 'app', which fits 'Email' and 'Guest', too.
    public static let english = AuthErrorTexts(
        [
            .accessDenied: "Access was not allowed.",
            .abandoned: "No answer arrived.",
            .timedOut: "It took too long.",
            .unsupportedProvider: "This app does not offer it.",
            .notSignedIn: "You are not signed in.",
            .userNotFound: "No account was found.",
            .invalidCredential: "The server did not accept the sign-in.",
            .invalidCustomToken: "The server did not finish it.",
            .accountExists: "There is already an account with this email address.",
            .credentialInUse: "That account belongs to another user.",
            .secondFactorRequired: "This account needs a second step, which is not available here.",
            .verificationRequired: "This account needs a code, which cannot be entered here.",
            .registrationRequired: "This account needs more details, which cannot be entered here.",
            .additionalStepRequired: "This account needs another step, which is not available here.",
            .invalidCode: "The code is not correct.",
            .invalidInput: "Something is missing or not allowed.",
            .requiresRecentSignIn: "Your last sign-in was too long ago.",
            .lastProvider: "It is your only way to sign in.",
            .userDisabled: "This account is disabled.",
            .sessionExpired: "Your session has ended.",
            .refused: "The server did not allow it.",
            .rateLimited: "There were too many attempts.",
            .network: "The server could not be reached.",
            .server: "The server has a problem.",
            .invalidResponse: "The server's answer could not be read.",
            .stateMismatch: "It was stopped for your safety: the answer belonged to another attempt.",
            .nonceMismatch:
                "It was stopped for your safety: the confirmation was not made for this attempt.",
            .issuerMismatch: "It was stopped for your safety: the answer came from somewhere else.",
            .invalidIDToken: "It was stopped for your safety: the confirmation could not be verified.",
            .misconfigured: "This app is not set up correctly.",
            .appUnavailable: .init(
                "The app for it could not be opened.",
                named: "The {provider} app could not be opened.",
                byProvider: [
                    .kakao: "KakaoTalk could not be opened.",
                    .password: "The app for it could not be opened.",
                    .anonymous: "The app for it could not be opened.",
                ]),
            .presentationUnavailable: "The page could not be shown.",
            .storage: "This device could not read or save your sign-in.",
            .storageLocked: "This device is locked.",
            .unexpected: "Something went wrong.",
        ],
        operations: [
            .signIn: .init("Sign-in failed.", named: "{provider} sign-in failed."),
            .adoption: "Your earlier sign-in could not be restored.",
            .request: "The request could not be completed.",
            .reload: "Your account could not be loaded.",
            .profile: "Your profile could not be saved.",
            .link: .init(
                "This way to sign in could not be added.", named: "{provider} sign-in could not be added."),
            .unlink: .init(
                "This way to sign in could not be removed.", named: "{provider} sign-in could not be removed."),
            .reauthentication: .init(
                "It could not be confirmed that it is you.",
                named: "{provider} sign-in could not confirm that it is you."),
            .deletion: "The deletion of your account was not completed.",
            .signOut: "Sign-out was not completed.",
            .signOutEverywhere: "Your other devices could not be signed out.",
        ],
        otherwise: "It did not work.",
        suggestions: [
            .tryAgain: "Please try again.", .tryLater: "Please try again later.",
            .checkConnection: "Please check your internet connection and try again.",
            .unlockDevice: "Please unlock this device and try again.", .signIn: "Please sign in.",
            .reauthenticate: "Please sign in again with this account.",
            .earlierWay: "Please sign in the way you did before.",
            .anotherWay: "Please choose another way to sign in.", .anotherAccount: "Please choose another account.",
            .ownAccount: "Please choose the account that you are signed in with.",
            .addAnotherWay: "Please add another way to sign in first.",
            .installApp: "Please install the app, or choose another way.",
            .contactSupport: "Please contact the support of this app.",
        ],
        providerNames: [
            .apple: "Apple", .google: "Google", .kakao: "Kakao", .naver: "Naver", .password: "Email",
            .anonymous: "Guest",
        ])
}
