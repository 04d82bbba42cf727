import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct AuthClockTests {
    private let birth = Date(timeIntervalSince1970: 1_000_000)

    @Test func dateAndUptimeFollowTheClockGiven() {
        let manual = ManualClock()
        manual.advance(by: .seconds(5))
        let clock = AuthClock(manual) { [birth] in birth.addingTimeInterval(1) }
        #expect(clock.uptime == .zero)
        manual.advance(by: .seconds(90))
        #expect(clock.uptime == .seconds(90))
        #expect(clock.date == birth.addingTimeInterval(1))
    }

    @Test func sleepEndsWhenTheClockGivenGetsThere() async throws {
        let manual = ManualClock()
        let clock = AuthClock(manual) { [birth] in birth }
        let sleeper = Task {
            try await clock.sleep(for: .seconds(10))
            return manual.now.offset
        }
        await manual.waitForSleepers(count: 1)
        manual.advance(by: .seconds(9))
        manual.advance(by: .seconds(1))
        #expect(try await sleeper.value == .seconds(10))
    }

    @Test func cancelledSleepThrows() async {
        let manual = ManualClock()
        let clock = AuthClock(manual) { [birth] in birth }
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        await manual.waitForSleepers(count: 1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func aWaitThatNoClockCanRepresentIsOneThatNobodyOutlives() async throws {
        let manual = ManualClock()
        let clock = AuthClock(manual) { [birth] in birth }
        let sleeper = Task { try await clock.sleep(for: .seconds(Int.max)) }
        await manual.waitForSleepers(count: 1)
        #expect(manual.advanceToNextSleeper() == .seconds(Int32.max))
        try await sleeper.value
    }

    @Test func systemClockGoesForward() async throws {
        let before = (Date(), AuthClock.system.uptime)
        try await AuthClock.system.sleep(for: .nanoseconds(1))
        #expect(AuthClock.system.date >= before.0)
        #expect(AuthClock.system.uptime > before.1)
    }
}
