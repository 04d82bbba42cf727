import AuthStreams

/// Whether the states that a process shows may follow one another.
extension Conduct {
    /// Looks at the state and the session, and whether they may be what they are after those before.
    func observe(_ process: AppProcess) {
        // What is under way goes on after the app has released the service.
        guard let snapshot = process.snapshot, snapshot != self.snapshot else { return }
        defer {
            self.snapshot = snapshot
            lookAtRecord(snapshot, of: process)
        }
        let (next, token) = (snapshot.state, snapshot.kept?.name)
        let (before, last) = (state, present)
        guard next != before || token != last else { return }
        shows(next, token, in: process.world)
        if next != before { process.world.note(process, "is \(next.story)") }
        let ledger = process.world.ledger
        let (root, lastRoot) = (
            token.map { ledger.lineage.root($0.family) }, last.map { ledger.lineage.root($0.family) }
        )
        if let last, before.number != nil, before.number != next.number {
            ledger.lookAtRefreshes(of: last.family, in: process)
        }
        if let last, token == nil {
            // Where the process shows it again, its failures count anew.
            failedRefreshes = FailedRefreshes()
            ended(last, next, wasShown: before.number != nil, process)
        }
        if let token, root != lastRoot { appeared(token, process) }
        if token == nil, last == nil, before != next {
            if case .restoring = before, case .signedOut = next, !hasStalled, !isWithoutLook { foundNoUser(process) }
            // Who came and was signed out at once was not shown.
            if next == .signedOut(.user) { leftEverywhere(nil, isUserKnown: true, process) }
        }
    }

    /// A process that goes by the present record, and has nothing to write, has its session.
    private func lookAtRecord(_ snapshot: AppProcess.Snapshot, of process: AppProcess) {
        let ledger = process.world.ledger
        guard snapshot.knownVersion == ledger.present, !snapshot.isWriting else { return }
        let stored = ledger.log[ledger.log.count - 1].content?.session
        guard snapshot.holds(stored) else {
            return process.world.broke(
                .storeAgrees,
                """
                process \(process.id + 1) knows \(stored?.token?.description ?? "none"), and has \
                \(present?.description ?? "none").
                """)
        }
    }

    private func ended(_ token: TokenName, _ state: AuthState, wasShown: Bool, _ process: AppProcess) {
        guard case .signedOut(let reason) = state else {
            // A sign-in is under way, and no reason is shown.
            return decides(token, nil, process)
        }
        if wasShown || reason != nil, !isAccounted(for: reason, token, process) {
            process.world.broke(
                .noSignOutWithoutReason,
                "session \(token.family) is over in process \(process.id + 1) as \(reason?.story ?? "nothing").")
        }
        signOutTookEffect()
        decides(token, reason, process)
        // A user who is not known yet leaves without a reason. What another process ended, or damaged, leaves nothing to write.
        if reason == .user || reason == nil && !wasShown && process.isWriting {
            leftEverywhere(token, isUserKnown: wasShown, process)
        }
        let world = process.world
        let user = world.server.user(of: token.family)
        if reason == .deleted, world.server.accounts[user].exists {
            world.broke(.deletionIsTrue, "user \(user) is signed out as deleted, and the server has the account.")
        }
    }

    /// Notes the decision by which the session ended, if it is not another process's.
    private func decides(_ token: TokenName, _ reason: SignOutReason?, _ process: AppProcess) {
        let ledger = process.world.ledger
        let (root, user) = (ledger.lineage.root(token.family), process.world.server.user(of: token.family))
        switch reason {
        case .user, .elsewhere: return
        case .deleted where ledger.isGone(user, to: process), nil where ledger.isGone(user, to: process):
            // Another user's sign-in that is being written takes the session's place already.
            if let next = process.pendingSession, process.world.server.user(of: next.family) != user { return }
            ledger.decided(.user(user), over: [token.family], in: process)
        case nil where !ledger.isRefused(token, to: process) && !ledger.hasRunOut(token.family, in: process): return
        default:
            // A session that was never stored, as far as the process knows, ends whole.
            let revision = snapshot?.kept?.stage.revision ?? 0
            ledger.decided(
                .token(token, revision: revision), over: [stored.contains(root) ? nil : token.family], in: process)
        }
    }

