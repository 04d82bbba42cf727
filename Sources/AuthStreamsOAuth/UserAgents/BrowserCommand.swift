#if os(Linux) || os(macOS)
    import AuthStreams
    import Foundation

    /// A program that opens a web page.
    struct BrowserCommand: Sendable {
        /// How the program learns the address.
        enum Handover: Sendable {
            /// By an argument, which all users of the machine can read.
            case argument
            /// By a page that leads to the address and that this user alone can read. Its path is an argument.
            case page
            /// By a page, if the program's desktop opens pages in the browser; otherwise by an argument.
            case desktop
            /// By an AppleScript on the standard input.
            case script
        }

        let executable: URL
        let arguments: [String]
        let handover: Handover

        /// The commands of an environment, best first: those of `BROWSER`, then the system's.
        static func all(in environment: [String: String]) -> [BrowserCommand] {
            let folders = Self.folders(of: environment)
            let named = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
            return named.compactMap { BrowserCommand(parsing: $0, folders: folders) }
                + [BrowserCommand(parsing: systemCommand.words, folders: folders, systemCommand.handover)].compactMap(
                    \.self)
        }

        /// The folders of programs.
        static func folders(of environment: [String: String]) -> [String] {
            (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        }

        #if os(macOS)
            private static let systemCommand = (words: "/usr/bin/osascript -", handover: Handover.script)
        #else
            private static let systemCommand = (words: "xdg-open", handover: Handover.desktop)
        #endif

        /// Words separated by spaces; `nil` unless the first names an existing program.
        init?(parsing command: String, folders: [String], _ handover: Handover? = nil) {
            self.init(command.split(separator: " ").map(String.init), folders: folders, handover)
        }

        /// A program and its arguments; `nil` unless the program exists.
        init?(_ words: [String], folders: [String], _ handover: Handover? = nil) {
            guard let name = words.first else { return nil }
            let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
            guard let path = candidates.first(where: FileManager.default.isExecutableFile) else { return nil }
            executable = URL(filePath: path)
            arguments = Array(words.dropFirst())
            self.handover = handover ?? (Self.mentions(["%f"], in: arguments) ? .page : .argument)
        }

        /// Returns the words of a command, split as a shell splits them (POSIX.1-2024, Shell Command Language, section 2.2): at
        /// blanks, with quotes and backslashes. Nothing is expanded.
        ///
        /// - Returns: `nil` if a quote is not closed, or a backslash is the last character.
        static func words(of command: String) -> [String]? {
            var (words, word, quote) = ([String](), String?.none, Character?.none)
            var rest = command[...]
            while let character = rest.popFirst() {
                switch (character, quote) {
                case (quote, _?): quote = nil
                case ("\\", nil), ("\\", "\""):
                    guard let next = rest.popFirst() else { return nil }
                    // Between double quotes it escapes these alone.
                    let isKept = quote != nil && !"\"\\$`".contains(next)
                    word = (word ?? "") + (isKept ? "\\" : "") + String(next)
                case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
                case (" ", nil), ("\t", nil), ("\n", nil):
                    if let word { words.append(word) }
                    word = nil
                default: word = (word ?? "") + String(character)
                }
            }
            guard quote == nil else { return nil }
            return words + (word.map { [$0] } ?? [])
        }

        /// Whether the arguments name the address.
        static func namesAddress(_ arguments: some Sequence<String>) -> Bool { mentions(["%s"], in: Array(arguments)) }

        /// Runs the command and waits until it ends or the task is cancelled. It does not end the browser.
        ///
        /// - Parameters:
        ///   - address: The address.
        ///   - page: The path of a page that leads to it; `nil` to hand over the address itself.
        /// - Returns: Why the command failed, as a sentence; `nil` if it did not.
        func run(with address: URL, page: String?) async -> String? {
            let script = handover == .script ? Pipe() : nil
            // The pipe holds the script until the program reads it.
            try? script?.fileHandleForWriting.write(contentsOf: Data(Self.script(opening: address).utf8))
            guard let ended = start(script == nil ? arguments(with: page ?? address.absoluteString) : arguments, script)
            else { return "The browser command '\(name)' could not be started." }
            try? script?.fileHandleForWriting.close()
            guard let end = await ended.value(), end.status != 0 else { return nil }
            return "The browser command '\(name)' ended \(end.isExit ? "with status" : "by signal") \(end.status)."
        }

        /// Runs the command without an address.
        ///
        /// - Returns: The first line of its output; `nil` if it failed, has no output or the task was cancelled.
        func output() async -> String? {
            let output = Pipe()
            guard let end = await start(arguments, nil, output)?.value(), end.status == 0 else { return nil }
            // A program that it left running may hold the other end, so that no end of the output would come.
            let file = output.fileHandleForReading.fileDescriptor
            guard fcntl(file, F_SETFL, O_NONBLOCK) == 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(file, &bytes, bytes.count)
            guard count > 0 else { return nil }
            return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init)
        }

        /// - Returns: How the program ends; `nil` if it could not be started.
        private func start(
            _ arguments: [String], _ input: Pipe?, _ output: Pipe? = nil
        ) -> Promise<(status: Int32, isExit: Bool)>? {
            let ended = Promise<(status: Int32, isExit: Bool)>()
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.standardInput = input ?? FileHandle.nullDevice
            process.standardOutput = output ?? FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.terminationHandler = { ended.resolve(($0.terminationStatus, $0.terminationReason == .exit)) }
            return (try? process.run()).map { ended }
        }

        /// The program's name.
        var name: String { executable.lastPathComponent }

        private static func script(opening address: URL) -> String {
            let text = address.absoluteString.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "open location \"\(text)\"\n"
        }

        private static func mentions(_ codes: [String], in words: [String]) -> Bool {
            words.contains {
                $0.components(separatedBy: "%%").contains { part in codes.contains(where: part.contains) }
            }
        }

        /// Returns the arguments with the address or the page's path in place of each `%s` and `%f`, or at the end if there is
        /// neither. `%%` becomes a percent sign. What the text itself contains is not expanded.
        private func arguments(with text: String) -> [String] {
            let expanded = arguments.map { word in
                word.components(separatedBy: "%%").map { part in
                    part.components(separatedBy: "%s").map { $0.components(separatedBy: "%f").joined(separator: text) }
                        .joined(separator: text)
                }.joined(separator: "%")
            }
            return Self.mentions(["%s", "%f"], in: arguments) ? expanded : expanded + [text]
        }
    }
#endif
