#if os(Linux) || os(macOS)
    public import AuthStreams
    import Foundation

    extension AuthPlatform {
        /// A program on the command line, whose session is in a folder of the program's name.
        public static var commandLine: AuthPlatform {
            .commandLine(application: ProcessInfo.processInfo.processName)
        }

        /// A program on the command line: files, the person's browser, and a listener for the pages' answers.
        ///
        /// No URL opens such a program. A provider whose page answers to no listener, such as Kakao's, ends its attempts with
        /// `misconfigured`.
        ///
        /// Tokens are requested on demand, because a tool may exit at any moment. Call `finish()` of the service before it exits.
        ///
        /// - Parameters:
        ///   - application: The name of the folder of the session, such as the program's reverse domain name. See
        ///     `FileSessionStore.standard(application:)`, whose rules for the name apply.
        ///   - transport: Sends the requests; `URLSession` unless given.
        ///   - clock: Measures expiries, retries and time limits; the system's unless given.
        public static func commandLine(
            application: String, transport: any AuthHTTPTransport = URLSessionTransport(), clock: AuthClock = .system
        ) -> AuthPlatform {
            .commandLine(
                store: FileSessionStore.standard(application: application), transport: transport, clock: clock)
        }

        /// A program on the command line with a store of its own.
        ///
        /// - Parameters:
        ///   - store: The persistent storage of the session.
        ///   - opener: Opens the browser: that of the system unless given.
        ///   - address: The address of the listener, which is the host of the redirect URI; 127.0.0.1 unless given.
        ///   - port: The port of the listener; any free one unless given.
        ///   - timeLimit: How long a page waits for its answer; ten minutes unless given.
        ///   - transport: Sends the requests; `URLSession` unless given.
        ///   - clock: Measures expiries, retries and time limits; the system's unless given.
        public static func commandLine(
            store: any SessionStore, opener: any ApplicationOpener = SystemBrowserLauncher(),
            address: SystemBrowser.LoopbackAddress = .ipv4, port: UInt16 = 0, timeLimit: Duration = .seconds(600),
            transport: any AuthHTTPTransport = URLSessionTransport(), clock: AuthClock = .system
        ) -> AuthPlatform {
            AuthPlatform(
                store: store, opener: opener, redirect: .loopback, transport: transport, clock: clock,
                refreshPolicy: .onDemand
            ) {
                // Without the router: a page that answers by a URL of an app would never be answered.
                SystemBrowser(opener: $0.opener, address: address, port: port, timeLimit: timeLimit, clock: $0.clock)
            }
        }
    }
#endif
