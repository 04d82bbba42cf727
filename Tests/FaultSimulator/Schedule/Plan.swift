import AuthStreams

/// What a schedule is about: who runs, what kind of server there is, how much goes wrong.
struct Plan: Hashable, Sendable {
    /// How many share the device, one to three.
    var processes: Int
    /// Whether they are services in one process, which die and stand still together.
    var isOneProcess: Bool
    /// How many persons there are, two or three.
    var persons: Int
    /// Whether the server gives refresh tokens.
    var hasRefreshTokens: Bool
    /// What a use does to a refresh token.
    var rule: RefreshTokenRule
    /// How long a used refresh token is still accepted.
    var reuseWindow: Milliseconds
    /// How long an access token is valid.
    var lifetime: Milliseconds
    /// One in so many requests meets a fault of the network or the server; zero for none.
    var networkFaults: Int
    /// One in so many accesses to the disk takes its time; zero for none.
    var slowDisk: Int
    /// The longest way of a request or an answer.
    var latency: Milliseconds
    /// Whether the server's answers say the time.
    var tellsTime: Bool
    /// How wrong the device's clock is at first.
    var clockError: Milliseconds
    /// Whether it is about accounts that change too, and not about sessions alone.
    var isAboutAccounts: Bool
    /// The session of another SDK, if there is one.
    var adoptableSession: AdoptableSessionPlan?
    /// Whether the server requires a recent sign-in before it deletes an account or removes an identity.
    var wantsProof: Bool
    /// Whether the app's access at a provider is to be withdrawn before a deletion.
    var revokesAccess: Bool
    /// What the server answers to a change of the account.
    var changes: ChangeAnswer
    /// Whether locks are leases, which a process can lose.
    var losesLocks: Bool
    /// How the server asks for further steps; `nil` if it does not.
    var challenges: ChallengePlan?

    init(_ chance: inout Chance) {
        processes = chance.pick(1, 1, 1, 1, 1, 2, 2, 2, 3)
        isOneProcess = chance.oneIn(4)
        persons = chance.pick(2, 2, 3)
        hasRefreshTokens = !chance.oneIn(12)
        rule = chance.oneIn(4) ? .reusable : .singleUse
        reuseWindow = chance.pick(0, 0, 30_000)
        lifetime = chance.pick(300_000, 600_000, 3_600_000)
        networkFaults = chance.pick(0, 2, 4, 8)
        slowDisk = chance.pick(2, 4, 8)
        latency = chance.pick(500, 500, 500, 2000, 8000)
        tellsTime = chance.oneIn(4)
        clockError = chance.pick(0, 0, 0, -86_400_000, 86_400_000, 600_000, -600_000)
        isAboutAccounts = chance.oneIn(2)
        let other = hasRefreshTokens && chance.oneIn(6) ? (user: chance.below(2), isKnown: chance.oneIn(2)) : nil
        wantsProof = chance.oneIn(2)
        revokesAccess = chance.oneIn(2)
        changes = chance.pick(.user, .accessToken, .session)
        losesLocks = chance.oneIn(3)
        adoptableSession = other.map {
            AdoptableSessionPlan(
                user: $0.user, isKnown: $0.isKnown, unsupportedUntil: slowDisk == 2 && !wantsProof ? 20_000 : 0)
        }
    }
}

extension Plan: CustomStringConvertible {
    var description: String {
        """
        \(processes) \(isOneProcess ? "service" : "process")\(processes == 1 ? "" : isOneProcess ? "s" : "es"), \
        refresh tokens \(hasRefreshTokens ? "\(rule)" : "none") (window \(reuseWindow / 1000) s), \
        access tokens for \(lifetime / 1000) s, one request in \(networkFaults) meets a fault\(losesLocks ? ", locks can be lost" : "")\
        \(challenges.map { ", one in \($0.times) is answered with a further step for \($0.lifetime / 1000) s" } ?? "")
        """
    }
}
