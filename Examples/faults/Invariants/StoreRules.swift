import AuthStreams

extension Ledger {
    /// A process is about to write a record of that session.
    func willStore(_ token: TokenName?, by process: AppProcess) {
        guard let token, personSignedOutBefore(token.family, in: process) else { return }
        if process.conduct.isFindingOutWhoLeaves { return }
        // Another process may have brought the session after the sign-out. What was seen to be over is a ghost.
        world.broke(.nobodyComesBack, "\(token) is written after the person signed out in this process.")
    }

    /// A record has taken the place of another, or is gone.
    func stored(_ token: TokenName?, over before: TokenName?, by process: AppProcess) {
        defer { if let token { wasStored(token.family) } else { removals.append(process.id) } }
        // Who was stopped between comparing and writing cannot know that another waited for its lock in vain.
        if process.wasFrozen, hasLockTimedOut { return }
        guard let before, before.family != token?.family else {
            if let token, let before, token.number < before.number {
                world.broke(.nothingIsLost, "\(token), which was used up, is written in place of \(before).")
            }
            return
        }
        // A sign-in that was overtaken before anybody was told of it is taken back.
        guard isReported(before.family) else {
            if let token { tookBack(to: token.family) }
            return
        }
        guard !personEnded(before.family), !serverEnded(before.family) else { return }
        guard let token else {
            // Whose sign-in cannot be stored keeps the person before from coming back at the next launch.
            // What could not be cleared is cleared at the next chance.
            guard !process.conduct.hasFailedToWrite else { return }
            guard !process.conduct.answers.values.contains(where: { $0 > before.family }) else { return }
            return world.broke(.nothingIsLost, "\(before) is removed although nothing ended it.")
        }
        // A session that was stored before is no sign-in that came in between.
        // Nor is one that was begun here and could not be stored; and what a process could not read, it cannot know.
        let isKnown = process.conduct.tokenRead == before && !process.conduct.answers.values.contains(token.family)
        if hasBeenStored(token.family), !hasStoreFailed || isKnown {
            world.broke(.nothingIsLost, "\(token), an older session, is written in place of \(before).")
        }
    }

    private func personSignedOutBefore(_ family: Int, in process: AppProcess) -> Bool {
        let user = world.server.user(of: family)
        let seen = process.conduct.lastSeen(user)
        return signOuts.contains { $0.process == process.id && $0.mark > max(births(of: family), seen) }
    }
}
