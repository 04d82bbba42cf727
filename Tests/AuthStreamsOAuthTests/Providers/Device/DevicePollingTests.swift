import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// When the token endpoint is asked, and what ends that (RFC 8628 section 3.5).
@Suite struct DevicePollingTests {
    @Test(arguments: [(7, [7, 14, 21]), (nil, [5, 10, 15]), (0, [1, 2, 3])] as [(Int64?, [Int64])])
    func pendingAnswerIsAskedForAgainAfterTheInterval(interval: Int64?, seconds: [Int64]) async throws {
        var fixture = DeviceFixture()
        fixture.codes = ["interval": interval.map { .integer($0) } ?? .null]
        fixture.answers = [.error("authorization_pending"), .error("authorization_pending"), .tokens]
        let credential = try await fixture.signIn()
        #expect(credential.accessToken == Secret("access-1") && fixture.seconds == seconds)
    }

    @Test func slowDownMakesEveryLaterPauseLonger() async throws {
        var fixture = DeviceFixture()
        fixture.answers = [
            .error("authorization_pending"), .error("slow_down"), .error("authorization_pending"), .error("slow_down"),
            .error("authorization_pending"), .tokens,
        ]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 10, 20, 30, 45, 60])
    }

    /// Section 3.5: 'MUST unilaterally reduce their polling frequency', which stays.
    @Test(
        arguments: [
            .lost(.network), .lost(.timedOut), .response(.text("", status: 503)),
            .response(.text("<html>", status: 502)),
            .response(.text("", status: 429)),
        ] as [DeviceFixture.Answer])
    func lostAnswerDoublesThePause(lost: DeviceFixture.Answer) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [lost, lost, .error("authorization_pending"), .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 15, 35, 55])
    }

    @Test(arguments: [429, 503])
    func pauseThatTheServerAsksForIsForOnce(status: Int) async throws {
        var fixture = DeviceFixture()
        let busy = AuthHTTPResponse.text("", status: status, headers: [.retryAfter: "30"])
        fixture.answers = [.response(busy), .error("authorization_pending"), .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 35, 40])
    }

    @Test func serverThatIsBusyForLongerThanTheCodeLastsEndsTheAttempt() async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.response(.text("", status: 503, headers: [.retryAfter: "1000"]))]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .server && error.retryAfter == .seconds(1000) && fixture.seconds == [5])
    }

    /// Google's statuses, and others: the `error` decides.
    @Test(
        arguments: [428, 400, 401, 403, 200, 429, 500].flatMap { status in
            ["authorization_pending", "slow_down"].map { (word: $0, status: status) }
        })
    func errorCountsAndNotItsStatus(row: (word: String, status: Int)) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error(row.word, status: row.status), .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == (row.word == "slow_down" ? [5, 15] : [5, 10]))
    }

    @Test(arguments: [400, 403, 200, 500])
    func refusalOfThePersonEndsTheAttempt(status: Int) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error("authorization_pending"), .error("access_denied", status: status)]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .accessDenied && error.serverCode == "access_denied" && fixture.seconds == [5, 10])
        #expect(error.provider == "tv" && error.step == .presenting)
        expectNoLeak(of: ["secret-device-code", "WDJB-MJHT"], in: error)
    }

    /// No new code is asked for: the person would have to be there.
    @Test(arguments: [400, 403, 500]) func codeThatTheServerCallsExpiredIsNotReplaced(status: Int) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error("expired_token", status: status)]
        let transport = fixture.transport()
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn(transport) })
        #expect(error.code == .timedOut && error.serverCode == "expired_token" && error.explanation.contains("expired"))
        #expect(transport.requests.map { $0.url.path() } == ["/device", "/token"])
    }

    @Test func lifetimeOfTheCodeEndsTheAttempt() async throws {
        var fixture = DeviceFixture()
        fixture.codes = ["expires_in": 12]
        fixture.answers = [.error("authorization_pending")]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .timedOut && error.explanation.contains("expired"))
        #expect(fixture.seconds == [5, 10, 15])
    }

    /// A long pause after lost answers does not outlast the code.
    @Test func lastRequestAfterLostAnswersIsWhenTheCodeExpires() async throws {
        var fixture = DeviceFixture()
        fixture.codes = ["expires_in": 60]
        fixture.answers = [.lost()]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .timedOut && fixture.seconds == [5, 15, 35, 60])
    }

    @Test(
        arguments: [
            ("invalid_grant", .invalidCredential), ("invalid_client", .misconfigured),
            ("unsupported_grant_type", .misconfigured), ("org_internal", .invalidCredential),
        ] as [(String, AuthError.Code)])
    func anyOtherErrorEndsTheAttempt(word: String, code: AuthError.Code) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error(word)]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == code && error.serverCode == word && fixture.seconds == [5])
        expectNoLeak(of: ["secret-device-code"], in: error)
    }

    @Test func answerThatIsNoneEndsTheAttempt() async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.response(.text("<html>"))]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .invalidResponse && fixture.seconds == [5])
    }

    /// A device that slept past the code's lifetime asks once, and the server decides.
    @Test(arguments: [true, false]) func deviceThatSleptAsksOnce(isDecided: Bool) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error("authorization_pending"), isDecided ? .tokens : .error("authorization_pending")]
        async let attempt = { [fixture] in await fixture.result() }()
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(5))
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(3600))
        switch await attempt {
        case .success(let credential): #expect(isDecided && credential.accessToken == Secret("access-1"))
        case .failure(let error): #expect(!isDecided && error.code == .timedOut)
        }
        #expect(fixture.seconds == [5, 3605])
    }

    @Test func cancelledAttemptAsksNoMore() async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error("authorization_pending")]
        let attempt = Task { [fixture] in await fixture.result() }
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(5))
        await fixture.clock.waitForSleepers(count: 1)
        attempt.cancel()
        guard case .failure(let error) = await attempt.value else {
            Issue.record("A cancelled attempt succeeded.")
            return
        }
        #expect(error.code == .cancelled && fixture.clock.sleeperCount == 0)
        fixture.clock.advance(by: .seconds(3600))
        #expect(fixture.seconds == [5])
    }

    /// The request is under way when the attempt is cancelled.
    @Test func attemptThatIsCancelledDuringARequestAsksNoMore() async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error("authorization_pending")]
        let (arrived, isCancelled) = (Promise<Void>(), Promise<Void>())
        let transport = fixture.transport { _ in
            arrived.resolve(())
            // Cancelled itself, the task would not wait for the fact.
            await Task { _ = await isCancelled.value() }.value
        }
        let attempt = Task { [fixture] in await fixture.result(transport) }
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(5))
        _ = await arrived.value()
        attempt.cancel()
        isCancelled.resolve(())
        guard case .failure(let error) = await attempt.value else {
            Issue.record("A cancelled attempt succeeded.")
            return
        }
        #expect(error.code == .cancelled && fixture.seconds == [5])
    }
}
