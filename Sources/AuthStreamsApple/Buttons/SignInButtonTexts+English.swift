import AuthStreams

extension SignInButtonTexts {
    /// The standard texts in English.
    public static let english = Self(
        titles: [
            .apple: [
                .signIn: "Sign in with Apple", .signUp: "Sign up with Apple", .continue: "Continue with Apple",
            ],
            .google: [
                .signIn: "Sign in with Google", .signUp: "Sign up with Google", .continue: "Continue with Google",
            ],
            .kakao: [.signIn: "Login with Kakao", .short: "Login", .link: "Link Kakao"],
            .naver: [
                .signIn: "Log in with NAVER", .signUp: "Sign up with NAVER", .continue: "Start with NAVER",
                .link: "Link NAVER",
            ],
            .passkey: [
                .signIn: "Sign in with a passkey", .continue: "Continue with a passkey", .link: "Add a passkey",
            ],
        ], otherwise: "Sign in with {provider}", otherwiseLink: "Link {provider}", lastUsed: "Last used",
        inProgress: "Signing in", linkInProgress: "Linking", linkLabel: "{title} to link your account")
}
