#if os(Linux) || os(macOS)
    import AuthStreams
    import AuthStreamsOAuth
    import Foundation

    private func terminalService(of issuer: OpenIDProvider.Configuration, browser: String) throws(AuthError)
        -> AuthService
    {
        // SignInFromATerminal: a service
        let platform = AuthPlatform.commandLine(
            store: FileSessionStore.standard(application: "com.example.tool"),
            opener: AddressOnTheTerminal(browser: try SystemBrowserLauncher(command: browser)),
            address: .localhost, port: 8477, timeLimit: .seconds(120))
        return AuthService(.openID(issuer), providers: [.openID(issuer)], platform: platform)
        // SignInFromATerminal end
    }

    // SignInFromATerminal: an opener
    /// Writes the address of the page before the browser is opened.
    struct AddressOnTheTerminal: ApplicationOpener {
        let browser: SystemBrowserLauncher

        func canOpen(_ url: URL) -> Bool { browser.canOpen(url) }
        var hidesURLs: Bool { browser.hidesURLs }

        func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? { nil }

        func open(_ page: ListenerPage) async -> ApplicationVisit? {
            print("If no browser opens, open \(page.url.absoluteString) in one of this machine.")
            if let visit = await browser.open(page) { return visit }
            page.remark("The address was written on the terminal.")  // becomes part of the error's explanation
            return page.isFetched ? .unobservable : nil
        }
    }
// SignInFromATerminal end
#endif
