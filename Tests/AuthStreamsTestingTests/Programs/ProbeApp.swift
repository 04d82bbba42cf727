#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport

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
