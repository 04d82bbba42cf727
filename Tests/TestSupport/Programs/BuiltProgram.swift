#if os(macOS) || os(Linux)
    import AuthStreams
    package import Foundation
    import Testing

    /// One of the package's own programs, in a process of its own.
    package final class BuiltProgram: Sendable {
        private let process = Process()
        private let ended = Promise<Int32>()
        private let folder: URL

        /// Starts a program that was built beside the tests.
        package convenience init(
            _ name: String, _ arguments: [String], environment: [String: String] = [:], at terminal: Terminal? = nil
        ) throws {
            try self.init(Self.executable(name), arguments, environment: environment, at: terminal)
        }

        /// Starts a program.
        ///
        /// - Parameters:
        ///   - environment: What it finds in its environment beside what this process does.
        ///   - terminal: Where it writes in place of files.
        package init(
            _ executable: URL, _ arguments: [String], environment: [String: String] = [:], at terminal: Terminal? = nil
        ) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "authstreams-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            process.executableURL = executable
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            // Files, not pipes: reading a pipe blocks a thread of the pool that emulators need to answer.
            process.standardOutput = try terminal?.program ?? Self.file(folder.appending(path: "output"))
            process.standardError = try terminal?.program ?? Self.file(folder.appending(path: "errors"))
            process.terminationHandler = { [ended] in ended.resolve($0.terminationStatus) }
            try process.run()
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Waits for the end, and says how it was.
        package func status() async -> Int32? { await ended.value() }

        /// Whether it has ended.
        package var hasEnded: Bool { !process.isRunning }

        #if os(Linux)
            /// Whether it waits for a lock of a file that another process has (proc_locks(5)).
            package var waitsForALock: Bool {
                get throws {
                    let process = Substring("\(process.processIdentifier)")
                    return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").contains {
                        // Number, arrow, kind, mode, access, process.
                        let fields = $0.split(separator: " ")
                        return fields.count > 5 && fields[1] == "->" && fields[5] == process
                    }
                }
            }
        #endif

        /// What it has written to standard output so far.
        package var output: String { text(of: "output") }
        /// What it has written to standard error so far.
        package var errors: String { text(of: "errors") }

        package func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
        package func interrupt() { process.interrupt() }
        package var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

        private func text(of file: String) -> String {
            String(decoding: (try? Data(contentsOf: folder.appending(path: file))) ?? Data(), as: UTF8.self)
        }

        private static func file(_ url: URL) throws -> FileHandle {
            try Data().write(to: url)
            return try FileHandle(forWritingTo: url)
        }

        package static func executable(_ name: String) throws -> URL {
            let products = Bundle.main.bundleURL.resolvingSymlinksInPath()
            let folder = products.pathExtension == "xctest" ? products.deletingLastPathComponent() : products
            let program = folder.appending(path: name)
            try #require(FileManager.default.isExecutableFile(atPath: program.path()), "\(name) was not built")
            return program
        }
    }
#endif
