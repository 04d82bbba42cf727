import Foundation
import Testing

@testable import AuthStreams

@Suite struct BackoffTests {
    private static let error = AuthError(.network, "Scripted.")

    /// The delay of a store after so many failures.
    private static func delay(after failures: Int, spreadBy token: Secret?) -> Duration {
        var backoff = Backoff(of: .store)
        return (1...failures).reduce(.zero) { _, _ in backoff.failed(error, spreadBy: token) ?? .zero }
    }

    @Test func theDelayDoublesUpToFiveMinutesAndIsShortenedByAtMostAHalf() {
        let wholes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
        for (index, whole) in wholes.enumerated() {
            let delay = Self.delay(after: index + 1, spreadBy: Secret("token"))
            #expect(delay <= .seconds(whole) && delay >= .seconds(whole) / 2)
        }
        #expect(Self.delay(after: 1000, spreadBy: nil) <= .seconds(300))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var operation = Backoff.Operation.refresh
        var failures = 1
        var asked: Int?
        var error = AuthError(.server, "Scripted.")
        /// The shortest and the longest, in seconds.
        let delay: ClosedRange<Double>
    }

    static let delays: [Row] = [
        Row(testDescription: "at first soon", delay: 0.5...1),
        Row(testDescription: "once more soon", failures: 2, delay: 1...2),
        Row(testDescription: "then within a wide window", failures: 3, delay: 120...1320),
        Row(testDescription: "and no later than that", failures: 1000, delay: 120...1320),
        Row(testDescription: "the server's wish is spread at once", asked: 60, delay: 60...1260),
        Row(testDescription: "a short wish shortens nothing", failures: 3, asked: 1, delay: 120...1320),
        Row(testDescription: "a long wish counts", failures: 3, asked: 900, delay: 900...2100),
        Row(testDescription: "a store is this device's own", operation: .store, failures: 3, delay: 2...4),
        Row(
            testDescription: "so is its network", failures: 3,
            error: AuthError(.network, "Scripted.", cause: URLError(.notConnectedToInternet)), delay: 2...4),
        Row(
            testDescription: "and its locked storage", failures: 1000, error: AuthError(.storageLocked, "Scripted."),
            delay: 150...300),
        Row(testDescription: "for as long as it fails", operation: .store, failures: 1000, delay: 150...300),
    ]

    @Test(arguments: delays) func theDelayIsWithinItsBounds(row: Row) {
        for number in 0..<100 {
            var (backoff, delay) = (Backoff(of: row.operation), Duration.zero)
            for _ in 0..<row.failures {
                var error = row.error
                error.retryAfter = row.asked.map { .seconds($0) }
                delay = backoff.failed(error, spreadBy: Secret("token \(number)"), at: .seconds(10)) ?? .zero
            }
            #expect(row.delay.contains(delay / .seconds(1)))
            #expect(backoff.notBefore == .seconds(10) + delay)
        }
    }

    @Test func failuresOfTheDeviceDoNotCountAsTheServers() {
        var backoff = Backoff(of: .refresh)
        let offline = AuthError(.network, "Scripted.", cause: URLError(.notConnectedToInternet))
        for _ in 0..<5 { backoff.failed(offline, spreadBy: nil, at: .zero) }
        let delay = backoff.failed(AuthError(.server, "Scripted."), spreadBy: nil, at: .seconds(60))
        #expect(delay.map { $0 <= .seconds(1) } == true)
    }

    @Test func aFailureOfTheDeviceBringsNoRetryForward() {
        var backoff = Backoff(of: .refresh)
        for _ in 0..<3 { backoff.failed(AuthError(.server, "Scripted."), spreadBy: nil, at: .zero) }
        let planned = backoff.notBefore
        backoff.failed(AuthError(.storage, "Scripted."), spreadBy: nil, at: .seconds(1))
        #expect(backoff.notBefore == planned)
    }

    @Test func devicesThatFailedTogetherAreSpread() {
        let delays = Set((0..<100).map { Self.delay(after: 5, spreadBy: Secret("token \($0)")) })
        #expect(delays.count > 95)
        let sorted = delays.sorted()
        #expect(sorted.first.map { $0 < .seconds(9) } == true && sorted.last.map { $0 > .seconds(15) } == true)
    }

