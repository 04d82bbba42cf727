/// What must pass before a restored session is used, and again after a while in the background: biometrics, a PIN of the app's own.
///
/// ```swift
/// let auth = AuthService(
///     .server(server), providers: [.kakao(nativeAppKey: "…")], platform: .app,
///     gate: SessionGate(after: .seconds(300)) { reason in try await pinScreen.ask() })
/// ```
///
/// AuthStreamsApple has a gate that asks for Face ID, Touch ID or the passcode: `SessionGate.deviceOwner`.
///
/// ```
/// launch    restoring(.reading) ─▶ restoring(.waitingForPerson) ─▶ passed ─▶ signedIn
///                                     ▲            ╰─ refused ─╮
///                                     ╰────────────────────────╯ the next call asks again, or openGate()
///
/// return    signedIn ──────────────────────────────────────────▶ signedIn     tokens wait, no screen is torn down
/// gate      open ──── closed, asking ──── passed ──── open
/// ```
///
/// | question | answer |
/// | --- | --- |
/// | when is it closed? | from the launch, if storage holds a session; and when the app returns after at least that time in the background |
/// | when is the person asked? | once by itself as soon as the app is active, and whenever a call needs the session while the app is active. In the background calls wait |
/// | how often? | one question at a time, for all callers |
/// | what waits? | ``AuthService/accessToken(forceRefresh:)``, ``AuthService/withAccessToken(_:)``, ``AuthService/data(for:)``, changes of the account and ``AuthService/restoredUser()`` |
/// | what does not? | signing in, which opens the gate: the person has just proven who they are. Signing out. A refresh, whose callers wait for the gate before they get the token |
/// | refused? | callers get the error, and an event ``AuthEvent/Kind/gateRefused`` says so. The session stays, and the gate is closed |
/// | a caller is cancelled? | it alone ends. Once all callers have left, a question that they asked is cancelled, and one that the service asked by itself stays |
/// | the person signs out or in while they are asked? | the question is cancelled |
/// | how is the time measured? | by the service's clock. The system's includes the device's sleep |
/// | the person passes in the background, as in an app that the question opened? | the time in the background begins anew. The gate stays open for at least a minute, in which they return |
///
/// A gate hides no token from code that reads the app's memory or its storage. Where the token itself is to be bound to biometrics,
/// storage has to be.
public struct SessionGate: Sendable {
    /// Why the person is asked.
    public enum Reason: String, Hashable, Sendable, Codable {
        /// Storage held a session at the launch.
        case launch
        /// The app was in the background for too long.
        case absence
    }

    /// Whether a session may be used.
    public enum State: String, Hashable, Sendable, Codable {
        /// It may, or there is none.
        case open
        /// The person is being asked.
        case asking
        /// It may not. The person was not asked yet, or has refused.
        case closed
    }

    let absence: Duration
    private let ask: @Sendable (Reason) async throws -> Void

    /// Makes a gate.
    ///
    /// - Parameters:
    ///   - absence: The time in the background after which the person is asked again, by the service's clock; zero for each return.
    ///   - ask: Asks the person. It passes by returning, and refuses by throwing. An ``AuthError`` reaches the callers as it is, a
    ///     `CancellationError` as `cancelled`, any other error as `unexpected`. Its task is cancelled when the answer is of no use any
    ///     more. It must not ask the service for a token: that waits for the gate.
    public init(after absence: Duration, _ ask: @escaping @Sendable (_ reason: Reason) async throws -> Void) {
        // 68 years, so that no addition overflows.
        self.absence = min(max(absence, .zero), .seconds(Int32.max))
        self.ask = ask
    }

    /// Asks the person.
    ///
    /// - Returns: Why they may not use the session; `nil` if they may.
    func refusal(_ reason: Reason) async -> AuthError? {
        do throws(AuthError) { try await AuthError.wrapping { try await ask(reason) } } catch { return error }
        return nil
    }
}
