import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct CallbackWaitTests {
    @Test func callbackWinsEvenWhenAnotherEndWasNoticedFirst() async throws {
        let url = URL(literal: "com.example.app:/back")
        let clock = ManualClock().authClock(startingAt: .distantPast)
        let wait = CallbackWait(timeLimit: .seconds(600), grace: .seconds(1), clock: clock)
        // The callback is there, but its waiter gets to run only after the others are told to stop.
        let late: @Sendable () async -> Result<URL, AuthError>? = {
            _ = await Promise<Never>().value()
            return .success(url)
        }
        let outcome = await wait.run(callback: late, open: { nil })
        #expect(try outcome.answer(within: .seconds(600), by: "") == url)
    }
}
