import AuthStreams

/// What must hold of a session that another SDK left.
extension Ledger {
    /// Whether it is over, or its place was taken by a sign-in.
    func hasEnded(_ other: OtherSDK) -> Bool {
        guard let newest = lineage.newest else { return false }
        return lineage.root(newest) != other.family || hasEnded(newest)
    }

    /// Its refresh token is sent.
    func lookAtAdoption(of token: TokenName, by process: AppProcess) {
        guard let other = world.otherSDK, token == other.token(0), !hasEnded(other) else { return }
        // Where it cannot be stored, the other SDK has its copy still.
        let mayBeUnstored = other.isThere && process.conduct.hasFailed(.session, since: 0)
        guard world.disk.token?.family != other.family, !wasDamaged(other.family), !mayBeUnstored else { return }
        world.broke(.adoptionLosesNothing, "\(token) is sent, and was not stored.")
    }

    /// The record of the session was written.
    func lookAtAdoption(stored token: TokenName?, over before: TokenName?) {
        guard let other = world.otherSDK, token?.family == other.family, before?.family != other.family else { return }
        // Who holds a session whose record was damaged writes it anew, and may not know yet that it is over.
        // Where the note of it could not be written, a launch before that is written takes it up again.
        let isUnnoted =
            mayAdoptAgain || world.processes.contains { !$0.isGone && $0.conduct.hasFailed(.adoption, since: 0) }
        guard hasEnded(other.family, isDone: true), !isUnnoted, !wasDamaged(other.family) else {
            return
        }
        world.broke(.nobodyComesBack, "the session of another SDK is taken over after its end.")
    }

    /// Whether a record of the session, or of one that came of it, was damaged.
    func wasDamaged(_ family: Int) -> Bool { damagedSessions.contains { lineage.root($0.family) == family } }

    /// The other SDK is about to forget it.
    func discardsLegacySession() {
        guard let other = world.otherSDK, world.disk.token == nil, !wasDamaged(other.family), !hasEnded(other) else {
            return
        }
        world.broke(.adoptionLosesNothing, "the other SDK discards \(other.token(0)), which is stored nowhere else.")
    }
}
