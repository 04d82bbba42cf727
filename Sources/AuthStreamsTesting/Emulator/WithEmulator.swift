import AuthStreams

/// Runs a test against an emulator that is there when the body begins and gone when it ends.
///
/// Test runners start hundreds of tests at once, and each emulator takes sockets and connections. So in one process at
/// most as many run at a time as there are cores, and the others wait; an emulator within the body of another does not.
///
/// - Parameters:
///   - configuration: Apps, users and clock; the defaults are meant to be used.
///   - body: What to do with it. Its value is returned, its error passed on.
/// - Throws: What the body throws, an error that says why no port could be opened, or `CancellationError` when the task
///   was cancelled while it waited.
public func withEmulator<Value>(
    _ configuration: EmulatorConfiguration = .init(), _ body: (Emulator) async throws -> Value
) async throws -> Value {
    try await ResourceLimit.shared.run {
        let emulator = try Emulator.start(configuration)
        defer { emulator.stop() }
        return try await body(emulator)
    }
}
