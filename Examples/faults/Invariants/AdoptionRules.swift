/// What must hold of a session that another SDK left.
extension Ledger {
    /// Whether it may be over, or somebody else's place was taken by a sign-in.
    func hasEnded(_ other: OtherSDK) -> Bool {
        personEnded(other.family) || isRefused(other.user)
            || !world.processes.allSatisfy { $0.conduct.answers.isEmpty }
    }

    /// A refresh token is sent for the first time.
    func lookAtAdoption(of token: TokenName) {
        guard let other = world.otherSDK, token == other.token(0), !hasDiskFailed else { return }
        // What is over may be on its way still.
        guard !personEnded(other.family), world.disk.token?.family != other.family else { return }
        guard world.processes.allSatisfy({ $0.conduct.answers.isEmpty }) else { return }
        world.broke(.adoptionLosesNothing, "\(token) is sent, and was not stored.")
    }

    /// Somebody looks whether something was left.
    func lookedForAdoption() {
        guard let other = world.otherSDK, world.plan.processes == 1, !hasDiskFailed else { return }
        guard signOuts.contains(where: { $0.user == other.user && $0.end != nil }), hasBeenStored(other.family) else {
            return
        }
        world.broke(.nobodyComesBack, "what another SDK left is looked for after the person signed out.")
    }

    /// The other SDK is about to forget it.
    func letsGoOfAdoption() {
        guard let other = world.otherSDK, world.disk.token == nil else { return }
        guard !hasEnded(other) else { return }
        world.broke(.adoptionLosesNothing, "the other SDK lets go of \(other.token(0)), which is kept nowhere else.")
    }
}
