/// What the gate is told, and how it is in the way of a session.
extension SessionStateMachine {
    /// Whether the person is to be asked before the session is used.
    func isGateClosed(at now: Duration) -> Bool { user != nil && gate.isClosed(at: now) }

    /// Whether a user is signed in whom readers are not shown yet.
    var isUserHidden: Bool { user != nil && gate.hidesUser }

    /// What readers are shown of the gate.
    var gateState: SessionGate.State { user == nil ? .open : gate.shown }

    /// A caller needs the session.
    ///
    /// - Returns: The question to wait for; `nil` while the gate is open, or no user is known.
    mutating func gateNeeded(at now: Duration) -> GateQuestion? {
        user.flatMap { gate.needed(for: $0.id, at: now) }
    }

    /// Adds what follows for the gate from the facts since the last call.
    mutating func settleGate(at now: Duration) {
        guard gate.exists else { return }
        let isSignedOut = if case .signedOut = state { true } else { false }
        for effect in gate.takeEffects(for: user?.id, isSignedOut: isSignedOut, at: now) {
            switch effect {
            case .emit(let event): emit(event)
            case .ask(let question): add(.ask(question))
            case .end(let question, let outcome): add(.endQuestion(question, outcome))
            }
        }
    }
}
