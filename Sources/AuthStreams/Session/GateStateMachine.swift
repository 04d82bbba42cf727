/// The rules of a ``SessionGate``: when it is closed, and when the person is asked. ``SessionStateMachine`` tells it the facts.
///
/// ```
/// closed(launch) ──asked──▶ asking ──passed──▶ open ──▶ away ──returned after `absence`──▶ closed
///      ▲                      │                 ▲          ╰──returned before it──▶ open
///      ╰───────refused────────╯                 ╰── a sign-in, or the end of the session
/// ```
///
/// It concerns a session whose user is known. While there is none, no caller waits.
package struct GateStateMachine: Sendable {
    enum Effect: Sendable {
        /// Ask the person.
        case ask(GateQuestion)
        /// Tell the callers of a question. One that is withdrawn is asked no further.
        case end(GateQuestion, GateQuestion.Outcome)
        case emit(AuthEvent)
    }

    /// A question, and who waits for its answer.
    private struct Asked: Sendable {
        let question: GateQuestion
        var callers = 0
        /// Whether the service asks without a caller.
        var isOwn = false
        /// When the person was asked; `nil` while the app is not active.
        var startedAt: Duration?
    }

    /// How long a proof in the background lasts at least: the person is on the way back, as from the app that a question opened.
    private static let wayBack = Duration.seconds(60)

    /// `nil` for no gate.
    private let absence: Duration?
    /// Why it is closed; `nil` while it is open.
    private var closing: SessionGate.Reason?
    private var phase = AppActivity.Phase.background
    /// When a gate that is open closes by itself; `nil` while the app is not away.
    private(set) var closesAt: Duration?
    /// Whether the service asks by itself at the next chance: once after the launch and after each return.
    private var asksByItself = true
    private var asked: Asked?
    private var effects: [Effect] = []

    package init(absence: Duration? = nil) {
        self.absence = absence
        closing = absence == nil ? nil : .launch
    }

    // MARK: Projections

    var exists: Bool { absence != nil }

    /// Whether the person is to be asked before a session is used.
    func isClosed(at now: Duration) -> Bool { closing != nil || closesAt.map { $0 <= now } ?? false }

    /// Whether the gate is closed, as far as it was noted: the time away counts once the app returns.
    var isKnownClosed: Bool { closing != nil }

    /// Whether it is closed since the launch, so that the user is not shown.
    var hidesUser: Bool { closing == .launch }

    var shown: SessionGate.State {
        guard closing != nil else { return .open }
        return asked?.startedAt == nil ? .closed : .asking
    }

    /// How many callers wait, for tests.
    var callers: Int { asked?.callers ?? 0 }

    // MARK: Facts

    /// The app moved.
    mutating func moved(to next: AppActivity.Phase, at now: Duration) {
        guard let absence, next != phase else { return }
        phase = next
        switch next {
        case .background:
            asksByItself = true
            closesAt = now + absence
        case .inactive, .active:
            closeIfDue(at: now)
            closesAt = nil
        }
    }

    /// A caller needs the session of a user.
    ///
    /// - Returns: The question to wait for; `nil` while the gate is open.
    mutating func needed(for user: AuthUser.ID, at now: Duration) -> GateQuestion? {
        closeIfDue(at: now)
        guard let closing else { return nil }
        if asked == nil { asked = Asked(question: GateQuestion(for: user, because: closing)) }
        asked?.callers += 1
        return asked?.question
    }

    /// A caller has stopped waiting.
    mutating func left(_ question: GateQuestion) {
        guard asked?.question === question else { return }
        asked?.callers -= 1
        if let asked, asked.callers == 0, !asked.isOwn { withdraw() }
    }

    /// The person has answered, or could not be asked.
    ///
    /// - Parameter refusal: `nil` if they may use the session.
    mutating func answered(_ question: GateQuestion, _ refusal: AuthError?, at now: Duration) {
        guard let asked, asked.question === question else { return }
        self.asked = nil
        effects.append(
            .emit(
                AuthEvent(
                    refusal == nil ? .gatePassed : .gateRefused, failure: refusal.map(AuthEvent.Failure.of),
                    elapsed: asked.startedAt.map { now - $0 })))
        effects.append(.end(question, refusal.map { .refused($0) } ?? .passed))
        if refusal == nil { proven(at: now) }
    }

    /// The person has proven who they are. In the background the time away begins anew.
    mutating func proven(at now: Duration) {
        guard let absence else { return }
        closing = nil
        if phase == .background { closesAt = now + max(absence, Self.wayBack) }
    }

    /// The service is released.
    ///
    /// - Returns: The question under way.
    mutating func abandoned() -> GateQuestion? { asked.take()?.question }

    /// The service does not ask by itself until the app has been away, as in a preview.
    mutating func asksOnlyForCallers() { asksByItself = false }

    /// A fact was reported. Asks the person, or withdraws a question that is of no use any more.
    ///
    /// - Parameters:
    ///   - user: Whose session is present, as far as it is known.
    ///   - isSignedOut: Whether it is known that no session is present.
    mutating func takeEffects(for user: AuthUser.ID?, isSignedOut: Bool, at now: Duration) -> [Effect] {
        guard exists else { return [] }
        if isSignedOut { closing = nil }
        if let asked, closing == nil || asked.question.user != user {
            // The next user is asked as the first was.
            asksByItself = asksByItself || asked.isOwn
            withdraw()
        }
        if let closing, let user, phase == .active {
            if asksByItself {
                asked = asked ?? Asked(question: GateQuestion(for: user, because: closing))
                asked?.isOwn = true
                asksByItself = false
            }
            if let asked, asked.startedAt == nil {
                self.asked?.startedAt = now
                effects.append(.emit(AuthEvent(.gateAsked)))
                effects.append(.ask(asked.question))
            }
        }
        defer { effects = [] }
        return effects
    }

    // MARK: Parts

    private mutating func closeIfDue(at now: Duration) {
        if closing == nil, isClosed(at: now) { closing = .absence }
    }

    private mutating func withdraw() {
        if let question = asked.take()?.question { effects.append(.end(question, .withdrawn)) }
    }
}

/// One question of a ``SessionGate``, which all callers share.
package final class GateQuestion: Sendable {
    package enum Outcome: Sendable {
        case passed
        case refused(AuthError)
        /// The session is over, or the person signed in, or all callers have left.
        case withdrawn
    }

    /// The question that the calling task answers, or a task that started it.
    @TaskLocal static var current: GateQuestion?

    /// Whose session it concerns.
    let user: AuthUser.ID
    let reason: SessionGate.Reason
    let outcome = Promise<Outcome>()
    private let asking = Lock<(task: Task<Void, Never>?, isOver: Bool)>((nil, false))

    init(for user: AuthUser.ID, because reason: SessionGate.Reason) {
        (self.user, self.reason) = (user, reason)
    }

    /// The task that asks. It is cancelled once the question is over.
    func asks(in task: Task<Void, Never>) {
        let isOver = asking.withLock { asking in
            asking.task = task
            return asking.isOver
        }
        if isOver { task.cancel() }
    }

    func end(_ outcome: Outcome) {
        let task = asking.withLock { asking in
            asking.isOver = true
            return asking.task.take()
        }
        self.outcome.resolve(outcome)
        task?.cancel()
    }
}
