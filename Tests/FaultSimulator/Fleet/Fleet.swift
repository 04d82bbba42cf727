import AuthStreams
import Foundation

/// Devices that share a server, in simulated time. Each has a policy, and no device knows of another.
///
/// Every device has one next request. Requests wait in a list for each second, so the cost of one does not depend on the
/// number of devices.
struct Fleet<Policy: FleetPolicy> {
    private struct Device {
        var policy = Policy()
        /// The number of its access token; zero before it has signed in.
        var token: UInt32 = 0
        /// Requests that failed since the last success.
        var failures: UInt32 = 0
    }

    private let scenario: FleetScenario
    private let tokenBase: UInt64
    private var devices: [Device]
    private var waiting: [[UInt32]]
    private var session: AuthSession
    private var record: FleetRecord

    static func play(_ scenario: FleetScenario, devices count: Int, seed: UInt64) -> FleetRecord {
        var fleet = Fleet(scenario, count, seed)
        for second in 0..<FleetScenario.end {
            // A request may be followed by another one in the same second.
            var place = 0
            while place < fleet.waiting[second].count {
                fleet.step(Int(fleet.waiting[second][place]), in: second)
                place += 1
            }
            fleet.waiting[second] = []
        }
        return fleet.record
    }

    private init(_ scenario: FleetScenario, _ count: Int, _ seed: UInt64) {
        var chance = Chance(seed: seed)
        self.scenario = scenario
        tokenBase = chance.next() >> 32
        devices = Array(repeating: Device(), count: count)
        waiting = Array(repeating: [], count: FleetScenario.end)
        session = AuthSession(
            accessToken: Secret("a"), refreshToken: nil, expiresAt: nil, user: AuthUser(id: "u"), provider: .kakao)
        record = FleetRecord(scenario: scenario, devices: count)
        for device in devices.indices { waiting[chance.below(scenario.signedIn)].append(UInt32(device)) }
    }

    private mutating func step(_ number: Int, in second: Int) {
        let uptime = devices[number].policy.due ?? .seconds(second)
        if devices[number].token > 0 {
            record.requests[second] += 1
            if devices[number].failures > 0 { record.retries += 1 }
            if let error = scenario.failure(at: uptime) { return fail(number, error, at: uptime) }
            if devices[number].failures > 0 { record.lastFresh = uptime }
            if devices[number].policy.isOver(at: uptime) { record.expired += 1 }
        }
        devices[number].token += 1
        devices[number].failures = 0
        let date = Date(timeIntervalSince1970: 1_800_000_000 + uptime / .seconds(1))
        session.accessToken = token(of: number)
        session.expiresAt = date.addingTimeInterval(Double(FleetScenario.hour))
        devices[number].policy.refreshed(session, at: Timestamp(date: date, uptime: uptime))
        wait(number)
    }

    private mutating func fail(_ number: Int, _ error: AuthError, at uptime: Duration) {
        guard error.classification.sessionEnd == nil else {
            record.signedOut += 1
            return
        }
        devices[number].failures += 1
        record.mostRetries = max(record.mostRetries, Int(devices[number].failures))
        devices[number].policy.failed(error, spreadBy: token(of: number), at: uptime)
        wait(number)
    }

    private mutating func wait(_ number: Int) {
        guard let due = devices[number].policy.due else { return }
        let second = Int(due.components.seconds)
        if second < waiting.count { waiting[second].append(UInt32(number)) }
    }

    private func token(of number: Int) -> Secret {
        Secret(String(tokenBase + UInt64(number) << 12 + UInt64(devices[number].token), radix: 36))
    }
}

/// What the server of a fleet saw.
struct FleetRecord: Sendable {
    let scenario: FleetScenario
    let devices: Int
    /// Refreshes in each second.
    var requests = Array(repeating: 0, count: FleetScenario.end)
    var retries = 0
    var mostRetries = 0
    var signedOut = 0
    /// How often an access token was over before the next one came.
    var expired = 0
    /// When the last device that had failed was refreshed.
    var lastFresh = Duration.zero

    init(scenario: FleetScenario, devices: Int) {
        self.scenario = scenario
        self.devices = devices
    }

    /// Requests a second in the last hour.
    var steady: Double { rate(FleetScenario.end - FleetScenario.hour..<FleetScenario.end) }

    /// Over how many seconds a peak is measured: ten, and more where chance alone would make peaks of few requests.
    var window: Int { max(10, Int(400 / max(steady, 0.01))) }

    func rate(_ seconds: Range<Int>) -> Double { Double(requests[seconds].reduce(0, +)) / Double(seconds.count) }

    /// The highest rate of a window, and the second in which that begins.
    func peak(in seconds: Range<Int>) -> (rate: Double, second: Int) {
        let last = max(seconds.lowerBound, seconds.upperBound - window)
        let starts = stride(from: seconds.lowerBound, through: last, by: window)
        return starts.map { (rate($0..<min($0 + window, seconds.upperBound)), $0) }.max { $0.0 < $1.0 } ?? (0, 0)
    }

    /// The highest rate while the server worked.
    var peak: (rate: Double, second: Int) {
        let (before, after) = (
            peak(in: 0..<scenario.trouble.lowerBound), peak(in: scenario.trouble.upperBound..<FleetScenario.end)
        )
        return before.rate > after.rate ? before : after
    }

    /// From the end of the trouble until every device that had failed was refreshed.
    var timeUntilFresh: Duration { max(.zero, lastFresh - .seconds(scenario.trouble.upperBound)) }

    /// What was promised and did not hold.
    var broken: [String] {
        var broken: [String] = []
        if peak.rate > 2 * steady { broken.append("the peak is more than twice the steady rate") }
        if timeUntilFresh > .seconds(FleetScenario.hour) { broken.append("some devices are not fresh after an hour") }
        if signedOut > 0 { broken.append("devices are signed out") }
        return broken
    }
}
