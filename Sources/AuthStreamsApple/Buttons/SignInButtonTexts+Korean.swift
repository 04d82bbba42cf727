import AuthStreams

extension SignInButtonTexts {
    /// The standard texts in Korean.
    public static let korean = Self(
        titles: [
            .apple: [.signIn: "Apple로 로그인", .signUp: "Apple로 가입하기", .continue: "Apple로 계속하기"],
            .google: [
                .signIn: "Google 계정으로 로그인", .signUp: "Google 계정으로 가입하기", .continue: "Google 계정으로 계속하기",
            ],
            .kakao: [.signIn: "카카오 로그인", .short: "로그인", .link: "카카오 연결"],
            .naver: [
                .signIn: "네이버 로그인", .signUp: "네이버로 간편가입", .continue: "네이버로 시작하기", .link: "네이버 연결",
            ], .passkey: [.signIn: "패스키로 로그인", .continue: "패스키로 계속하기", .link: "패스키 추가"],
        ], otherwise: "{provider} 로그인", otherwiseLink: "{provider} 연결", lastUsed: "최근 사용", inProgress: "로그인 중",
        linkInProgress: "연결 중", linkLabel: "{title}, 계정 연결")
}
