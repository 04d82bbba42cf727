#if AUTH_SECURITY && AUTH_AUTHENTICATION_SERVICES
    public import AuthStreams
    import Foundation

    extension AuthPlatform {
        /// An app on an Apple system, with the parts that need no settings.
        ///
        /// The session is in the Keychain under the app's bundle identifier, pages are shown in a web authentication session,
        /// and the system opens KakaoTalk and the Naver app.
        public static var app: AuthPlatform { .app() }

        /// An app on an Apple system, with some parts replaced.
        ///
        /// | the app | give |
        /// | --- | --- |
        /// | shares the session with an extension or a widget | `store: KeychainSessionStore.standard(accessGroup: "TEAMID.…", appGroup: "group.…")` |
        /// | is an extension that opens other apps | `opener: ExtensionApplicationOpener { … }` |
        /// | keeps no cookies of the pages | `userAgent: { WebAuthenticationAgent(browserSession: .ephemeral, clock: $0.clock) }` |
        /// | names no window | `userAgent: { _ in agent }`, with a ``SwiftUIWebAuthenticationAgent`` of its views |
        ///
        /// Give `AuthService.handle(_:)` every URL that the app is opened with; <doc:OnAPhone> describes it, and Info.plist.
        ///
        /// - Parameters:
        ///   - store: The persistent storage of the session; unless given
        ///     ``KeychainSessionStore/standard(accessGroup:appGroup:formerAccessGroup:onReinstallation:)``.
        ///   - opener: Opens other apps: the system unless given. On watchOS there are none to open.
        ///   - transport: Sends the requests; `URLSession` unless given.
        ///   - clock: Measures expiries, retries and time limits; the system's unless given.
        ///   - activity: Where the app is, for a `SessionGate`; what the system says unless given.
        ///   - userAgent: Returns what shows the providers' pages; ``WebAuthenticationAgent`` unless given.
        public static func app(
            store: (any SessionStore)? = nil, opener: (any ApplicationOpener)? = nil,
            transport: any AuthHTTPTransport = URLSessionTransport(), clock: AuthClock = .system,
            activity: AppActivity = .system,
            userAgent: @escaping @Sendable (AuthPlatform) -> any UserAgent = { WebAuthenticationAgent(clock: $0.clock) }
        ) -> AuthPlatform {
            AuthPlatform(
                store: store ?? KeychainSessionStore.standard(), opener: opener ?? systemOpener, redirect: .appURL,
                transport: transport, clock: clock, activity: activity, userAgent: userAgent)
        }

        private static var systemOpener: any ApplicationOpener {
            #if AUTH_UIKIT || AUTH_APPKIT
                SystemApplicationOpener()
            #else
                UnavailableApplicationOpener()
            #endif
        }
    }
#endif
