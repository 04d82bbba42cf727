import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import faults

@Suite struct FleetTests {
    /// Refreshes five minutes before the expiry, retries after 1 s, 2 s, 4 s … and does what the server says to the second.
    private struct PolicyWithoutSpread: FleetPolicy {
        private var expiry: Duration?
        private(set) var due: Duration?
        private var failures = 0

        mutating func refreshed(_ session: AuthSession, at now: Timestamp) {
            expiry = session.expiresAt.map { now.uptime + .seconds($0.timeIntervalSince(now.date)) }
            due = expiry.map { $0 - .seconds(300) }
            failures = 0
        }

        mutating func failed(_ error: AuthError, spreadBy token: Secret?, at uptime: Duration) {
            failures += 1
            due = uptime + max(error.retryAfter ?? .zero, .seconds(min(300, 1 << min(failures - 1, 9))))
        }

        func isOver(at uptime: Duration) -> Bool { expiry.map { uptime >= $0 } ?? false }
    }

    private static let devices = TestVolume.of(5_000, full: 20_000)

    /// Takes every failure for the end of the session.
    private static let ended = FleetScenario(
        title: "The server takes a pause for an end.", signedIn: 3600, trouble: 7200..<7260,
        error: { _ in AuthError(.sessionExpired, "Gone.") })

    private static let limited = FleetScenario(
        title: "For ten minutes the server answers 429, and asks for a minute each time.", signedIn: 3600,
        trouble: 7200..<7800, error: { _ in AuthError(.rateLimited, "Later.", retryAfter: .seconds(60)) })

    @Test(arguments: FleetScenario.all.indices, [1, 2]) func theLibrarySparesTheServer(index: Int, seed: UInt64) {
        let record = Fleet<LibraryPolicy>.play(FleetScenario.all[index], devices: Self.devices, seed: seed)
        #expect(record.broken == [], "\(record.text)")
        #expect(record.retries > 0 && record.timeUntilFresh > .zero)
    }

    @Test func aShortWishThatIsRepeatedIsSpreadToo() {
        let record = Fleet<LibraryPolicy>.play(Self.limited, devices: Self.devices, seed: 1)
        #expect(record.broken == [], "\(record.text)")
    }

    @Test(arguments: FleetScenario.all.indices) func withoutSpreadAWaveBreaksThePromise(index: Int) {
        let record = Fleet<PolicyWithoutSpread>.play(FleetScenario.all[index], devices: Self.devices, seed: 1)
        #expect(record.broken.contains("the peak is more than twice the steady rate"), "\(record.text)")
    }

    @Test func whoIsSignedOutIsCounted() {
        let record = Fleet<LibraryPolicy>.play(Self.ended, devices: Self.devices, seed: 1)
        #expect(record.signedOut > 0 && record.broken.contains("devices are signed out"))
    }

    @Test func theSeedIsTheFleet() {
        let scenario = FleetScenario.all[0]
        let (one, again, other) = (
            Fleet<LibraryPolicy>.play(scenario, devices: 2000, seed: 1),
            Fleet<LibraryPolicy>.play(scenario, devices: 2000, seed: 1),
            Fleet<LibraryPolicy>.play(scenario, devices: 2000, seed: 2)
        )
        #expect(one.requests == again.requests && one.text == again.text)
        #expect(one.requests != other.requests)
    }
}
