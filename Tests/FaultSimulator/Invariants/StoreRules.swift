import AuthStreams

/// What must hold of the record of the session, write by write: a session stays until a decision ends it that is newer, and what
/// ended never comes back.
///
/// Whether it is newer, the versions say: see ``Decision``. A process that dies before the store took its decision loses it.
/// What a damaged record held counts as nothing for a decision, and is written anew by a process that had read it.
extension Ledger {
    /// A process asks the store to write a record of the session.
    func willWrite(_ content: RecordContent?, replacing version: RecordVersion, by process: AppProcess) -> WriteAttempt
    {
        let replaced = log.indices.contains(Int(version.rawValue)) ? log[Int(version.rawValue)].content : nil
        let isDiscardNote =
            content?.isDiscarded ?? false && replaced.map { !($0.isDiscarded ?? false) } ?? false
            && content?.session?.id == replaced?.session?.id && content?.ended == replaced?.ended
        if let session = content?.session, let token = session.token, !isDiscardNote {
            signsIn(lineage.root(token.family), in: process)
            if session.isSent ?? false {
                willMark(
                    token, isRepeat: replaced?.session?.token == token && replaced?.session?.isSent ?? false,
                    by: process)
            }
            let root = lineage.root(token.family)
            if decisions(of: process).contains(where: { $0.over.contains(root) }) {
                world.broke(.noUserComesBack, "\(token) is written, and was ended in process \(process.id + 1).")
            }
        }
        // A removal takes the place of the write before, which failed.
        if !isDiscardNote, let content { attempted[process.id] = decisionCount(of: content, by: process) }
        return WriteAttempt(
            process: process, content: content, isDiscardNote: isDiscardNote,
            decisions: isDiscardNote ? 0 : attempted[process.id] ?? 0)
    }

    private func decisionCount(of content: RecordContent, by process: AppProcess) -> Int {
        let made = decisions(of: process)
        guard let token = content.session?.token else { return made.count }
        let root = lineage.root(token.family)
        if let place = made.lastIndex(where: { $0.next == root }) { return place + 1 }
        for index in made.indices { decisions[process.id]?[index].isSettled = true }
        return 0
    }

    /// The store wrote a record, or failed, and did not refuse it: from then on it is decided what is newer.
    func tried(_ attempt: WriteAttempt, replacing version: RecordVersion) {
        let id = attempt.process.id
        for (index, decision) in decisions(of: attempt.process).prefix(attempt.decisions).enumerated()
        where decision.base == nil && !decision.isSettled {
            decisions[id]?[index].base = version
        }
        // What was decided since then takes the place of a decision that has had its first reading.
        for index in decisions(of: attempt.process).indices.dropFirst(attempt.decisions) where attempt.decisions > 0 {
            decisions[id]?[index].isUnread = false
        }
    }

    /// A record has taken the place of another, or is gone.
    ///
    /// - Parameter isDamaged: Whether the one before was damaged.
    func stored(_ attempt: WriteAttempt, isDamaged: Bool) {
        let (process, before) = (attempt.process, log[log.count - 1])
        let version = RecordVersion(rawValue: UInt64(log.count))
        let root = attempt.content?.session.flatMap { name($0) }
        // The note says nothing of who left the record with its session, or without one.
        let writer = attempt.isDiscardNote ? before.writer : process.id
        let entry = StoreEntry(content: attempt.content, root: root, writer: writer, mark: mark())
        let made = decisions(of: process).prefix(attempt.decisions)
        let isRemoval = attempt.content == nil
        if let root, root != before.root {
            lookAtNew(root, made)
        }
        if let old = before.root, root != old { lookAtEnd(of: old, attempt, over: before, isDamaged, made) }
        if root == before.root { lookAtProgress(attempt, over: before) }
        if !isRemoval, !isDamaged { lookAtHistory(attempt, over: before, made) }
        if let old = before.root, root != old { ended.insert(old) }
        for id in attempt.content?.ended ?? [] { if let root = roots[id] { ended.insert(root) } }
        if let root, landings[root] == nil { landings[root] = version }
        log.append(entry)
        if let old = before.content?.session?.token, attempt.content?.session?.token != old, uses[old]?.storedAt == nil
        {
            uses[old]?.storedAt = mark()
        }
    }

    /// Something beyond all processes wrote the record in another form.
    func rewritten(_ content: RecordContent?) {
        log.append(StoreEntry(content: content, root: log[log.count - 1].root, writer: nil, mark: mark()))
    }

    /// Learns the name of a session: each has one, and keeps it.
    private func name(_ session: RecordContent.Kept) -> Int? {
        guard let token = session.token else { return nil }
        let root = lineage.root(token.family)
        if roots[session.id] ?? root != root || names[root] ?? session.id != session.id {
            world.broke(.sessionsKeepTheirNames, "\(token) is stored under another session's name, or a second one.")
        }
        (roots[session.id], names[root]) = (root, session.id)
        return root
    }

    /// A session takes the place of another one, or of none.
    private func lookAtNew(
        _ root: Int, _ made: ArraySlice<Decision>
    ) {
        if ended.contains(root) {
            return world.broke(.noUserComesBack, "session \(root) is stored again after its end.")
        }
        if root == world.otherSDK?.family {
            guard log.count > 1 else { return }
            return world.broke(.noUserComesBack, "the session of another SDK is stored after other records.")
        }
        guard !made.contains(where: { $0.next == root }) else { return }
        world.broke(.noUserComesBack, "session \(root) is stored by a process that did not sign in.")
    }

