import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@Suite struct OtherAppWaitTests {
    private let callbacks = CallbackRouter()
    private let time = ManualClock()
    private let steps = Lock([AuthState.SignInStep]())
    private let app = URL(literal: "otherapp://authorize?challenge=secret")
    private let answer = URL(literal: "kakao1://oauth?code=c")
    private let warnings = Lock([AuthError]())

    /// One attempt whose server knows the code `c` and calls every other one invalid, with the code as its own word.
    private func authorize(_ opener: ScriptedOpener, _ launches: [OtherAppWait.Launch]? = nil) async throws -> URL? {
        let clock = time.authClock(startingAt: .distantPast)
        let request = AuthRequest(
            onStep: { [steps] step in steps.withLock { $0.append(step) } },
            onWarning: { [warnings] error in warnings.withLock { $0.append(error) } })
        var callback = try await OtherAppWait(opener: opener, callbacks: callbacks, clock: clock).answer(
            opening: launches ?? [OtherAppWait.Launch(app)], comingBackTo: URL(literal: "kakao1://oauth"),
            reportingTo: request, accepts: { $0.scheme == "kakao1" })
        while let refused = callback?.url, refused != answer {
            let error = AuthError(.invalidCredential, "No such code.", serverCode: refused.query())
            callback = try await callback?.next(after: error)
        }
        return callback?.url
    }

    /// An attempt whose app has opened and stays open.
    private func waiting() async -> Task<URL?, any Error> {
        let opener = ScriptedOpener { _ in .unobservable }
        let attempt = Task { try await authorize(opener) }
        _ = await opener.first.value()
        return attempt
    }

    private func callback(_ query: String) throws -> URL { try #require(URL(string: "kakao1://oauth?\(query)")) }

    /// Hands over a callback once the attempt waits for one.
    private func handOver(_ query: String) async throws {
        let url = try callback(query)
        try await wait(for: "the attempt to wait for a callback") { callbacks.handle(url) }
    }

    @Test func callbackThatComesWhileTheAppOpensIsTheAnswer() async throws {
        let opener = ScriptedOpener { [callbacks, answer] _ in
            #expect(!callbacks.handle(URL(literal: "other://oauth")))
            #expect(callbacks.handle(answer))
            return ApplicationVisit {}
        }
        #expect(try await authorize(opener) == answer)
        #expect(steps.withLock { $0 } == [.waitingForOtherApp])
    }

    @Test func nothingToOpenIsNoError() async throws {
        #expect(try await authorize(ScriptedOpener { _ in nil }) == nil)
        #expect(steps.withLock { $0 }.isEmpty)
    }

    @Test func nextWayIsTriedWhenOneDoesNotOpen() async throws {
        let opener = ScriptedOpener { [callbacks, answer, app] url in
            guard url == app else { return nil }
            callbacks.handle(answer)
            return ApplicationVisit {}
        }
        let link = URL(literal: "https://app.example/authorize")
        let launches = [OtherAppWait.Launch(link, universalLinksOnly: true), OtherAppWait.Launch(app)]
        #expect(try await authorize(opener, launches) == answer)
        #expect(await opener.opened == [link, app])
    }

    @Test func urlThatComesBeforeAnAppThatDoesNotOpenIsNoAnswer() async throws {
        let opener = ScriptedOpener { [callbacks, answer, app] url in
            callbacks.handle(answer)
            return url == app ? .unobservable : nil
        }
        let link = OtherAppWait.Launch(URL(literal: "https://app.example/authorize"), universalLinksOnly: true)
        #expect(try await authorize(opener, [link]) == nil)
        #expect(try await authorize(opener, [link, OtherAppWait.Launch(app)]) == answer)
    }

    @Test func waitResumesAfterAnAnswerThatTheServerRefuses() async throws {
        let attempt = await waiting()
        for code in ["junk", "late", "other"] { try await handOver("code=\(code)") }
        try await handOver("code=c")
        #expect(try await attempt.value == answer)
        #expect(warnings.withLock { $0.map(\.serverCode) } == ["code=junk", "code=late", "code=other"])
        #expect(steps.withLock { $0 }.allSatisfy { $0 == .waitingForOtherApp })
    }

    @Test func fourthRefusalEndsTheAttemptWithTheFirst() async throws {
        let attempt = await waiting()
        for code in 1...4 { try await handOver("code=\(code)") }
        let error = await attempt.result.authError
        #expect(error?.code == .invalidCredential && error?.serverCode == "code=1")
        #expect(!callbacks.handle(answer))
    }

    @Test func timeLimitAfterARefusalIsThatOfTheAttemptAndReportsTheRefusal() async throws {
        let attempt = await waiting()
        await time.waitForSleepers(count: 1)
        time.advance(by: .seconds(400))
        try await handOver("code=junk")
        try await wait(for: "the refusal to be reported") { warnings.withLock { !$0.isEmpty } }
        await time.waitForSleepers(count: 1)
        time.advance(by: .seconds(199))
        #expect(time.sleeperCount == 1)
        time.advance(by: .seconds(1))
        #expect(await attempt.result.authError?.serverCode == "code=junk")
    }

    @Test func personWhoIsBackAfterARefusalIsWaitedFor() async throws {
        let attempt = Task { try await authorize(ScriptedOpener { _ in ApplicationVisit {} }) }
        try await handOver("code=junk")
        try await wait(for: "the refusal to be reported") { warnings.withLock { !$0.isEmpty } }
        await time.waitForSleepers(count: 1)
        time.advance(by: .seconds(599))
        try await handOver("code=c")
        #expect(try await attempt.value == answer)
    }

    @Test func answerThatComesWhileAnotherIsRedeemedIsNotLost() async throws {
        let opener = ScriptedOpener { [callbacks] _ in
            #expect(callbacks.handle(URL(literal: "kakao1://oauth?code=junk")))
            #expect(callbacks.handle(URL(literal: "kakao1://oauth?code=c")))
            return .unobservable
        }
        #expect(try await authorize(opener) == answer)
    }

    @Test func cancellingAfterARefusalIsACancel() async throws {
        let attempt = await waiting()
        try await handOver("code=junk")
        try await wait(for: "the refusal to be reported") { warnings.withLock { !$0.isEmpty } }
        attempt.cancel()
        #expect(await attempt.result.authError?.code == .cancelled)
    }

    @Test func abandonedAttemptSaysWhatToCheck() async throws {
        let attempt = Task { try await authorize(ScriptedOpener { _ in ApplicationVisit {} }) }
        await time.waitForSleepers(count: 2)
        #expect(!callbacks.handle(URL(literal: "other://oauth")))
        time.advance(by: .seconds(1))
        let error = try #require(await attempt.result.authError)
        #expect(error.code == .abandoned && error.isRetryable && !error.isUserCancellation)
        #expect(error.errorDescription != nil)
        for word in ["'kakao1'", "CFBundleURLTypes", "onOpenURL", "openURLContexts", "CallbackRouter", "attempt: 1."] {
            #expect(error.explanation.contains(word), "\(word)")
        }
    }

    @Test func comingBackWithoutAnAnswerIsAbandonedAfterTheGrace() async {
        let attempt = Task { try await authorize(ScriptedOpener { _ in ApplicationVisit {} }) }
        await time.waitForSleepers(count: 2)
        time.advance(by: .milliseconds(999))
        #expect(time.sleeperCount == 2)
        time.advance(by: .milliseconds(1))
        #expect(await attempt.result.authError?.code == .abandoned)
        #expect(!callbacks.handle(answer), "no attempt waits any more")
    }

    @Test func callbackWithinTheGraceIsTheAnswer() async throws {
        let attempt = Task { try await authorize(ScriptedOpener { _ in ApplicationVisit {} }) }
        await time.waitForSleepers(count: 2)
        time.advance(by: .milliseconds(999))
        #expect(callbacks.handle(answer))
        #expect(try await attempt.value == answer)
    }

    @Test func appThatNeverAnswersEndsAtTheTimeLimit() async {
        let attempt = Task { try await authorize(ScriptedOpener()) }
        await time.waitForSleepers(count: 1)
        time.advance(by: .seconds(600))
        #expect(await attempt.result.authError?.code == .timedOut)
    }

    @Test func cancellingTheTaskEndsTheWait() async {
        let opener = ScriptedOpener()
        let attempt = Task { try await authorize(opener) }
        _ = await opener.first.value()
        attempt.cancel()
        #expect(await attempt.result.authError?.code == .cancelled)
        #expect(!callbacks.handle(answer))
    }

    @Test func cancelledTaskOpensNothing() async {
        let opener = ScriptedOpener()
        let attempt = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await authorize(opener)
        }
        #expect(await attempt.result.authError?.code == .cancelled)
        #expect(await opener.opened.isEmpty)
    }
}
