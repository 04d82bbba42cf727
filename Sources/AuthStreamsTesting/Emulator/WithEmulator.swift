import AuthStreams

/// Runs a test against an emulator that is there when the body begins and gone when it ends.
///
/// Test runners start hundreds of tests at once, and each emulator takes sockets and connections. So in one process at
/// most eight run at a time, and the others wait their turn; an emulator within the body of another does not wait.
///
/// - Parameters:
///   - configuration: Apps, users and clock; the defaults are meant to be used.
///   - body: What to do with it. Its value is returned, its error passed on.
/// - Throws: What the body throws, an error that says why no port could be opened, or `CancellationError` when the task
///   was cancelled while it waited its turn.
public func withEmulator<Value>(
    _ configuration: EmulatorConfiguration = .init(), _ body: (Emulator) async throws -> Value
) async throws -> Value {
    guard !EmulatorTurns.isInside else { return try await run(configuration, body) }
    try await EmulatorTurns.shared.take()
    defer { EmulatorTurns.shared.giveBack() }
    return try await EmulatorTurns.$isInside.withValue(true) { try await run(configuration, body) }
}

private func run<Value>(
    _ configuration: EmulatorConfiguration, _ body: (Emulator) async throws -> Value
) async throws -> Value {
    let emulator = try Emulator.start(configuration)
    defer { emulator.stop() }
    return try await body(emulator)
}
