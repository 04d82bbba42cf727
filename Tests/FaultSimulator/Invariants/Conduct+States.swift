import AuthStreams

/// Whether the states that a process shows may follow one another.
extension Conduct {
    /// Looks at the state, and whether it may be what it is after the one before.
    func observe(_ process: AppProcess) {
        // A call under way retains the service after the app has released it.
        guard let next = process.weakService?.state, next != state else { return }
        let (before, lastSession) = (state, session)
        shows(next, in: process.world)
        process.world.note(process, "is \(next.story)")
        let (was, user) = (before.number, next.number)
        if let lastSession, was != user { process.world.ledger.isOver(lastSession, in: process) }
        switch (was, user) {
        case (let was?, nil): ended(was, next, process)
        case (nil, nil):
            if case .restoring = before, case .signedOut(let reason) = next { foundNobody(reason, process) }
            // Who came and was signed out at once was not shown.
            if next == .signedOut(.user) {
                for call in calls where call.isOpen && call.kind == .signOutEverywhere {
                    if let user = call.user { leftEverywhere(user, process) }
                }
            }
        case (_, let user?) where was != user: appeared(user, process)
        default: break
        }
    }

    private func ended(_ user: Int, _ state: AuthState, _ process: AppProcess) {
        guard case .signedOut(let reason) = state else { return }
        if !isAccounted(for: reason, user, process) {
            process.world.broke(
                .noSignOutWithoutReason,
                "user \(user) is signed out in process \(process.id + 1) as \(reason?.story ?? "nothing").")
        }
        isOver()
        if reason == .user { leftEverywhere(user, process) }
        if reason == .deleted { deleted(user, process) }
    }

    private func leftEverywhere(_ user: Int, _ process: AppProcess) {
        let ledger = process.world.ledger
        for call in calls where call.isOpen && call.kind == .signOutEverywhere {
            if let signOut = call.signOut {
                if ledger.signOuts[signOut].isFindingOut { ledger.foundOut(signOut, of: user, in: process) }
            } else {
                call.signOut = ledger.signOutBegan(of: user, in: process, isEverywhere: true)
            }
            personLeaves(user)
        }
    }

    private func deleted(_ user: Int, _ process: AppProcess) {
        let world = process.world
        if world.server.accounts[user].exists {
            world.broke(.deletionIsTrue, "user \(user) is signed out as deleted, and the server has the account.")
        }
    }

    private func isAccounted(for reason: SignOutReason?, _ user: Int, _ process: AppProcess) -> Bool {
        let ledger = process.world.ledger
        let noes = ledger.refusals.filter { process.world.server.user(of: $0.token.family) == user }
        switch reason {
        case .user: return signOutMark != nil || calls.contains { $0.isOpen && $0.kind == .signOutEverywhere }
        // Whether that process had a reason is looked at where it removes the record.
        case .elsewhere:
            if case .empty = lastReading { return ledger.lastWriter != process.id }
            return false
        // A process may note a request and die before it sends it.
        case .refreshInterrupted:
            return noes.contains { $0.code == .sessionExpired && ($0.isOfResend || $0.isNotedAsResend) }
        case .expired, .revoked:
            if let no = noes.last(where: { $0.process == process.id }), no.isOfResend, no.isNotedAsResend,
                process.world.plan.rule == .singleUse
            {
                process.world.broke(
                    .interruptionIsTold, "\(no.token) was sent before, and the session ends as \(reason?.story ?? "").")
            }
            return noes.contains { $0.code == .sessionExpired }
                || possibleSessions(of: user).contains(where: ledger.hasRunOut)
        case .disabled: return noes.contains { $0.code == .userDisabled }
        case .deleted: return noes.contains { $0.code == .userNotFound } || ledger.isGone(user, to: process)
        default: return false
        }
    }

    private func foundNobody(_ reason: SignOutReason?, _ process: AppProcess) {
        if let other = process.world.otherSDK {
            // The user of the session of another SDK was not known yet.
            if let reason, isAccounted(for: reason, other.user, process) { return }
            if reason == nil, hasStalled || isWithoutLook { return }
        }
        switch lastReading {
        case .empty, .failed, .unreadable: return
        case .none, .record: break
        }
        guard signOutMark == nil else { return }
        process.world.broke(
            .noSignOutWithoutReason, "process \(process.id + 1) shows no user, and did not see an empty store.")
    }

    private func appeared(_ user: Int, _ process: AppProcess) {
        let world = process.world
        guard userRead != user, userLeft != user, !calls.contains(where: { $0.isOpen && $0.brings(user, to: process) })
        else { return }
        world.broke(
            .nobodyComesBack, "user \(user) is signed in in process \(process.id + 1), and did not sign in there.")
    }
}