    @Test(arguments: [(-5, 1), (0, 1), (90, 90), (1_000_000_000, 3600)])
    func theServersWishIsHonouredWithinReason(asked: Int, held: Int) {
        var backoff = Backoff(of: .refresh)
        let error = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(asked))
        let delay = backoff.failed(error, spreadBy: nil, at: .seconds(10)) ?? .zero
        #expect(backoff.heldUntil == .seconds(10 + held))
        #expect(delay >= .seconds(held))
        #expect(backoff.notBefore == .seconds(10) + delay)
    }

    @Test func withoutAWaitNoRequestIsHeld() {
        var backoff = Backoff(of: .refresh)
        backoff.failed(AuthError(.server, "Scripted.", retryAfter: .seconds(9)), spreadBy: nil, at: .zero)
        backoff.failed(Self.error, spreadBy: nil, at: .seconds(20))
        #expect(backoff.heldUntil == nil)
        #expect(backoff.failures == 2)
    }

    /// The launch screen shows meanwhile.
    @Test func adoptionWithoutAUserWaitsForAMinuteAtMost() {
        var backoff = Backoff(of: .adoption(isUserKnown: false))
        let delays = (0..<20).compactMap { _ in backoff.failed(AuthError(.server, "Scripted.")) }
        #expect(delays.count == 20 && delays.allSatisfy { $0 <= .seconds(60) })
        #expect(backoff.failed(AuthError(.server, "Scripted.", retryAfter: .seconds(90))) == .seconds(90))
    }

    static let answers: [(AuthError.Code, count: Int)] = [
        (.unsupportedProvider, 0), (.misconfigured, 0), (.invalidResponse, 2), (.network, 9), (.server, 9),
    ]

    /// The refresh of a session that the server has given is retried after every one of them.
    @Test(arguments: answers, [true, false])
    func adoptionIsRetriedAsLongAsThatMayHelp(answer: (code: AuthError.Code, count: Int), isUserKnown: Bool) {
        var backoff = Backoff(of: .adoption(isUserKnown: isUserKnown))
        let error = AuthError(answer.code, "Scripted.")
        #expect((0..<9).prefix { _ in backoff.failed(error) != nil }.count == answer.count)
        var refresh = Backoff(of: .refresh)
        #expect((0..<9).allSatisfy { _ in refresh.failed(error) != nil })
    }

    /// While the launch screen shows, a store that fails may fail for ever.
    @Test(arguments: [(true, 9), (false, 2)]) func storeThatFailsStopsNoKnownUser(isUserKnown: Bool, count: Int) {
        var backoff = Backoff(of: .adoption(isUserKnown: isUserKnown))
        let error = AuthError(.storage, "Scripted.")
        #expect((0..<9).prefix { _ in backoff.failed(error) != nil }.count == count)
    }

    @Test func adoptionOfAKnownUserWaitsAsARefreshDoes() {
        var (adoption, refresh) = (Backoff(of: .adoption(isUserKnown: true)), Backoff(of: .refresh))
        for error in [Self.error, AuthError(.server, "Scripted.", retryAfter: .seconds(9)), Self.error, Self.error] {
            let (one, other) = (
                adoption.failed(error, spreadBy: Secret("token")), refresh.failed(error, spreadBy: Secret("token"))
            )
            #expect(one == other)
        }
    }

    @Test func signInIsSentThreeTimesWithinSeconds() {
        var (tokens, code) = (Backoff(of: .signIn(isRepeatable: true)), Backoff(of: .signIn(isRepeatable: false)))
        let waits = (0..<3).map { _ in tokens.failed(Self.error) }
        #expect(waits.map { $0 == nil } == [false, false, true])
        let wait = code.failed(Self.error)
        #expect(wait == nil)
        var busy = Backoff(of: .signIn(isRepeatable: false))
        let asked = [10, 11].map { busy.failed(AuthError(.rateLimited, "Scripted.", retryAfter: .seconds($0))) }
        #expect(asked == [.seconds(10), nil])
    }

    @Test func attemptStartsOverUnlessThePersonHasLeft() {
        var attempt = Backoff(of: .attempt(retries: 2))
        let waits = (0..<3).map { _ in attempt.failed(Self.error) }
        #expect(waits == [.seconds(1), .seconds(2), nil])
        for code in [AuthError.Code.timedOut, .abandoned, .cancelled] {
            var attempt = Backoff(of: .attempt(retries: 2))
            let wait = attempt.failed(AuthError(code, "Scripted."))
            #expect(wait == nil)
        }
    }

    @Test func lockedStorageIsTriedEveryFewSeconds() {
        var backoff = Backoff(of: .unlock)
        let waits = (0..<8).map { _ in backoff.failed(AuthError(.storageLocked, "Scripted.")) }
        #expect(waits == [0, 1, 2, 3, 4, 5, 5, 5].map { .seconds($0) })
    }
}
