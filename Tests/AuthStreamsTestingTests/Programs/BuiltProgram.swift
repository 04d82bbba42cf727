#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import Testing

    /// One of the package's own programs, in a process of its own.
    final class BuiltProgram: Sendable {
        private let process = Process()
        private let ended = OneShot<Int32>()
        private let folder: URL

        /// Starts a program that was built beside the tests.
        init(_ name: String, _ arguments: [String]) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "authstreams-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            process.executableURL = try Self.executable(name)
            process.arguments = arguments
            // Files, not pipes: reading a pipe blocks a thread of the pool that emulators need to answer.
            process.standardOutput = try Self.file(folder.appending(path: "output"))
            process.standardError = try Self.file(folder.appending(path: "errors"))
            process.terminationHandler = { [ended] in ended.resolve($0.terminationStatus) }
            try process.run()
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Waits for the end, and says how it was.
        func status() async -> Int32? { await ended.value() }

        /// What it has written to standard output so far.
        var output: String { text(of: "output") }
        /// What it has written to standard error so far.
        var errors: String { text(of: "errors") }

        func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
        func interrupt() { process.interrupt() }
        var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

        private func text(of file: String) -> String {
            String(decoding: (try? Data(contentsOf: folder.appending(path: file))) ?? Data(), as: UTF8.self)
        }

        private static func file(_ url: URL) throws -> FileHandle {
            try Data().write(to: url)
            return try FileHandle(forWritingTo: url)
        }

        static func executable(_ name: String) throws -> URL {
            let products = Bundle.main.bundleURL.resolvingSymlinksInPath()
            let folder = products.pathExtension == "xctest" ? products.deletingLastPathComponent() : products
            let program = folder.appending(path: name)
            try #require(FileManager.default.isExecutableFile(atPath: program.path()), "\(name) was not built")
            return program
        }
    }

    /// Starts the probe app, which signs in and says all it can.
    func probeApp(
        _ emulator: URL, _ folder: URL, provider: ProviderID = .apple, person decision: String = "approve",
        backend: EmulatedDevice.Backend = .firebase
    ) throws -> BuiltProgram {
        try BuiltProgram(
            "ProbeApp", [emulator.absoluteString, folder.path(), provider.rawValue, decision, backend.rawValue])
    }

    /// Runs a test in a folder of its own, and removes it afterwards.
    func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authstreams-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
#endif
