#if os(Linux) || os(macOS)
    public import AuthStreams
    public import Foundation

    /// Opens web pages in the person's browser from a command-line tool or a desktop program.
    ///
    /// It runs the commands of the environment variable `BROWSER`, then the system's own, until one succeeds. The commands are
    /// separated by colons and their words by spaces. In a word, `%s` stands for the address, `%f` for the path of a page that
    /// leads to it, and `%%` for a percent sign; without `%s` and `%f`, the address is the last argument. Empty commands, and
    /// those whose program does not exist at the first page, are ignored. No shell reads a command or the address. Only http and
    /// https addresses are opened, because other schemes can start other programs.
    ///
    /// All users of the machine can read a process's arguments, so the address is handed over by another way where there is one:
    ///
    /// | command | handed over by |
    /// | --- | --- |
    /// | of `BROWSER`, with `%f` | a page in a folder of this user alone, such as `firefox %f` |
    /// | of `BROWSER`, without | an argument |
    /// | of ``init(command:environment:)``, without `%s` | such a page |
    /// | the system's, on macOS | the standard input of `osascript` |
    /// | `xdg-open`, on Linux | such a page, if the desktop opens pages and addresses in the same program; otherwise an argument |
    ///
    /// The page is in a folder `AuthStreams-sign-in-…` of the person's home, where browsers in a sandbox can read it. It is removed
    /// when the visit is over.
    public struct SystemBrowserLauncher: ApplicationOpener {
        /// The variables that are of use here. Others may be secret, and a launcher that is printed shows what it has.
        private let environment: [String: String]
        /// The commands; `nil` before the first page. A program that opens none does not wait for a search.
        private let found: Lock<[BrowserCommand]?>

        /// Makes a launcher.
        ///
        /// - Parameter environment: The environment with `BROWSER`, `PATH` and `HOME`; that of the process unless given.
        public nonisolated init(environment: [String: String] = ProcessInfo.processInfo.environment) {
            self.init(environment, nil)
        }

        private nonisolated init(_ environment: [String: String], _ commands: [BrowserCommand]?) {
            self.environment = environment.filter { ["BROWSER", "PATH", "HOME"].contains($0.key) }
            found = Lock(commands)
        }

        /// Makes a launcher of one command, such as that of a tool's option `--browser`.
        ///
        /// The command is split into words as a shell splits them: at blanks, with quotes and backslashes. Nothing is expanded, and
        /// no shell runs it. In a word, `%f`, `%s` and `%%` have the meaning that they have in `BROWSER`. Without `%f` and `%s`, the
        /// path of the page that leads to the address is the last argument, which keeps the address from other users. A browser that
        /// cannot read that page, such as one in a container, is given the address by `%s`.
        ///
        /// - Parameters:
        ///   - command: The program and its arguments: `firefox --private-window`.
        ///   - environment: The environment with `PATH` and `HOME`; that of the process unless given.
        /// - Throws: `AuthError` with code `misconfigured` if a quote is not closed, or the program does not exist.
        public nonisolated init(
            command: String, environment: [String: String] = ProcessInfo.processInfo.environment
        ) throws(AuthError) {
            guard let words = BrowserCommand.words(of: command) else {
                throw AuthError(.misconfigured, "The browser's command has a quote that is not closed. Close it.")
            }
            let folders = BrowserCommand.folders(of: environment)
            let handover = BrowserCommand.namesAddress(words) ? BrowserCommand.Handover.argument : .page
            guard let command = BrowserCommand(words, folders: folders, handover) else {
                throw AuthError(
                    .misconfigured,
                    "The browser's command names no program that exists. Give its path, or a name that PATH leads to.")
            }
            self.init(environment, [command])
        }

        private var commands: [BrowserCommand] {
            found.withLock { [environment] found in
                let commands = found ?? BrowserCommand.all(in: environment)
                found = commands
                return commands
            }
        }

        /// Returns whether a program can open the web page.
        public func canOpen(_ url: URL) -> Bool { Self.isWebPage(url) && !commands.isEmpty }

        /// Whether every command learns the address by another way than by an argument.
        public var hidesURLs: Bool { commands.allSatisfy { [.page, .script].contains($0.handover) } }

        /// Opens a web page in the first browser that starts.
        ///
        /// A command that stays in the foreground counts as opened for as long as it runs.
        ///
        /// - Returns: A visit whose end cannot be observed; `nil` if every command failed, for a URL that is not a web
        ///   page, and with `universalLinksOnly`, because no app on this system opens links.
        public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
            universalLinksOnly ? nil : await open(ListenerPage(url))
        }

        /// Opens a page of a listener in the first browser that starts.
        ///
        /// How a command failed is a remark of the page. No further command is run once a browser has fetched the page: it is for
        /// one browser alone, and many commands end with another status than 0 although they opened one.
        public func open(_ page: ListenerPage) async -> ApplicationVisit? {
            guard Self.isWebPage(page.url) else { return nil }
            for command in commands {
                let file: BrowserPage?
                do { file = try await self.file(leadingTo: page.url, for: command) } catch {
                    page.remark(
                        """
                        No page could be written for '\(command.name)' in the folder of the variable HOME. That folder must be \
                        this user's alone to write; a command with %s is given the address instead.
                        """)
                    continue
                }
                let failure = await command.run(with: page.url, page: file?.path)
                if let failure { page.remark(failure) }
                if failure == nil || page.isFetched { return .unobservable(retaining: file) }
            }
            return nil
        }

        /// The page that a command is given in place of the address; `nil` if it is given the address.
        private func file(leadingTo address: URL, for command: BrowserCommand) async throws -> BrowserPage? {
            let home = environment["HOME"]
            return switch command.handover {
            case .argument, .script: nil
            case .page: try BrowserPage(leadingTo: address, home: home)
            case .desktop:
                await DesktopDefaults(folders: BrowserCommand.folders(of: environment)).opensPagesInBrowser
                    ? try? BrowserPage(leadingTo: address, home: home) : nil
            }
        }

        private static func isWebPage(_ url: URL) -> Bool {
            ["http", "https"].contains(url.scheme?.lowercased()) && url.host()?.isEmpty == false
        }
    }

    extension ApplicationVisit {
        /// A visit whose end cannot be observed, which retains an object.
        fileprivate static func unobservable(retaining object: (some AnyObject & Sendable)?) -> Self {
            ApplicationVisit {
                _ = await Promise<Never>().value()
                withExtendedLifetime(object) {}
            }
        }
    }

    /// The programs that the desktop opens files and addresses with (`xdg-mime` of xdg-utils).
    struct DesktopDefaults: Sendable {
        /// The folders of programs.
        let folders: [String]

        /// Whether the same program opens HTML files and web addresses; `false` if the desktop does not say.
        var opensPagesInBrowser: Bool {
            get async {
                guard let page = await program(for: "text/html") else { return false }
                return await program(for: "x-scheme-handler/http") == page
            }
        }

        private func program(for type: String) async -> String? {
            guard let command = BrowserCommand(parsing: "xdg-mime query default \(type)", folders: folders) else {
                return nil
            }
            return await command.output()
        }
    }
#endif