    /// A session is no longer stored.
    private func lookAtEnd(
        of root: Int, _ attempt: WriteAttempt, over before: StoreEntry, _ isDamaged: Bool, _ made: ArraySlice<Decision>
    ) {
        // What a damaged record held, a decision of the person cannot know. An adoptable session is older than each.
        let mayBeUnknown = isDamaged || before.content?.session?.isFoundAtLaunch ?? false
        guard !mayBeUnknown || !made.contains(where: \.isOfPerson) else { return }
        guard !made.contains(where: { ends($0, root, before.content?.session, at: $0.base) }) else { return }
        world.broke(
            .nothingIsLost,
            "session \(root) is replaced by \(attempt.content?.session?.token?.description ?? "none"), which is not newer."
        )
    }

    /// A record of the same session, or of none, has taken the place of another.
    private func lookAtProgress(_ attempt: WriteAttempt, over before: StoreEntry) {
        guard let old = before.content?.session, let new = attempt.content?.session else { return }
        let isOlder =
            new.tokens < old.tokens || new.edition < old.edition
            || new.token?.family == old.token?.family && new.token?.number ?? 0 < old.token?.number ?? 0
            || new.revision == old.revision && new.refreshToken != old.refreshToken
            || new.tokens == old.tokens && new.access != old.access
        if isOlder {
            world.broke(
                .nothingIsLost,
                "\(new.token?.description ?? "") is written in place of \(old.token?.description ?? ""), which is newer."
            )
        }
    }

    /// What a record says of sessions that ended stays, and only what ended is added.
    private func lookAtHistory(_ attempt: WriteAttempt, over before: StoreEntry, _ made: ArraySlice<Decision>) {
        guard let new = attempt.content, let old = before.content else { return }
        let added = new.ended.filter { !old.ended.contains($0) }
        if new.ended != (old.ended + added).suffix(RecordContent.limit)
            || new.endedCount != old.endedCount + added.count || old.isAdopted ?? false && !(new.isAdopted ?? false)
            || old.isDiscarded ?? false && !(new.isDiscarded ?? false)
        {
            world.broke(.historyStays, "a record forgets what the one before says of sessions that ended.")
        }
        if let root = before.root, let id = old.session?.id, new.session?.id != id, !new.ended.contains(id) {
            world.broke(.historyStays, "a record does not say that session \(root) ended, which it replaces.")
        }
        for id in added {
            guard let root = roots[id], !ended.contains(root) else { continue }
            let stored = root == before.root ? old.session : nil
            let isDecided = made.contains { ends($0, root, stored, at: $0.base) }
            let isFoundAtLaunch = root == before.root && old.session?.isFoundAtLaunch ?? false
            guard !isDecided, !(isFoundAtLaunch && made.contains(where: \.isOfPerson)) else { continue }
            world.broke(.nothingIsLost, "a record says that session \(root) ended, which nothing ended.")
        }
    }

    // MARK: At rest

    /// A process is about to die, or its service to be released.
    func lookAtLoss(in process: AppProcess) {
        guard let stage = process.presentStage, let stored = world.disk.content?.session, stored.id == stage.id.rawValue
        else { return }
        let isFailing = [.session, .damagedSession].contains {
            process.conduct.hasFailed($0, since: process.conduct.launch)
        }
        guard stored.tokens < stage.tokens, !isFailing else { return }
        world.broke(.nothingIsLost, "process \(process.id + 1) goes with tokens that were not stored.")
    }

    /// Whether what the answer to a refresh token brought was stored, or the record of the token replaced.
    func isAnswerStored(_ token: TokenName) -> Bool {
        guard let stored = world.disk.token else { return !world.disk.isDamaged }
        guard stored.family == token.family else { return true }
        return stored.number > token.number
    }

    /// At rest, each process that lives has stored what it decided, unless another one decided later.
    func decisionsAreStored() {
        let present = log[log.count - 1]
        guard !world.disk.isDamaged else { return }
        for process in world.processes where !process.isGone {
            for (index, decision) in decisions(of: process).enumerated() {
                if let root = present.root,
                    isLeft(root, present, by: decision, isLast: index == decisions(of: process).count - 1)
                {
                    world.broke(
                        .noUserComesBack, "session \(root) is stored, and process \(process.id + 1) had ended it.")
                }
                guard let root = decision.next, landings[root] == nil, !ended.contains(root) else { continue }
                let isOver = decisions(of: process)[(index + 1)...].contains { $0.over.contains(root) }
                guard !isOver, !serverEnded(root), !hasRunOut(root, in: process), !isOutrun(decision, root) else {
                    continue
                }
                world.broke(.nothingIsLost, "session \(root) was never stored, and nothing ended it.")
            }
        }
    }

    /// Whether a session is stored that a decision ends.
    private func isLeft(_ root: Int, _ entry: StoreEntry, by decision: Decision, isLast: Bool) -> Bool {
        // One that was never written found what was there when it was made, or what came later.
        let base = decision.base ?? (isLast ? decision.present : nil)
        return ends(decision, root, entry.content?.session, at: base)
    }

    /// Whether another process decided after that sign-in, before it could be stored.
    private func isOutrun(_ decision: Decision, _ root: Int) -> Bool {
        guard let base = decision.base else { return false }
        return log[(Int(base.rawValue) + 1)...].contains { entry in
            guard entry.writer != decision.process else { return false }
            let isNamed = names[root].map { entry.content?.ended.contains($0) ?? false } ?? false
            // A session that the sign-in ends does not take its place.
            let isOther = entry.root.map { !ends(decision, $0, entry.content?.session, at: base) } ?? false
            return isOther || entry.content == nil || isNamed
        }
    }
}
