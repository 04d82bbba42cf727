import AuthStreams

extension Ledger {
    /// A process is about to write a record of that session.
    func willStore(_ token: TokenName?, by process: AppProcess) {
        guard let token, personSignedOutBefore(token.family, in: process) else { return }
        // What was on its way to the store when they signed out is removed after it; what comes later is a ghost.
        world.broke(.nobodyComesBack, "\(token) is written after the person signed out in this process.")
    }

    /// A record has taken the place of another, or is gone.
    func stored(_ token: TokenName?, over before: TokenName?, by process: AppProcess) {
        defer { if let token { wasStored(token.family) } }
        guard let before, before.family != token?.family else {
            if let token, let before, token.number < before.number {
                world.broke(.nothingIsLost, "\(token), which was used up, is written in place of \(before).")
            }
            return
        }
        // A sign-in that was overtaken before anybody was told of it is taken back.
        guard isReported(before.family), !personEnded(before.family), !serverEnded(before.family) else { return }
        guard let token else {
            return world.broke(.nothingIsLost, "\(before) is removed although nothing ended it.")
        }
        // A session that was stored before is no sign-in that came in between.
        if hasBeenStored(token.family) {
            world.broke(.nothingIsLost, "\(token), an older session, is written in place of \(before).")
        }
    }

    private func personSignedOutBefore(_ family: Int, in process: AppProcess) -> Bool {
        signOuts.contains { $0.process == process.id && $0.mark > births(of: family) }
    }
}
