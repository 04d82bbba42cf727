import AuthStreams

/// Runs a test with an emulator that is stopped when the body ends.
///
/// Test runners start hundreds of tests at once, and each emulator takes sockets and connections. So one process runs
/// at most two at a time for each core, and the others wait. An emulator within the body of another does not
/// wait.
///
/// - Parameters:
///   - configuration: Apps, users and clock; the defaults are ready to use.
///   - body: Receives the emulator. Its value is returned, its error thrown.
/// - Throws: The body's error, a descriptive error if no port could be opened, or `CancellationError` if the task was
///   cancelled while it waited.
public func withEmulator<Value>(
    _ configuration: EmulatorConfiguration = .init(), _ body: (Emulator) async throws -> Value
) async throws -> Value {
    try await ResourceLimit.shared.run {
        let emulator = try Emulator.start(configuration)
        defer { emulator.stop() }
        return try await body(emulator)
    }
}
