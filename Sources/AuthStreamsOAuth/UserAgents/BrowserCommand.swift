#if os(Linux) || os(macOS)
    import AuthStreams
    import Foundation

    /// A program that opens a web page.
    struct BrowserCommand: Sendable {
        let executable: URL
        let arguments: [String]

        /// The commands of an environment, best first: those of `BROWSER`, then the system's.
        static func all(in environment: [String: String]) -> [BrowserCommand] {
            let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
            let named = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
            return (named + [systemCommand]).compactMap { BrowserCommand(parsing: $0, folders: folders) }
        }

        #if os(macOS)
            private static let systemCommand = "/usr/bin/open"
        #else
            private static let systemCommand = "xdg-open"
        #endif

        /// Words separated by spaces; `nil` unless the first names an existing program.
        init?(parsing command: String, folders: [String]) {
            let words = command.split(separator: " ").map(String.init)
            guard let name = words.first else { return nil }
            let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
            guard let path = candidates.first(where: FileManager.default.isExecutableFile) else { return nil }
            executable = URL(filePath: path)
            arguments = Array(words.dropFirst())
        }

        /// Runs the command and waits until it ends or the task is cancelled. It does not end the browser.
        ///
        /// - Returns: `false` if the command could not be started or failed.
        func run(with url: URL) async -> Bool {
            let ended = Promise<Int32>()
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments(for: url.absoluteString)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.terminationHandler = { ended.resolve($0.terminationStatus) }
            do { try process.run() } catch { return false }
            return await ended.value().map { $0 == 0 } ?? true
        }

        /// Returns the arguments with the address in place of each `%s`, or at the end if there is none. `%%` becomes a
        /// percent sign.
        private func arguments(for address: String) -> [String] {
            let parts = arguments.map { $0.components(separatedBy: "%%") }
            let expanded = parts.map { parts in
                parts.map { $0.replacing("%s", with: address) }.joined(separator: "%")
            }
            return parts.joined().contains { $0.contains("%s") } ? expanded : expanded + [address]
        }
    }
#endif
