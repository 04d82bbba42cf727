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
        guard let before, before.family != token?.family else {
            if let token, let before, token.number < before.number {
                world.broke(.nothingIsLost, "\(token), which was used up, is written in place of \(before).")
            }
            return
        }
        guard !personEnded(before.family), !serverEnded(before.family) else { return }
        guard let token else {
            return world.broke(.nothingIsLost, "\(before) is removed although nothing ended it.")
        }
        if token.family < before.family, isReported(before.family) {
            world.broke(.nothingIsLost, "\(token), an older session, is written in place of \(before).")
        }
    }

    private func personSignedOutBefore(_ family: Int, in process: AppProcess) -> Bool {
        signOuts.contains { $0.process == process.id && $0.mark > births(of: family) }
    }
}
