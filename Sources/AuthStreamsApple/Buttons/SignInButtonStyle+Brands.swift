public import AuthStreams

extension SignInButtonStyle {
    /// The style by the brand rules of a provider; ``neutral`` for a provider without rules here.
    public static func standard(for provider: ProviderID) -> Self {
        switch provider {
        case .apple: .apple
        case .google: .google
        case .kakao: .kakao
        case .naver: .naver
        default: .neutral
        }
    }

    /// Sign in with Apple. The views show Apple's own button, which has colors, logo and font of its own, in the size of a button
    /// with this style.
    public static let apple = Self(
        light: Colors(background: .black, title: .white), dark: Colors(background: .white, title: .black))

    /// Sign in with Google, in Google's light and dark themes.
    public static let google = Self(
        light: Colors(background: .white, title: Color(0x1F1F1F), border: Color(0x747775)),
        dark: Colors(background: Color(0x131314), title: Color(0xE3E3E3), border: Color(0x8E918F)),
        spacing: Spacing(leading: 16, betweenLogoAndTitle: 12, trailing: 16), logoSize: 20,
        titleSize: 14, fontName: "GoogleSans-Medium")

    /// Kakao Login, whose colors are the same in both appearances.
    public static let kakao = Self(light: Colors(background: Color(0xFEE500), title: Color(0x000000, opacity: 0.85)))

    /// Naver Login, whose colors are the same in both appearances.
    public static let naver = Self(light: Colors(background: Color(0x03A94D), title: .white))

    /// A button without a brand.
    public static let neutral = Self(
        light: Colors(background: .white, title: .black, border: Color(0x747775)),
        dark: Colors(background: Color(0x131314), title: .white, border: Color(0x8E918F)))
}
