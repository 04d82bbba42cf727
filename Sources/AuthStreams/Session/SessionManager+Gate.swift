extension SessionManager {
    /// Follows where the app is.
    func follow(_ activity: AppActivity) {
        guard gate != nil else { return }
        let note: @Sendable () -> Bool = { [weak self, weak activity] in
            guard let self, let activity else { return false }
            // Read under the lock, so that the last of several changes counts.
            transition { $0.gate.moved(to: activity.phase, at: $1.uptime) }
            return true
        }
        activity.observe(note)
        _ = note()
    }

    /// Waits until the gate is open. The person is asked if the app is active, or once it is.
    ///
    /// - Throws: Why the gate refused; `superseded` when the person signed out or changed meanwhile; `cancelled`; `misconfigured` if
    ///   the gate itself asks.
    func passGate() async throws(AuthError) {
        while isGateClosed {
            if Task.isCancelled { throw .cancelled }
            guard let question = transition({ $0.gateNeeded(at: $1.uptime) }) else { return }
            let isOwnCaller = question === GateQuestion.current
            let outcome = isOwnCaller ? nil : await question.outcome.value()
            switch outcome {
            case .passed: break
            case .refused(let error): throw error
            case .withdrawn: if user?.id != question.user { throw .superseded }
            case nil:
                transition { machine, _ in machine.gate.left(question) }
                throw isOwnCaller ? .calledFromGate : .cancelled
            }
        }
    }

    /// Whether callers wait for the gate.
    var isGateClosed: Bool {
        guard gate != nil else { return false }
        let now = clock.uptime
        return read { $0.isGateClosed(at: now) }
    }

    /// Asks the person. A question that is never answered keeps nothing alive but its closure.
    func ask(_ question: GateQuestion) {
        guard let gate else { return }
        let task = GateQuestion.$current.withValue(question) {
            TaskSpawner.start { [weak self] in
                let refusal = await gate.refusal(question.reason)
                self?.transition { $0.gate.answered(question, refusal, at: $1.uptime) }
            }
        }
        question.asks(in: task)
    }
}

extension AuthError {
    fileprivate static var calledFromGate: Self {
        AuthError(
            .misconfigured,
            """
            The closure of the session's gate asked for what the gate guards, which would wait for the closure itself. Ask the \
            person without the session, and use the session afterwards.
            """)
    }
}
