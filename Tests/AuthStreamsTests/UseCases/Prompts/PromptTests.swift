import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// One more step of a sign-in: the prompt, its answer and its end.
@Suite struct PromptTests {
    @Test func theAnswerContinuesTheSignIn() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        var states = fixture.auth.states.makeAsyncIterator()
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        #expect(fixture.auth.state == .signingIn(.kakao, .waitingForAnswer))
        #expect(prompt.kind == .code && prompt.provider == .kakao && prompt.failure == nil && prompt.isOpen)
        let code = try #require(prompt.code)
        #expect(code.destination == "a•••@example.com" && code.length == 6)
        #expect(prompt.factors == nil && prompt.form == nil && prompt.link == nil && prompt.page == nil)
        code.submit("123456")
        #expect(try await attempt.value.get().id == "kakao:1001")
        #expect(!prompt.isOpen)
        #expect(try #require(await view.next()) == nil, "The sheet closes.")
        #expect(fixture.answers == [.code(Secret("123456"))])
        fixture.auth.manager.finish()
        var steps: [AuthState.SignInStep] = []
        while let state = await states.next() {
            if case .signingIn(_, let step) = state { steps.append(step) }
        }
        #expect(steps == [.presenting, .establishingSession, .waitingForAnswer, .establishingSession])
    }

    @Test func withoutAPresenterTheAttemptEndsWithItsCode() async throws {
        let fixture = PromptFixture()
        for await state in fixture.auth.states where state == .signedOut(nil) { break }
        // One that only logs does not count.
        var log = fixture.auth.prompts.makeAsyncIterator()
        #expect(try #require(await log.next()) == nil)
        let attempt = fixture.signIn()
        _ = try #require(await log.next())
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        let error = try #require(await attempt.value.error)
        #expect(error.code == .secondFactorRequired && error.provider == .kakao && error.step == .waitingForAnswer)
        #expect(error.challenge == nil, "The pending token leaves with the attempt.")
        #expect(error.explanation.contains("presenting()"))
        #expect(fixture.answers.isEmpty && fixture.auth.state == .signedOut(nil))
    }

    @Test func aViewThatIsMadeAnewShowsThePromptAgain() async throws {
        let fixture = PromptFixture()
        var view: PromptView? = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view?.prompt())
        await fixture.clock.waitForSleepers(count: 1)
        view = nil
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .milliseconds(999))
        var next = PromptView(fixture.auth)
        let again = try #require(await next.prompt())
        #expect(again.id == first.id && again.isOpen)
        fixture.clock.advance(by: .seconds(2))
        again.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func aViewThatStaysAwayEndsTheAttempt() async throws {
        let fixture = PromptFixture()
        var view: PromptView? = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view?.prompt())
        view = nil
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        #expect(await attempt.value.error?.code == .secondFactorRequired)
        #expect(!prompt.isOpen)
    }

    @Test func theViewThatCameLastShowsThePrompt() async throws {
        let fixture = PromptFixture()
        var first = PromptView(fixture.auth)
        var second: PromptView? = PromptView(fixture.auth)
        #expect(try #require(await first.next()) == nil)
        let attempt = fixture.signIn()
        let prompt = try #require(await second?.prompt())
        second = nil
        #expect(try #require(await first.next())?.id == prompt.id, "The one before shows it once the last has gone.")
        prompt.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func cancellingThePromptIsThePersonsOwnCancel() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        prompt.cancel()
        #expect(await attempt.value.error?.code == .cancelled)
        #expect(!prompt.isOpen && fixture.answers.isEmpty)
        // Too late: ignored, and harmless for the next attempt.
        prompt.code?.submit("123456")
        prompt.cancel()
        #expect(fixture.answers.isEmpty)
    }

    @Test func cancellingWhileTheAnswerIsBeingSentEndsTheAttempt() async throws {
        let sent = Promise<Void>()
        let fixture = PromptFixture { _, _, _ in
            sent.resolve(())
            try await Task.sleep(for: .seconds(86_400))
            return PromptFixture.session
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        prompt.code?.submit("123456")
        _ = await sent.value()
        #expect(!prompt.isOpen)
        prompt.cancel()
        #expect(await attempt.value.error?.code == .cancelled && fixture.auth.user == nil)
    }

    @Test func onlyTheFirstAnswerCounts() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let code = try #require(await view.prompt()?.code)
        code.submit("123456")
        code.submit("654321")
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.code(Secret("123456"))])
    }

    @Test func anotherSignInSupersedesTheOneThatAsks() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let first = fixture.signIn()
        let prompt = try #require(await view.prompt())
        let second = fixture.signIn(with: .naver)
        let next = try #require(await view.prompt())
        #expect(await first.value.error?.code == .superseded)
        #expect(next.id != prompt.id && next.provider == .naver && !prompt.isOpen)
        prompt.code?.submit("123456")
        prompt.cancel()
        next.code?.submit("123456")
        #expect(await second.value.error == nil)
        #expect(fixture.answers.count == 1)
    }

    @Test func aSignOutEndsTheAttemptThatAsks() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        try await fixture.auth.signOut()
        #expect(await attempt.value.error?.code == .superseded && !prompt.isOpen)
    }

    @Test func cancellingTheTaskEndsTheAttempt() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        attempt.cancel()
        #expect(await attempt.value.error?.code == .cancelled && !prompt.isOpen)
        #expect(try #require(await view.next()) == nil)
    }

    @Test func readersEndWithTheService() async throws {
        var fixture: PromptFixture? = PromptFixture()
        var view = PromptView(try #require(fixture?.auth))
        var log = try #require(fixture?.auth.prompts).makeAsyncIterator()
        #expect(try #require(await view.next()) == nil)
        #expect(try #require(await log.next()) == nil)
        fixture = nil
        #expect(await view.next() == nil)
        #expect(await log.next() == nil)
    }

    @Test func aChainMadeByHandAsksToo() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let manager = fixture.auth.manager
        let signIn = AuthSignIn(repository: fixture.repository, manager: manager)
        let attempt = Task { try await ScriptedProvider(.kakao).authenticate().flatMap(signIn.callAsFunction).value }
        try #require(await view.prompt()?.code).submit("123456")
        #expect(try await attempt.value.user.id == "kakao:1001")
        #expect(manager.user?.id == "kakao:1001")
    }

    @Test func anAppsOwnTestMakesAPromptAndSeesItsAnswer() {
        let answers = Lock([ChallengeAnswer]())
        let isCancelled = Lock(false)
        let prompt = AuthPrompt(
            PromptFixture.code, provider: .kakao, onAnswer: { answer in answers.withLock { $0.append(answer) } },
            onCancel: { isCancelled.withLock { $0 = true } })
        prompt.code?.submit("1")
        prompt.code?.submit("2")
        prompt.cancel()
        #expect(answers.withLock { $0 } == [.code(Secret("1"))] && isCancelled.withLock { $0 })
        #expect(!prompt.isOpen)
    }
}
