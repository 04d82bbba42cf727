import AuthStreams

/// What a schedule is about: who runs, what kind of server there is, how much goes wrong.
struct Plan: Hashable, Sendable {
    /// How many processes share the device, one or two.
    var processes: Int
    /// What becomes of a refresh token by being used.
    var rule: RefreshTokenRule
    /// How long a refresh token that was used is still taken.
    var reuseWindow: Milliseconds
    /// How long an access token is good.
    var lifetime: Milliseconds
    /// One in so many requests meets a fault of the network or the server; zero for none.
    var networkFaults: Int
    /// One in so many accesses to the disk takes its time; zero for none.
    var slowDisk: Int
    /// The longest way of a request or an answer.
    var latency: Milliseconds
    /// Whether the server's answers say the time.
    var tellsTime: Bool

    init(_ chance: inout Chance) {
        processes = chance.oneIn(3) ? 2 : 1
        rule = chance.oneIn(4) ? .reusable : .singleUse
        reuseWindow = chance.pick(0, 0, 30_000)
        lifetime = chance.pick(300_000, 600_000, 3_600_000)
        networkFaults = chance.pick(0, 2, 4, 8)
        slowDisk = chance.pick(2, 4, 8)
        latency = chance.pick(500, 2000, 8000)
        tellsTime = chance.oneIn(4)
    }
}

extension Plan: CustomStringConvertible {
    var description: String {
        """
        \(processes) process\(processes == 1 ? "" : "es"), refresh tokens \(rule) (window \(reuseWindow / 1000) s), \
        access tokens for \(lifetime / 1000) s, one request in \(networkFaults) meets a fault
        """
    }
}
