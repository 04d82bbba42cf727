public import AuthStreams

extension AuthProviderFactory {
    /// Sign-in with Kakao, by KakaoTalk or the account page; see ``KakaoProvider``.
    ///
    /// Both answer at `kakao{KEY}://oauth`, which opens an app. On the command line attempts end with `misconfigured`.
    ///
    /// - Parameter nativeAppKey: The native app key of Kakao Developers.
    public static func kakao(nativeAppKey: String) -> Self { .kakao(.init(nativeAppKey: nativeAppKey)) }

    /// Sign-in with Kakao, by a configuration.
    ///
    /// - Parameter configuration: The app's entries in Kakao Developers.
    public static func kakao(_ configuration: KakaoProvider.Configuration) -> Self {
        Self { platform in
            KakaoProvider(
                configuration, callbacks: platform.callbacks, opener: platform.opener, userAgent: platform.userAgent,
                transport: platform.transport, clock: platform.clock)
        }
    }
}
