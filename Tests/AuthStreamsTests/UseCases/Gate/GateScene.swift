import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A person at a gate, who answers as the test says.
final class Doorkeeper: Sendable {
    /// A question, which waits for its answer.
    final class Question: Sendable {
        let reason: SessionGate.Reason
        /// Whether its task was cancelled before it was answered.
        let wasCancelled = Promise<Void>()
        private let answer = Promise<(any Error)?>()
        private let ignoresCancellation: Bool

        init(_ reason: SessionGate.Reason, ignoresCancellation: Bool) {
            (self.reason, self.ignoresCancellation) = (reason, ignoresCancellation)
        }

        func pass() { answer.resolve(nil) }

        func refuse(with error: any Error = AuthError(.accessDenied, "Not me.")) { answer.resolve(error) }

        fileprivate func wait() async throws {
            guard let refusal = await answer.value() else {
                wasCancelled.resolve(())
                if ignoresCancellation { return await Task { _ = await answer.value() }.value }
                throw CancellationError()
            }
            if let refusal { throw refusal }
        }
    }

    private let questions = Lock<[Question]>([])
    private let atOnce = Lock((now: 0, most: 0))
    private let ignoresCancellation: Bool

    init(ignoresCancellation: Bool = false) { self.ignoresCancellation = ignoresCancellation }

    /// Why the person was asked so far.
    var reasons: [SessionGate.Reason] { questions.withLock { $0.map(\.reason) } }
    /// How many questions were open at once.
    var most: Int { atOnce.withLock { $0.most } }

    /// The question with that number, from 1, once it is asked.
    func question(_ number: Int) async throws -> Question {
        try await wait(for: "question \(number)") { reasons.count >= number }
        return questions.withLock { $0[number - 1] }
    }

    func gate(after absence: Duration) -> SessionGate {
        SessionGate(after: absence) { [self] reason in
            let question = Question(reason, ignoresCancellation: ignoresCancellation)
            atOnce.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { atOnce.withLock { $0.now -= 1 } }
            questions.withLock { $0.append(question) }
            try await question.wait()
        }
    }
}

/// A service with a gate over a store that holds ada's session, and what the test moves by hand.
struct GateScene {
    static let absence = Duration.seconds(300)
    static let ada = session("ada")
    /// What is shown while the gate is closed since the launch.
    static let waiting = AuthState.restoring(.waitingForPerson)

    static func session(_ user: String, token: String = "access") -> AuthSession {
        AuthSession(
            accessToken: Secret("\(token)-of-\(user)"), refreshToken: Secret("refresh-of-\(user)"), expiresAt: nil,
            user: AuthUser(id: user), provider: .kakao)
    }

    let clock = ManualClock()
    let store: FaultySessionStore
    let activity: AppActivity
    let doorkeeper: Doorkeeper
    let repository: ScriptedRepository
    let auth: AuthService
    let events: EventLog
    /// Lets the server answer an adoption.
    let adoption = Promise<Void>()

    /// - Parameters:
    ///   - stored: The session in the store; `nil` for none.
    ///   - phase: Where the app is at the launch.
    ///   - routes: The providers that the server accepts; `nil` for all.
    init(
        stored: AuthSession? = ada, phase: AppActivity.Phase = .active, after absence: Duration = absence,
        account: ScriptedAccount = ScriptedAccount(), doorkeeper: Doorkeeper = Doorkeeper(),
        adoption: SessionAdoption? = nil, providers: [any AuthProvider] = [ScriptedProvider(.kakao, userID: "bob")],
        routes: Set<ProviderID>? = nil, store: FaultySessionStore = FaultySessionStore(), api: APIAccess? = nil
    ) async throws {
        (self.doorkeeper, self.store) = (doorkeeper, store)
        activity = AppActivity(phase)
        if let stored { try await store.write(SessionRecord(stored).data(), for: .session) }
        repository = ScriptedRepository(
            accepting: routes,
            establish: { Self.session($0.userID ?? "bob") },
            adopt: { [answer = self.adoption] _ in
                _ = await answer.value()
                return Self.ada
            }, account: account)
        events = EventLog()
        auth = AuthService(
            repository: repository, providers: providers, store: store,
            callbacks: CallbackRouter(), clock: clock.authClock(startingAt: RefreshScene.noon), adoption: adoption,
            gate: doorkeeper.gate(after: absence), activity: activity, sinks: [events.sink], api: api)
    }

    /// A service whose gate has passed after the launch.
    static func passed(
        after absence: Duration = absence, account: ScriptedAccount = ScriptedAccount(), stored: AuthSession = ada,
        api: APIAccess? = nil
    ) async throws -> Self {
        let scene = try await Self(stored: stored, after: absence, account: account, api: api)
        try await scene.doorkeeper.question(1).pass()
        _ = await scene.states { $0.user != nil }
        return scene
    }

    /// The states from now on, until one that matches.
    func states(through isLast: (AuthState) -> Bool) async -> [AuthState] { await auth.states.prefix(through: isLast) }

    /// The app is away for a time, and returns.
    func beAway(for time: Duration) {
        activity.move(to: .background)
        clock.advance(by: time)
        activity.move(to: .inactive)
        activity.move(to: .active)
    }

    /// Begins to ask for a token.
    func askForToken() -> Task<Result<Secret, AuthError>, Never> {
        Task { [auth] () -> Result<Secret, AuthError> in
            do throws(AuthError) { return .success(try await auth.accessToken()) } catch { return .failure(error) }
        }
    }

    /// Returns once that many callers wait for the gate.
    func waitForCallers(_ count: Int) async throws {
        try await wait(for: "\(count) callers at the gate") { auth.manager.read { $0.gate.callers } == count }
    }

    /// Returns once the gate is in a state.
    func waitUntilGateIs(_ state: SessionGate.State) async {
        for await next in auth.gateStates where next == state { return }
    }
}

/// A provider whose page another app shows. Its answer comes to a later process.
struct PageInAnotherApp: AuthProvider {
    static let answer = URL(literal: "com.example.app:/callback?state=known&code=code")
    static let attempt = PendingAttempt(
        state: Secret("known"), callbackURL: URL(literal: "com.example.app:/callback"),
        redirectURI: URL(literal: "com.example.app:/callback"), issuer: nil, isIssuerRequired: false, verifier: nil,
        nonce: nil, rawNonce: nil, maximumAge: nil, acceptedACRs: [], scopes: nil, isBound: true)

    let id = ProviderID.kakao
    let isShown = Promise<Void>()

    var callbackURLs: [URL] { [Self.attempt.callbackURL] }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        AuthStream {
            _ = await request.keepAttempt(Self.attempt)
            isShown.resolve(())
            _ = await Promise<Void>().value()
            throw CancellationError()
        }
    }
}

/// The kinds of events about the gate, in order.
final class EventLog: Sendable {
    private let log = Lock<[AuthEvent]>([])
    private let arrivals = Broadcast<Int>(0)

    var sink: AuthEventSink {
        AuthEventSink { [self] event in
            let count = log.withLock { log in
                log.append(event)
                return log.count
            }
            arrivals.send(count)
        }
    }

    /// The events about the gate, once there are that many.
    func aboutGate(_ count: Int) async -> [AuthEvent] {
        for await _ in arrivals.latest where aboutGate.count >= count { break }
        return aboutGate
    }

    private var aboutGate: [AuthEvent] {
        log.withLock { $0.filter { $0.kind.rawValue.hasPrefix("gate") } }
    }
}
