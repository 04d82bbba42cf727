#if AUTH_UIKIT || AUTH_APPKIT
    public import AuthStreams
    import Foundation

    /// Opens other apps by the system: KakaoTalk, the Naver app, a browser.
    ///
    /// ```swift
    /// let opener = SystemApplicationOpener()
    /// let kakao = KakaoProvider(
    ///     .init(nativeAppKey: "…"), callbacks: callbacks, opener: opener, userAgent: browser, transport: transport)
    /// ```
    ///
    /// The app's Info.plist lists the schemes of the other apps in `LSApplicationQueriesSchemes` and the scheme of the answers
    /// in `CFBundleURLTypes`, and the app has scenes. Otherwise the attempt ends with `misconfigured` before the other app
    /// opens, or continues with the provider's page after a warning, and the explanation names what is missing.
    ///
    /// On iOS a visit ends when a scene of the app comes from the background and becomes active, after the one that opened the
    /// other app has gone to the background. Beside another app, on iPad, a scene stays in the foreground: such a visit ends with
    /// the answer or the time limit. So does every visit on a Mac, where people use both windows.
    ///
    /// An app extension has no application to ask; it uses ``ExtensionApplicationOpener``.
    @MainActor
    public struct SystemApplicationOpener: ApplicationOpener {
        let bundle: Bundle
        let information: AppInformation

        /// Makes an opener for the running app.
        public nonisolated init() { self.init(AppInformation(of: .main), in: .main) }

        nonisolated init(_ information: AppInformation, in bundle: Bundle = .main) {
            self.bundle = bundle
            self.information = information
        }

        /// `true`: the system hands a URL to the other app alone.
        public var hidesURLs: Bool { true }
    }
#endif