    private func leftEverywhere(_ token: TokenName?, isUserKnown: Bool, _ process: AppProcess) {
        let ledger = process.world.ledger
        for call in calls where call.isOpen && call.kind == .signOutEverywhere && call.signOut == nil {
            let session = token ?? process.known?.content?.session?.token
            guard let session else { continue }
            call.signOut = ledger.leftEverywhere(session, isUserKnown: isUserKnown, in: process)
        }
    }

    private func isAccounted(for reason: SignOutReason?, _ token: TokenName, _ process: AppProcess) -> Bool {
        let (world, ledger) = (process.world, process.world.ledger)
        let user = world.server.user(of: token.family)
        let root = ledger.lineage.root(token.family)
        let noes = ledger.refusals.filter { $0.process == process.id && $0.token == token }
        switch reason {
        case .user:
            return signOutMark != nil || calls.contains { $0.isOpen && $0.mayEndEverywhere(root, in: process) }
        // Whether that process had a reason is looked at where it writes the record.
        case .elsewhere:
            return hasLostRecord || process.known.map { $0.root == nil && $0.writer != process.id } ?? false
        case .refreshInterrupted:
            return noes.contains { $0.code == .sessionExpired && ($0.isOfResend || $0.isMarkedAsResend) }
        case .expired, .revoked:
            if let no = noes.last, no.isOfResend, no.isMarkedAsResend, world.plan.rule == .singleUse {
                world.broke(
                    .interruptionIsTold, "\(no.token) was sent before, and the session ends as \(reason?.story ?? "").")
            }
            return noes.contains { $0.code == .sessionExpired } || ledger.hasRunOut(token.family, in: process)
        case .disabled: return noes.contains { $0.code == .userDisabled }
        case .deleted: return noes.contains { $0.code == .userNotFound } || ledger.isGone(user, to: process)
        default: return false
        }
    }

    private func foundNoUser(_ process: AppProcess) {
        guard !hasFoundNothing, signOutMark == nil else { return }
        process.world.broke(
            .noSignOutWithoutReason, "process \(process.id + 1) shows no user, and did not see an empty store.")
    }

    private func appeared(_ token: TokenName, _ process: AppProcess) {
        let (world, ledger) = (process.world, process.world.ledger)
        let root = ledger.lineage.root(token.family)
        ledger.shown.insert(root)
        let isOwn = ledger.origins[root] == process.id
        if isOwn { ledger.signsIn(root, in: process) }
        if ledger.decisions(of: process).contains(where: { $0.over.contains(root) }) {
            return world.broke(.noUserComesBack, "session \(root) is shown again in process \(process.id + 1).")
        }
        // What is in the record that it knows, it took over.
        if process.known?.root == root { return }
        guard isOwn || root == world.otherSDK?.family && hasFoundAdoptableSession else {
            return world.broke(
                .noUserComesBack, "session \(root) appears in process \(process.id + 1), and is not its record's.")
        }
        guard lastSessionFailure > ledger.lineage.birth(root) else {
            return world.broke(
                .storedBeforeHandedOut, "session \(root) is shown, was not stored, and the store did not fail.")
        }
    }
}

extension Call {
    /// Whether it may end a session: a sign-out everywhere, of one that was there when it began. Where no user was signed in, it
    /// may be one that was found later, which another process had stored.
    fileprivate func mayEndEverywhere(_ root: Int, in process: AppProcess) -> Bool {
        let ledger = process.world.ledger
        return kind == .signOutEverywhere
            && (ledger.lineage.birth(root) < begin || user == nil && ledger.origins[root] != process.id)
    }
}
