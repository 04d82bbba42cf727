#if os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    @testable import AuthStreamsOAuth

    /// Google's sign-in by a listener on 127.0.0.1, in a browser that people use.
    ///
    /// The page of the emulated Google is on another site than the listener, as the page of the real one is: a browser sends
    /// the listener's cookie with the answer only if the cookie allows that.
    @MainActor
    @Suite(.limitedParallelization, .enabled(if: Chromium.program != nil, "Chromium is not installed."))
    struct ChromiumTests {
        private let consent = "Sign in with Google"

        /// An app whose person has tapped on Google's button.
        private struct SignIn {
            let auth: AuthService
            let task: Task<Result<SignInResult, AuthError>, Never>
        }

        private func signIn(
            in browser: Chromium, openedBy opener: (any ApplicationOpener)? = nil, at emulator: Emulator
        ) throws -> SignIn {
            var base = try #require(URLComponents(url: emulator.baseURL, resolvingAgainstBaseURL: false))
            base.host = "localhost"
            let endpoints = GoogleProvider.Endpoints.emulator(at: try #require(base.url))
            let client = emulator.configuration.google.desktop
            let google = GoogleProvider(
                clientID: client.id, clientSecret: client.secret.map { Secret($0) },
                userAgent: SystemBrowser(opener: opener ?? browser), transport: .untimed(), endpoints: endpoints)
            let auth = AuthService(
                repository: ServerRepository.emulated(at: emulator.baseURL), providers: [google],
                store: MemorySessionStore(), callbacks: CallbackRouter())
            return SignIn(auth: auth, task: Task { await auth.signIn(with: .google).result })
        }

        /// Runs a body while a sign-in waits for the person, who sees Google's page.
        private func withSignIn(
            blockingCookies: Bool = false, _ body: (SignIn, Chromium, ChromiumPage, Emulator) async throws -> Void
        ) async throws {
            try await withEmulator { emulator in
                try await Chromium.run(blockingCookies: blockingCookies) { browser in
                    let signIn = try signIn(in: browser, at: emulator)
                    defer { signIn.task.cancel() }
                    let page = try await browser.page()
                    try await page.waitFor(consent)
                    try await body(signIn, browser, page, emulator)
                }
            }
        }

        @Test func personSignsInAndIsToldToCloseTheWindow() async throws {
            try await withSignIn { signIn, _, page, emulator in
                let user = try #require(emulator.configuration.google.users.last)
                try await page.click(#"input[value="\#(user.id)"]"#)
                try await page.click("button[value=approve]")
                let address = try await page.waitFor("You can close this window and go back to the app.")
                #expect(address.path() == "/oauth2callback")
                #expect(try await signIn.task.value.get().user.email == user.email)
            }
        }

        /// As `xdg-open` and commands with `%f` are given the start page.
        @Test func pageInAFileLeadsTheBrowserToTheProvider() async throws {
            let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID())")
            try FileManager.default.createDirectory(
                at: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: home) }
            try await withEmulator { emulator in
                try await Chromium.run { browser in
                    let signIn = try signIn(
                        in: browser, openedBy: FileOpener(browser: browser, home: home), at: emulator)
                    defer { signIn.task.cancel() }
                    let page = try await browser.page()
                    try await page.waitFor(consent)
                    #expect(browser.start?.isFileURL == true)
                    #expect(!browser.commandLines.contains { $0.contains("http://127.0.0.1") })
                    try await page.click("button[value=approve]")
                    try await page.waitFor("You can close this window")
                    #expect(await signIn.task.value.failure == nil)
                }
            }
        }

        @Test func reloadedStartPageLeadsToTheProviderAgain() async throws {
            try await withSignIn { signIn, browser, page, emulator in
                try await page.load(try #require(browser.start))
                try await page.waitFor(consent)
                #expect(emulator.journal.entries.count { $0.path == "/o/oauth2/v2/auth" } == 2)
                try await page.click("button[value=approve]")
                try await page.waitFor("You can close this window")
                #expect(await signIn.task.value.failure == nil)
            }
        }

        @Test func secondBrowserOnTheStartPageEndsTheAttempt() async throws {
            try await withSignIn { signIn, browser, _, emulator in
                let start = try #require(browser.start)
                try await Chromium.run { second in
                    _ = await second.open(start, universalLinksOnly: false)
                    let page = try await second.page()
                    #expect(try await page.waitFor("This sign-in was opened twice and has ended.") == start)
                }
                #expect(await signIn.task.value.failure?.code == .stateMismatch)
                #expect(!emulator.journal.entries.contains { $0.path == "/token" })
            }
        }

        @Test func browserThatBlocksCookiesIsToldToAllowThem() async throws {
            try await withSignIn(blockingCookies: true) { signIn, _, page, emulator in
                try await page.click("button[value=approve]")
                try await page.waitFor("This browser did not begin the sign-in, or it blocks cookies.")
                #expect(signIn.auth.state == .signingIn(.google, .presenting))
                signIn.task.cancel()
                #expect(await signIn.task.value.failure?.code == .cancelled)
                #expect(!emulator.journal.entries.contains { $0.path == "/token" })
            }
        }

        @Test func noProcessHasTheAddressOfTheProviderInItsArguments() async throws {
            try await withSignIn { _, browser, page, _ in
                let query = URLComponents(url: try await page.waitFor(consent), resolvingAgainstBaseURL: false)?
                    .queryItems
                let start = try #require(browser.start)
                let lines = browser.commandLines
                let addresses = lines.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("http") }
                #expect(addresses.map(String.init) == [start.absoluteString])
                for name in ["state", "nonce", "code_challenge"] {
                    let value = try #require(query?.first { $0.name == name }?.value)
                    #expect(!lines.contains { $0.contains(value) }, "\(name)")
                }
            }
        }

        /// A form of another site, with its origin or without.
        @Test func onlyPagesOfTheEmulatorPostToIt() async throws {
            try await withEmulator { emulator in
                let account = emulator.url(for: "https://appleid.apple.com/emulator/account")
                let site = try LoopbackServer.start { request in
                    .html(
                        """
                        \(request.path == "/hidden" ? "<meta name='referrer' content='no-referrer'>" : "")
                        <form method="post" action="\(account)"><button>Go</button></form>
                        """)
                }
                try await Chromium.run { browser in
                    var start = try #require(URLComponents(url: emulator.baseURL, resolvingAgainstBaseURL: false))
                    start.host = "localhost"
                    _ = await browser.open(try #require(start.url), universalLinksOnly: false)
                    let page = try await browser.page()
                    // Apple's answer is a form, too, which a page under one name of the emulator sends to the other.
                    try await page.click(#"a[href*="try/apple"]"#)
                    try await page.click("button[value=approve]")
                    try await page.waitFor("Signed in with Apple")
                    for path in ["/", "/hidden"] {
                        try await page.load(try url("http://127.0.0.1:\(site.port)\(path)"))
                        try await page.click("button")
                        try await page.waitFor("Not from this page")
                    }
                }
            }
        }
    }

    /// Opens the start page of a listener by a page in a file.
    private struct FileOpener: ApplicationOpener {
        let browser: Chromium
        /// A folder of this user alone.
        let home: URL

        func canOpen(_ url: URL) -> Bool { browser.canOpen(url) }

        func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { await open(ListenerPage(url)) }

        func open(_ page: ListenerPage) async -> ApplicationVisit? {
            guard let file = try? BrowserPage(leadingTo: page.url, home: home.path(percentEncoded: false)),
                await browser.open(URL(filePath: file.path), universalLinksOnly: false) != nil
            else { return nil }
            return ApplicationVisit {
                _ = await Promise<Never>().value()
                withExtendedLifetime(file) {}
            }
        }
    }
#endif
