extension SessionManager {
    /// What a transition leaves to do once the lock is given back: to tell those who wait.
    struct Aftermath {
        private let superseded: SignInAttempt?
        private let landed: (flight: RefreshFlight, outcome: Result<Secret, AuthError>)?
        private let grounded: RefreshFlight?
        private let unwanted: [(change: AccountChange, error: AuthError)]
        private let replanned: RefreshPlan?
        private let spareLock: SessionStoreLock?
        /// Those who wait for the store to be read.
        var reading: OneShot<Void>?
        /// Those who wait to know who is signed in.
        var decision: OneShot<Void>?
        /// The readers of the states.
        var state: BroadcastDelivery?
        /// The readers of the events.
        var events: [BroadcastDelivery] = []

        /// Takes out of the rules what the transition made needless there.
        init(_ effects: Effects, of rules: inout Rules) {
            superseded = effects.superseded
            landed = effects.landed
            grounded = rules.groundFlightOfThePast()
            unwanted = rules.takeUnwantedChanges()
            replanned = rules.replan()
            spareLock = rules.takeSpareLock()
        }

        func carryOut() {
            superseded?.supersession.resolve(())
            if let (flight, outcome) = landed { flight.outcome.resolve(outcome) }
            for (change, error) in unwanted { change.interruption.resolve(error) }
            grounded?.outcome.resolve(.failure(.superseded))
            grounded?.supersession.resolve(())
            replanned?.change.resolve(())
            spareLock?.release()
            reading?.resolve(())
            decision?.resolve(())
            state?.wakeReaders()
            for event in events { event.wakeReaders() }
        }
    }
}

extension SessionManager.Rules {
    /// - Returns: What to wait for, before it is known who is signed in; `nil` once it is.
    mutating func awaitDecision() -> OneShot<Void>? {
        guard !machine.isDecided else { return nil }
        let decision = decision ?? OneShot()
        self.decision = decision
        return decision
    }

    /// Lets go of a refresh whose generation is over.
    fileprivate mutating func groundFlightOfThePast() -> RefreshFlight? {
        guard let past = flight, past.generation != machine.generation else { return nil }
        flight = nil
        return past
    }

    /// - Returns: The lock that is kept, once there is no reason to.
    fileprivate mutating func takeSpareLock() -> SessionStoreLock? {
        debt?.spentToken == nil ? heldLock.take() : nil
    }

    /// - Returns: The plan that no longer counts, if another took its place.
    fileprivate mutating func replan() -> RefreshPlan? {
        let due = [machine.refreshDue, storeDue].compactMap { $0 }.min()
        guard due != plan.due else { return nil }
        defer { plan = RefreshPlan(due: due) }
        return plan
    }
}
