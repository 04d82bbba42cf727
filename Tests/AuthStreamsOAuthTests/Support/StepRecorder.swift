import AuthStreams

/// The steps that an attempt reported, in order.
final class StepRecorder: Sendable {
    private let log = Lock([AuthState.SignInStep]())

    var steps: [AuthState.SignInStep] { log.withLock { $0 } }

    @Sendable func record(_ step: AuthState.SignInStep) { log.withLock { $0.append(step) } }
}
