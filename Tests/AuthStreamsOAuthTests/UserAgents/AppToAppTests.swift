import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import Testing

@Suite struct AppToAppTests {
    private let callbacks = CallbackRouter()
    private let time = ManualClock()
    private let steps = Lock([AuthState.SignInStep]())
    private let app = URL(literal: "otherapp://authorize?challenge=secret")
    private let answer = URL(literal: "kakao1://oauth?code=c")

    private func authorize(_ opener: ScriptedOpener, _ launches: [AppToApp.Launch]? = nil) async throws -> URL? {
        let clock = time.authClock(startingAt: .distantPast)
        return try await AppToApp(opener: opener, callbacks: callbacks, clock: clock).authorize(
            opening: launches ?? [AppToApp.Launch(app)], accepts: { $0.scheme == "kakao1" },
            onStep: { [steps] step in steps.withLock { $0.append(step) } })?.url
    }

    @Test func callbackThatComesWhileTheAppOpensIsTheAnswer() async throws {
        let opener = ScriptedOpener { [callbacks, answer] _ in
            #expect(!callbacks.handle(URL(literal: "other://oauth")))
            #expect(callbacks.handle(answer))
            #expect(!callbacks.handle(answer), "a second callback")
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
        let launches = [AppToApp.Launch(link, universalLinksOnly: true), AppToApp.Launch(app)]
        #expect(try await authorize(opener, launches) == answer)
        #expect(await opener.opened == [link, app])
    }

    @Test func comingBackWithoutAnAnswerIsACancelAfterTheGrace() async {
        let attempt = Task { try await authorize(ScriptedOpener { _ in ApplicationVisit {} }) }
        await time.waitForSleepers(count: 2)
        time.advance(by: .milliseconds(999))
        #expect(time.sleeperCount == 2)
        time.advance(by: .milliseconds(1))
        #expect(await attempt.result.authError?.code == .cancelled)
        #expect(!callbacks.handle(answer), "nobody waits any more")
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

    @Test func launchShowsNoQuery() {
        var shown = "\(AppToApp.Launch(app))"
        dump(AppToApp.Launch(app), to: &shown)
        #expect(!shown.contains("secret"))
    }
}
