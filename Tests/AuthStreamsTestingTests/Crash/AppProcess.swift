import AuthStreams
import Foundation
import Testing

/// The probe app in a process of its own.
final class AppProcess: Sendable {
    private let process: Process
    private let ended = OneShot<Void>()
    /// A file, not a pipe: reading a pipe blocks a thread of the pool that the emulator needs to answer.
    private let transcript: URL

    init(
        _ emulator: URL, _ folder: URL, provider: ProviderID = .apple, person decision: String = "approve"
    ) throws {
        transcript = FileManager.default.temporaryDirectory.appending(path: "authstreams-\(UUID().uuidString).txt")
        try Data().write(to: transcript)
        let output = try FileHandle(forWritingTo: transcript)
        process = Process()
        process.executableURL = try Self.executable
        process.arguments = [emulator.absoluteString, folder.path(), provider.rawValue, decision]
        process.standardOutput = output
        process.standardError = output
        process.terminationHandler = { [ended] _ in ended.resolve(()) }
        try process.run()
    }

    deinit { try? FileManager.default.removeItem(at: transcript) }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the end.
    ///
    /// - Returns: All that the app said, on standard output and standard error.
    @discardableResult
    func output() async throws -> String {
        _ = await ended.value()
        return String(decoding: try Data(contentsOf: transcript), as: UTF8.self)
    }

    var wasKilled: Bool { process.terminationReason == .uncaughtSignal }
    var status: Int32 { process.terminationStatus }

    /// It is built beside the tests.
    private static var executable: URL {
        get throws {
            let program = URL(filePath: CommandLine.arguments[0])
            let bundle = Bundle.main.bundleURL
            let places = [program.deletingLastPathComponent(), bundle, bundle.deletingLastPathComponent()]
            let candidates = places.map { $0.appending(path: "ProbeApp") }
            return try #require(candidates.first { FileManager.default.isExecutableFile(atPath: $0.path()) })
        }
    }
}

/// Runs a test in a folder of its own, and removes it afterwards.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "authstreams-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}
