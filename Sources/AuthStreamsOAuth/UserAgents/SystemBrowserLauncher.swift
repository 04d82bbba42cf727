#if os(Linux) || os(macOS)
    public import AuthStreams
    public import Foundation

    /// Opens web pages in the person's browser from a command-line tool or a desktop program.
    ///
    /// It runs the commands of the environment variable `BROWSER`, then the system's own `open` or `xdg-open`, until
    /// one succeeds. The commands are separated by colons and their words by spaces. In a word, `%s` stands for the
    /// address and `%%` for a percent sign; without a `%s`, the address is the last argument. Empty commands, and those
    /// whose program does not exist, are ignored. No shell reads a command or the address. Only http and https addresses
    /// are opened, because other schemes can start other programs.
    public struct SystemBrowserLauncher: ApplicationOpener {
        private let commands: [BrowserCommand]

        /// Makes a launcher.
        ///
        /// - Parameter environment: The environment with `BROWSER` and `PATH`; that of the process unless given.
        public nonisolated init(environment: [String: String] = ProcessInfo.processInfo.environment) {
            commands = BrowserCommand.all(in: environment)
        }

        /// Returns whether a program can open the web page.
        public func canOpen(_ url: URL) -> Bool { Self.isWebPage(url) && !commands.isEmpty }

        /// Opens a web page in the first browser that starts.
        ///
        /// A command that stays in the foreground counts as opened for as long as it runs.
        ///
        /// - Returns: A visit whose end cannot be observed; `nil` if every command failed, for a URL that is not a web
        ///   page, and with `universalLinksOnly`, because no app on this system opens links.
        public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
            guard Self.isWebPage(url), !universalLinksOnly else { return nil }
            for command in commands where await command.run(with: url) { return .unobservable }
            return nil
        }

        private static func isWebPage(_ url: URL) -> Bool {
            ["http", "https"].contains(url.scheme?.lowercased()) && url.host()?.isEmpty == false
        }
    }
#endif
