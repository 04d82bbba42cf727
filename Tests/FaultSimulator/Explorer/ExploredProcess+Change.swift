import AuthStreams

/// What a change of the account does in memory between two steps that take time.
extension ExploredProcess {
    mutating func synchronizedChange(_ isRead: Bool, at now: Timestamp) {
        guard case .synchronizing(let change) = change else { return }
        guard isRead, !isChangeInterrupted, let request = machine.request(),
            let session = request.kept.session,
            session.user.id == SharedWorld.user(change.user), session.accessToken == change.token
        else { return leaveChange(at: now) }
        self.change = .ready(change, request)
    }

    /// Leaves the section that the refresh lock guards.
    mutating func leaveChange(at now: Timestamp) {
        guard let change = change.change else { return }
        if machine.storage.isUnderWay {
            self.change = .persistingQueued(change)
        } else {
            endChange(change, at: now)
        }
    }

    private mutating func endChange(_ change: Change, at now: Timestamp) {
        retainLock()
        _ = machine.changeEnded(change.operation, .unreachable, at: now.uptime)
        self.change = .none
        isChangeInterrupted = false
    }

    mutating func persistedForChange(at now: Timestamp) {
        switch change {
        case .persisting(let change): self.change = .synchronizing(change)
        case .persistingQueued(let change): endChange(change, at: now)
        default: leaveChange(at: now)
        }
    }
}
