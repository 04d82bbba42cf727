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

    /// Section 3.5: 'MUST unilaterally reduce their polling frequency', until the server answers.
    @Test(
        arguments: [
            .lost(.network), .lost(.timedOut), .response(.text("", status: 503)),
            .response(.text("<html>", status: 502)),
            .response(.text("", status: 429)),
        ] as [DeviceFixture.Answer])
    func lostAnswerDoublesThePause(lost: DeviceFixture.Answer) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [lost, lost, .error("authorization_pending"), .error("authorization_pending"), lost, .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 15, 35, 40, 45, 55])
    }

    @Test func pauseAfterLostAnswersIsAtMostAMinute() async throws {
        var fixture = DeviceFixture()
        fixture.answers = Array(repeating: .lost(), count: 6) + [.error("slow_down"), .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 15, 35, 75, 135, 195, 255, 265])
    }

    /// Nothing reached the server, which need not be spared.
    @Test func pauseIsNotDoubledWithoutANetwork() async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.offline, .offline, .lost(), .offline, .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 10, 15, 25, 35])
    }

    @Test(arguments: [429, 503])
    func pauseThatTheServerAsksForIsForOnce(status: Int) async throws {
        var fixture = DeviceFixture()
        let busy = AuthHTTPResponse.text("", status: status, headers: [.retryAfter: "30"])
        fixture.answers = [.response(busy), .error("authorization_pending"), .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 35, 40])
    }

    /// Repeating the attempt without a new code would not help.
    @Test(arguments: [429, 503])
    func serverThatIsBusyForLongerThanTheCodeLastsEndsTheAttempt(status: Int) async throws {
        var fixture = DeviceFixture()
        let body = #"{"error":"temporarily_unavailable","error_description":"Back at noon, WDJB-MJHT"}"#
        fixture.answers = [.response(.text(body, status: status, headers: [.retryAfter: "1000"]))]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .timedOut && error.retryAfter == .seconds(1000) && fixture.seconds == [5])
        #expect(error.serverCode == "temporarily_unavailable" && error.serverMessage == "Back at noon, …")
    }

    /// A proxy does not know the code's lifetime.
    @Test func pauseThatAPageAsksForDoesNotCount() async throws {
        var fixture = DeviceFixture()
        let page = AuthHTTPResponse.text("<html>", status: 503, headers: [.retryAfter: "1000"])
        fixture.answers = [.response(page), .tokens]
        _ = try await fixture.signIn()
        #expect(fixture.seconds == [5, 15])
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

    /// Microsoft Entra has a word of its own.
    @Test(arguments: [400, 403, 200, 500], ["access_denied", "authorization_declined"])
    func refusalOfThePersonEndsTheAttempt(status: Int, word: String) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error("authorization_pending"), .error(word, status: status)]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .accessDenied && error.serverCode == word && fixture.seconds == [5, 10])
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
        fixture.codes = ["expires_in": 32]
        fixture.answers = [.error("authorization_pending")]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .timedOut && error.explanation.contains("expired"))
        #expect(fixture.seconds == [5, 10, 15, 20, 25, 32])
    }

    /// The server counts from a later moment than the request, so its code is still valid at the deadline.
    @Test func lifetimeCountsFromBeforeTheRequest() async throws {
        var fixture = DeviceFixture()
        fixture.codes = ["expires_in": 20]
        fixture.answers = [.error("authorization_pending")]
        let base = fixture.transport()
        let slow = ScriptedTransport { [clock = fixture.clock] request in
            if request.url.path() == "/device" { clock.advance(by: .seconds(4)) }
            return try await base.send(request)
        }
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn(slow) })
        #expect(error.code == .timedOut && fixture.seconds == [9, 14, 20])
    }

    /// A long pause after lost answers does not outlast the code.
    @Test func lastRequestsAfterLostAnswersAreAroundTheEndOfTheCode() async throws {
        var fixture = DeviceFixture()
        fixture.codes = ["expires_in": 60]
        fixture.answers = [.lost()]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .timedOut && fixture.seconds == [5, 15, 35, 55, 60, 65, 75])
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

    /// A laptop is awake before its network is, and the server may have tokens even after the code's lifetime.
    @Test(arguments: [true, false]) func deviceThatSleptOutlastsItsMissingNetwork(isDecided: Bool) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.offline, .lost(.timedOut), isDecided ? .tokens : .offline]
        async let attempt = { [fixture] in await fixture.result() }()
        for pause in [3600, 5, 10] {
            await fixture.clock.waitForSleepers(count: 1)
            fixture.clock.advance(by: .seconds(pause))
        }
        switch await attempt {
        case .success(let credential): #expect(isDecided && credential.accessToken == Secret("access-1"))
        case .failure(let error): #expect(!isDecided && error.code == .timedOut)
        }
        #expect(fixture.seconds == [3600, 3605, 3615])
    }

    /// The code is not wrong: it is too old.
    @Test(arguments: ["invalid_grant", "bad_verification_code"])
    func codeThatTheServerHasForgottenHasExpired(word: String) async throws {
        var fixture = DeviceFixture()
        fixture.answers = [.error(word)]
        async let attempt = { [fixture] in await fixture.result() }()
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(3600))
        guard case .failure(let error) = await attempt else {
            Issue.record("A code without an approval gave tokens.")
            return
        }
        #expect(error.code == .timedOut && error.serverCode == word && error.explanation.contains("expired"))
        expectNoLeak(of: ["secret-device-code", "WDJB-MJHT"], in: error)
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

    /// The person agreed, and the tokens have no other owner: some servers limit how many a person has.
    @Test(arguments: [true, false]) func tokensThatArriveAfterTheCancelAreEnded(hasIDToken: Bool) async throws {
        var fixture = DeviceFixture.openID
        if !hasIDToken { (fixture.scopes, fixture.claims) = (["email"], nil) }
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
        #expect(error.code == .cancelled)
        #expect(await fixture.revoked.value() == "refresh-1")
    }
}
