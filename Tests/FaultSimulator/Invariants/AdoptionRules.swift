import AuthStreams

/// What must hold of the session of another SDK.
extension Ledger {
    /// Its refresh token is sent.
    func lookAtAdoption(of token: TokenName, by process: AppProcess) {
        guard let other = world.otherSDK, token == other.token(0), landings[other.family] == nil else { return }
        // Where it cannot be stored, the other SDK has its copy still, which is good for another request.
        guard
            world.plan.rule == .singleUse || !other.isThere
                || process.conduct.lastSessionFailure < process.conduct.launch
        else { return }
        world.broke(.adoptionLosesNothing, "\(token) is sent, and was not stored.")
    }

    /// Whether it is over. It is older than every decision that left no session.
    func hasEnded(_ other: OtherSDK) -> Bool {
        hasEnded(other.family) || log.contains { $0.root == nil && $0.content != nil }
    }

    /// The other SDK is about to forget it.
    func discardsAdoptableSession() {
        guard let other = world.otherSDK, landings[other.family] == nil, !hasEnded(other) else { return }
        world.broke(.adoptionLosesNothing, "the other SDK discards \(other.token(0)), which is stored nowhere else.")
    }
}
