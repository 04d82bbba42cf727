import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The end of a prompt's time: with an answer on its way, with a page open, and with an answer that comes later.
@Suite struct PromptExpiryTests {
    private static func challenge(_ step: Challenge.Step = .code(.init(length: 6))) -> Challenge {
        Challenge(step, pendingToken: Secret("pending-1"), expiresIn: .seconds(300))
    }

    @Test func aPageEndsWithThePromptsTime() async throws {
        let page = Challenge.Page(URL(literal: "https://api.example/terms"), callbackURL: URL(literal: "app:/terms"))
        let agent = PatientAgent()
        let fixture = PromptFixture(
            Self.challenge(.page(page)), because: .additionalStepRequired, userAgent: agent
        ) { _, _, _ in PromptFixture.session }
        for await state in fixture.auth.states where state == .signedOut(nil) { break }
        var view = PromptView(fixture.auth)
        var states = fixture.auth.states.makeAsyncIterator()
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        prompt.page?.open()
        _ = await agent.opened.value()
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(300))
        let error = try #require(await attempt.value.error)
        #expect(error.code == .timedOut && error.provider == .kakao)
        #expect(agent.closed.current != nil, "The page is closed before the attempt ends.")
        #expect(!prompt.isOpen && fixture.answers.isEmpty && fixture.auth.state == .signedOut(nil))
        fixture.auth.manager.finish()
        var steps: [AuthState.SignInStep] = []
        while let state = await states.next() {
            if case .signingIn(_, let step) = state { steps.append(step) }
        }
        // What cannot be answered any more is not shown again.
        #expect(steps == [.presenting, .establishingSession, .waitingForAnswer, .presenting])
    }

    @Test func aCodeThatComesLateIsIgnored() async throws {
        let fixture = PromptFixture(Self.challenge())
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .seconds(300))
        #expect(await attempt.value.error?.code == .timedOut)
        #expect(!prompt.isOpen)
        prompt.code?.submit("123456")
        #expect(!prompt.isOpen && fixture.answers.isEmpty && fixture.auth.user == nil)
        #expect(try #require(await view.next()) == nil)
        #expect(fixture.repository.calls == [.signIn(.kakao)])
    }

    /// The server decides about a code that was submitted in time, however long it takes.
    @Test func aCodeThatComesInTimeCounts() async throws {
        let (reached, gate) = (Promise<Void>(), Promise<Void>())
        let fixture = PromptFixture(Self.challenge()) { _, _, _ in
            reached.resolve(())
            guard await gate.value() != nil else { throw CancellationError() }
            return PromptFixture.session
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        await fixture.clock.waitForSleepers(count: 1)
        fixture.clock.advance(by: .milliseconds(299_999))
        #expect(prompt.isOpen)
        prompt.code?.submit("123456")
        _ = await reached.value()
        fixture.clock.advance(by: .seconds(3600))
        gate.resolve(())
        #expect(try await attempt.value.get().id == "kakao:1001")
        #expect(fixture.answers == [.code(Secret("123456"))])
    }

    /// A wrong code whose refusal comes after the end is not asked again.
    @Test func aRefusalThatComesLateEndsTheAttempt() async throws {
        let (reached, gate) = (Promise<Void>(), Promise<Void>())
        let fixture = PromptFixture(Self.challenge()) { challenge, _, _ in
            reached.resolve(())
            _ = await gate.value()
            throw AuthError(.codeMismatch, "The code is wrong.", challenge: challenge)
        }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()).code?.submit("111111")
        _ = await reached.value()
        fixture.clock.advance(by: .seconds(300))
        gate.resolve(())
        #expect(try #require(await view.next()) == nil)
        #expect(await attempt.value.error?.code == .timedOut)
    }
}

/// A user agent whose person leaves the page open.
private final class PatientAgent: UserAgent {
    let opened = Promise<Void>()
    let closed = Promise<Void>()

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        opened.resolve(())
        _ = await Promise<Never>().value()
        closed.resolve(())
        throw .cancelled
    }
}
