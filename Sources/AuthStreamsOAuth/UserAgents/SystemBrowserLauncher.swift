#if os(Linux) || os(macOS)
    public import AuthStreams
    public import Foundation

    /// Opens web pages in the person's browser from a command-line tool or a server-side program.
    ///
    /// It runs what the environment variable `BROWSER` names (commands separated by colons, tried in order; `%s` in one
    /// stands for the address), then the system's own `open` or `xdg-open`. The address is one argument of the process
    /// and never passes a shell. Only http and https addresses are opened, because other schemes can run other things.
    public struct SystemBrowserLauncher: ApplicationOpener {
        private let commands: [BrowserCommand]

        /// Makes a launcher.
        ///
        /// - Parameter environment: Where `BROWSER` and `PATH` are looked up; that of the process unless given.
        public nonisolated init(environment: [String: String] = ProcessInfo.processInfo.environment) {
            commands = BrowserCommand.all(in: environment)
        }

        /// Whether there is a program to open a web page with.
        public func canOpen(_ url: URL) -> Bool { Self.isWebPage(url) && !commands.isEmpty }

        /// Opens a web page in the first browser that starts.
        ///
        /// A command that stays in the foreground counts as opened for as long as it runs.
        ///
        /// - Returns: A visit whose end cannot be seen; `nil` when every command failed, for anything but a web page, and
        ///   for `universalLinksOnly`, because no app here takes links.
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
