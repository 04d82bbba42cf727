import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct AnswerWaitTests {
    @Test func callbackWinsEvenWhenAnotherEndWasNoticedFirst() async throws {
        let url = URL(literal: "com.example.app:/back")
        let clock = ManualClock().authClock(startingAt: .distantPast)
        let wait = AnswerWait(timeLimit: .seconds(600), grace: .seconds(1), clock: clock)
        // The callback is there, but its waiter gets to run only after the others are told to stop.
        let late: @Sendable () async -> Result<URL, AuthError>? = {
            _ = await Promise<Never>().value()
            return .success(url)
        }
        let ending = await wait.run(callback: late, open: { nil })
        #expect(try ending.answer(within: .seconds(600), by: "") == url)
    }
}
