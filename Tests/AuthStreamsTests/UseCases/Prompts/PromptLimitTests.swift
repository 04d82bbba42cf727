import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// How often, and how long, a server takes answers.
@Suite struct PromptLimitTests {
    /// - Returns: A service whose server says with each wrong code how many answers it still takes.
    private static func fixture(_ code: Challenge.Code, left: Int) -> PromptFixture {
        PromptFixture(Challenge(.code(code), pendingToken: Secret("pending-1"))) { challenge, answer, _ in
            guard answer != .code(Secret("123456")) else { return PromptFixture.session }
            var next = challenge
            next.attemptsLeft = left
            throw AuthError(.codeMismatch, "The code is wrong.", challenge: next)
        }
    }

    @Test func theLastWrongCodeEndsTheAttempt() async throws {
        let fixture = Self.fixture(.init(length: 6), left: 0)
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()).code?.submit("111111")
        let error = try #require(await attempt.value.error)
        #expect(error.code == .codeMismatch && error.challenge == nil)
        #expect(try #require(await view.next()) == nil)
    }

    /// Another code has attempts of its own, which the server counts anew.
    @Test func afterTheLastWrongCodeAnotherOneCanBeAskedFor() async throws {
        let fixture = Self.fixture(.init(length: 6, resendAfter: .zero), left: 0)
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()).code?.submit("111111")
        let again = try #require(await view.prompt())
        #expect(again.attemptsLeft == 0 && again.failure?.code == .codeMismatch)
        again.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }

    @Test func aChallengeThatTakesNoAnswerIsNotShown() async throws {
        let fixture = PromptFixture(Challenge(.code(.init()), attemptsLeft: 0))
        var view = PromptView(fixture.auth)
        let error = try #require(await fixture.signIn().value.error)
        #expect(error.code == .secondFactorRequired && error.challenge == nil)
        #expect(try #require(await view.next()) == nil)
    }

    /// The server does not hear of the choice, so its time goes on.
    @Test func aFactorChosenLateGivesNoMoreTime() async throws {
        let factors = Challenge(
            .factors([.init(id: "1", kind: "totp")]), pendingToken: Secret("pending-1"), expiresIn: .seconds(300))
        let fixture = PromptFixture(factors) { challenge, _, _ in
            var code = challenge
            code.step = .code(.init(length: 6))
            throw AuthError(.secondFactorRequired, "The app's code.", challenge: code)
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let choice = try #require(await view.prompt())
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(290))
        try #require(choice.factors).choose(.init(id: "1", kind: "totp"))
        let code = try #require(await view.prompt())
        #expect(code.kind == .code && code.expiresAt == choice.expiresAt)
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(10))
        #expect(await attempt.value.error?.code == .timedOut)
    }
}
