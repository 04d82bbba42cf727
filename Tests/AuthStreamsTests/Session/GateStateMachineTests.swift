import Testing

@testable import AuthStreams

/// The rules of a gate, by every sequence of a few facts.
@Suite struct GateStateMachineTests {
    enum Fact: CaseIterable {
        case leaves, comesBack, isActive, timePasses, callerComes, callerLeaves, personPasses, personRefuses
        case signsIn, signsOut, anotherProcessSignsIn
    }

    /// A gate, and what is known about it from outside.
    struct Model {
        static let absence = Duration.seconds(300)

        var gate = GateStateMachine(absence: absence)
        var now = Duration.zero
        var user: AuthUser.ID? = "ada"
        var phase = AppActivity.Phase.background
        /// Since when the person is away, who had proven themselves until then.
        var awaySince: Duration?
        /// Whether the person is to be asked without a caller.
        var isDue = true
        /// The question that callers wait for or that is asked.
        var open: GateQuestion?
        var isAsked = false
        /// Whether the question is asked without a caller.
        var isOwn = false
        var callers = 0
        var broken: [String] = []

        /// Reports a fact, as the session's machine does.
        mutating func report(_ fact: Fact) {
            let wasClosed = gate.isKnownClosed
            switch fact {
            case .leaves:
                if phase != .background { (awaySince, isDue) = (now, true) }
                move(to: .background)
            case .comesBack: move(to: .inactive)
            case .isActive: move(to: .active)
            case .timePasses: now += Self.absence
            case .callerComes:
                guard let user, let question = gate.needed(for: user, at: now) else { break }
                if let open, open !== question { broken.append("a second question") }
                (open, callers) = (question, callers + 1)
            case .callerLeaves:
                guard let open, callers > 0 else { break }
                callers -= 1
                gate.left(open)
            case .personPasses:
                guard let open, isAsked else { break }
                gate.answered(open, nil, at: now)
                proven()
            case .personRefuses: if let open, isAsked { gate.answered(open, .cancelled, at: now) }
            case .signsIn:
                user = "ada"
                gate.proven(at: now)
                proven()
            case .signsOut: user = nil
            case .anotherProcessSignsIn: user = "eve"
            }
            settle()
            let mayOpen = [.personPasses, .signsIn, .signsOut].contains(fact)
            if wasClosed, !gate.isKnownClosed, !mayOpen { broken.append("opened by \(fact)") }
        }

        private mutating func proven() {
            if phase == .background { awaySince = now }
        }

        private mutating func move(to next: AppActivity.Phase) {
            let (wasAway, wasClosed) = (awaySince.map { now - $0 >= Self.absence } ?? false, gate.isKnownClosed)
            gate.moved(to: next, at: now)
            phase = next
            guard next != .background else { return }
            awaySince = nil
            if wasAway, !gate.isKnownClosed { broken.append("open after an absence") }
            if !wasAway, !wasClosed, gate.isKnownClosed { broken.append("closed without an absence") }
        }

        private mutating func settle() {
            for effect in gate.takeEffects(for: user, isSignedOut: user == nil, at: now) {
                switch effect {
                case .ask(let question):
                    if phase != .active || user == nil { broken.append("asked at a wrong time") }
                    if let open, open !== question { broken.append("asked beside another question") }
                    if !isDue, callers == 0 { broken.append("asked without a cause") }
                    (open, isAsked) = (question, true)
                case .end(let question, let outcome):
                    if question !== open { broken.append("ended a question twice") }
                    // Another user is asked as the first was.
                    if case .withdrawn = outcome, isOwn { isDue = true }
                    (open, isAsked, isOwn, callers) = (nil, false, false, 0)
                case .emit: break
                }
            }
            // One that stayed open is the one to answer.
            if isAsked, isDue, phase == .active { (isOwn, isDue) = (true, false) }
            if user == nil, gate.isKnownClosed { broken.append("closed without a session") }
            if gate.callers != callers { broken.append("\(callers) callers, and \(gate.callers) known") }
            let isClosed = user != nil && gate.isClosed(at: now)
            if callers > 0, !isClosed { broken.append("callers wait at an open gate") }
            if callers > 0, phase == .active, !isAsked { broken.append("callers wait, and the person is not asked") }
            if isDue, phase == .active, isClosed, !isAsked { broken.append("the person is not asked") }
            if isAsked != (gate.shown == .asking) { broken.append("shown as \(gate.shown)") }
        }
    }

    @Test(arguments: Fact.allCases) func noSequenceOfFactsBreaksARule(first: Fact) {
        var model = Model()
        model.report(first)
        explore(model, [first], depth: 4)
    }

    private func explore(_ model: Model, _ facts: [Fact], depth: Int) {
        guard model.broken.isEmpty else {
            Issue.record("\(facts): \(model.broken)")
            return
        }
        guard depth > 0 else { return }
        for fact in Fact.allCases {
            var next = model
            next.report(fact)
            explore(next, facts + [fact], depth: depth - 1)
        }
    }

    @Test func serviceWithoutAGateIsAlwaysOpen() {
        var gate = GateStateMachine()
        gate.moved(to: .active, at: .zero)
        gate.moved(to: .background, at: .zero)
        gate.moved(to: .active, at: .seconds(1_000_000))
        #expect(!gate.isClosed(at: .seconds(1_000_000)) && gate.shown == .open && !gate.hidesUser)
        #expect(gate.needed(for: "ada", at: .zero) == nil)
        #expect(gate.takeEffects(for: "ada", isSignedOut: false, at: .zero).isEmpty)
    }
}
