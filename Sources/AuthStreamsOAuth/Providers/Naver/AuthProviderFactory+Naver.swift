public import AuthStreams

extension AuthProviderFactory {
    /// Sign-in with Naver, by its app or page; see ``NaverProvider``.
    ///
    /// Both answer at URLs of the app's scheme. On the command line attempts end with `misconfigured`.
    ///
    /// - Parameters:
    ///   - clientID: The client ID of Naver Developers. The client secret stays on the server.
    ///   - urlScheme: The URL scheme of this app without `://`, as registered there.
    ///   - appName: The app's name, which the Naver app shows.
    ///   - mode: Whether the app is asked, whose answer another app can imitate, or the page; the app first unless given.
    public static func naver(
        clientID: String, urlScheme: String, appName: String, mode: NaverProvider.Configuration.Mode = .appPreferred
    ) -> Self {
        .naver(.init(clientID: clientID, urlScheme: urlScheme, appName: appName, mode: mode))
    }

    /// Sign-in with Naver, by a configuration.
    ///
    /// - Parameter configuration: The app's entries in Naver Developers.
    public static func naver(_ configuration: NaverProvider.Configuration) -> Self {
        Self { platform in
            NaverProvider(
                configuration, callbacks: platform.callbacks, opener: platform.opener, userAgent: platform.userAgent,
                clock: platform.clock)
        }
    }
}
