import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// One more step of an anonymous sign-in.
@Suite struct AnonymousPromptTests {
    /// A service whose server wants a code before it makes an anonymous user.
    private func fixture() -> PromptFixture {
        var account = ScriptedAccount()
        account.signInAnonymously = {
            throw AuthError(.verificationRequired, "A code.", challenge: PromptFixture.code)
        }
        return PromptFixture(nil, account: account) { challenge, answer, session in
            #expect(session == nil)
            guard answer == .code(Secret("123456")) else {
                throw AuthError(.codeMismatch, "The code is wrong.", challenge: challenge)
            }
            return ScriptedAccount.anonymous("guest")
        }
    }

    @Test func theAnswerContinuesIt() async throws {
        let fixture = fixture()
        var view = PromptView(fixture.auth)
        let attempt = Task { try await fixture.auth.signInAnonymously().value.user }
        let prompt = try #require(await view.prompt())
        #expect(prompt.kind == .code && fixture.auth.state == .signingIn(.anonymous, .waitingForAnswer))
        prompt.code?.submit("111111")
        let again = try #require(await view.prompt())
        #expect(again.failure?.code == .codeMismatch && again.id == prompt.id)
        again.code?.submit("123456")
        let user = try await attempt.value
        #expect(user.isAnonymous && user.id == "guest" && fixture.auth.user == user)
        #expect(try #require(await view.next()) == nil, "The sheet closes.")
        #expect(
            fixture.repository.calls == [
                .signInAnonymously, .answer(.code(Secret("111111")), nil), .answer(.code(Secret("123456")), nil),
            ])
        #expect(try await fixture.store.session()?.session?.user.id == "guest")
    }

    @Test func withoutAPresenterItEndsWithItsCode() async throws {
        let fixture = fixture()
        let attempt = Task { await fixture.auth.signInAnonymously().result }
        await fixture.clock.waitForSleepers(count: 2)
        fixture.clock.advance(by: .seconds(1))
        let error = try #require(await attempt.value.error)
        #expect(error.code == .verificationRequired && error.challenge == nil)
        #expect(fixture.answers.isEmpty && fixture.auth.state == .signedOut(nil))
    }
}
