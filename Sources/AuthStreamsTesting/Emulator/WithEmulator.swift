/// Runs a test against an emulator that is there when the body begins and gone when it ends.
///
/// - Parameters:
///   - configuration: Apps, users and clock; the defaults are meant to be used.
///   - body: What to do with it. Its value is returned, its error passed on.
/// - Throws: What the body throws, or an error that says why no port could be opened.
public func withEmulator<Value>(
    _ configuration: EmulatorConfiguration = .init(), _ body: (Emulator) async throws -> Value
) async throws -> Value {
    let emulator = try Emulator.start(configuration)
    defer { emulator.stop() }
    return try await body(emulator)
}
