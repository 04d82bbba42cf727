import AuthStreams

/// Holds answers of an emulator until a test opens it.
///
/// ```swift
/// let gate = EmulatorGate()
/// emulator.inject(.held(until: gate), at: .kakaoToken)
/// let attempt = Task { await signIn() }
/// await gate.arrival()    // the request is there, the answer is not
/// attempt.cancel()
/// gate.open()
/// ```
public final class EmulatorGate: Sendable {
    private let reached = Promise<Bool>()
    private let opened = Promise<Bool>()

    /// Makes a closed gate.
    public init() {}

    /// Waits until an answer is held, or the task is cancelled.
    public func arrival() async { _ = await reached.value() }

    /// Releases every answer, now and later. Further calls do nothing.
    public func open() { opened.resolve(true) }

    func pass() async {
        reached.resolve(true)
        _ = await opened.value()
    }
}
