import AuthStreams

/// What the judge notes of the decisions of a process: which sessions they end, by the order of readings and writes in the shared
/// world, and not by what the library keeps of it.
extension ExploredProcess {
    // MARK: Decisions

    /// A sign-in is committed, which replaces the session that is present and what is pending.
    func judgedSignIn(in world: inout SharedWorld) -> Judged { judgedSignOut(in: &world) }

    /// The person signs out. That ends the session that is present, and a sign-in that is being written.
    func judgedSignOut(in world: inout SharedWorld) -> Judged {
        judged(ending: [machine.kept?.id, machine.storage.pending?.next?.id], isOfPerson: true, in: &world)
    }

    /// The account is deleted. A sign-in of another user that is being written continues.
    func judgedDeletion(of user: AuthUser.ID, in world: inout SharedWorld) -> Judged {
        let next = machine.storage.pending?.next.flatMap { $0.userID == user ? $0.id : nil }
        return judged(ending: [machine.kept?.id, next], isOfPerson: true, in: &world)
    }

    /// The access is withdrawn, which concerns that session alone.
    func judgedRevocation(of family: Int, in world: inout SharedWorld) -> Judged {
        judged(ending: [SharedWorld.id(of: family)], isOfPerson: false, in: &world)
    }

    /// The server refused the tokens that are present. What is stored of that session ends if it has these tokens. One that was
    /// never stored ends.
    mutating func judgeRefusal(_ before: SessionStateMachine, in world: inout SharedWorld) {
        switch before.storage.pending?.kind {
        case .signIn?, .resumedSignIn?, .adoption?:
            var process = self
            process.machine = before
            judged = process.judged(ending: [before.storage.pending?.next?.id], isOfPerson: false, in: &world)
        default: break
        }
    }

    /// After the lock was lost, a refusal may mean that another process was first, which has the session's tokens then.
    mutating func judgeRefusal(of request: RefreshRequest, in world: SharedWorld) {
        guard lock == .lost, let tokens = TokenNumber(request.kept.refreshToken) else { return }
        if world.families[tokens.family].isAnswerRead, !world.families[tokens.family].isRevoked {
            broken.append("A session ended by a refusal, and another process has its new tokens.")
        }
    }

    /// An answer was stored, or the store failed, or it came too late.
    func judgeHandling(of answer: AuthSession, in world: inout SharedWorld) {
        if let tokens = TokenNumber(answer.refreshToken) { world.families[tokens.family].isAnswerRead = false }
    }

    private func judged(
        ending ids: [SessionID?], isOfPerson: Bool, in world: inout SharedWorld
    ) -> Judged {
        var judged = judged
        // A decision that takes the place of another one is as unread as that one, until its first reading.
        judged.isUnread =
            machine.storage.pending == nil ? machine.isUnread : judged.isUnread && judged.found == nil
        var ids = ids
        // What the server refused ends with the decision that takes the place of the refusal.
        if let pending = machine.storage.pending, case .refusal = pending.kind { ids += pending.ends }
        for case let id? in ids { judged.end(SharedWorld.family(of: id), in: &world) }
        // A sign-in that continues was decided before.
        let next = machine.storage.pending?.next?.id
        if next == nil || ids.contains(next) { judged.found = nil }
        // What was found at a launch is older than every decision of the person.
        if isOfPerson, world.adoptable != nil { judged.end(0, in: &world) }
        return judged
    }

    // MARK: Writes

    /// A decision is written, or the store fails: it was made at the reading before, unless there was an earlier one.
    mutating func judgeWrite(_ attempt: SessionStateMachine.WriteAttempt) {
        // What was decided since then takes the place of a decision that has had its first reading.
        guard isPending else {
            judged.isUnread = false
            return
        }
        guard judged.found == nil else { return }
        let found = attempt.found.session.map { SharedWorld.family(of: $0.id) }
        judged.found =
            found.map { .session($0) }
            ?? (attempt.found.record == nil && attempt.found.version != .none ? .removal : .nothing)
    }

    /// The record was removed by this process, which is no decision of another one.
    mutating func judgeRemoval(_ attempt: SessionStateMachine.WriteAttempt) {
        if isPending { judged.found = .removal }
    }

    /// Whether the decision that is being written is pending still.
    private var isPending: Bool { machine.storage.pending != nil && !machine.storage.isQueued }

    // MARK: Faults

    mutating func judgeLossOfLock(in world: inout SharedWorld) {
        for family in usedFamilies { world.families[family].mayBeSentAgain = true }
        if change.isInside { world.isProfileUncertain = true }
    }

    /// What was not stored is lost with the process.
    mutating func die(in world: inout SharedWorld) {
        for family in usedFamilies {
            (world.families[family].mayBeSentAgain, world.families[family].isAnswerRead) = (true, false)
        }
        let pending = machine.storage.pending
        if change.isInside || pending != nil { world.isProfileUncertain = true }
        for family in world.families.indices where judged.hasEnded(family) && !world.families[family].isGone {
            (world.families[family].isEnded, world.families[family].mayBeMissing) = (false, true)
        }
        if let next = pending?.next { world.families[SharedWorld.family(of: next.id)].mayBeMissing = true }
        self = ExploredProcess()
    }
}

extension ExploredProcess.Judged {
    mutating func end(_ family: Int, in world: inout SharedWorld) {
        end(family)
        world.families[family].isEnded = true
    }

    /// A decision was made at a reading that found this session.
    mutating func endFound(_ family: Int, by decision: PendingWrite, in world: inout SharedWorld) {
        let isEnded =
            switch decision.kind {
            case .signIn: true
            case .resumedSignIn(let user), .signOut(let user): isUnread || user == world.user(of: family)
            case .revocation, .refusal, .adoption, .tokens: false
            }
        if isEnded, decision.next.map({ SharedWorld.family(of: $0.id) }) != family { end(family, in: &world) }
    }
}
