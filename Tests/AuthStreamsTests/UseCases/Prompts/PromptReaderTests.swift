import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Which reader of the prompts ends the attempt by its cancel.
@Suite struct PromptReaderTests {
    /// A sheet that closes because another window shows the prompt may cancel.
    @Test func theReaderThatShowsThePromptCancelsItAlone() async throws {
        let fixture = PromptFixture()
        var first = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let hidden = try #require(await first.prompt())
        var second = PromptView(fixture.auth)
        let shown = try #require(await second.prompt())
        #expect(try #require(await first.next()) == nil, "The first one shows it no more.")
        hidden.cancel()
        #expect(shown.isOpen && shown.id == hidden.id)
        shown.code?.submit("111111")
        let next = try #require(await second.next())
        let again = try #require(next, "The attempt asks again.")
        #expect(again.failure?.code == .codeMismatch)
        hidden.cancel()
        again.cancel()
        #expect(await attempt.value.error?.code == .cancelled && !again.isOpen)
        #expect(fixture.answers == [.code(Secret("111111"))])
    }

    /// An earlier prompt of the reader that shows the attempt is as good as its newest.
    @Test func anEarlierPromptOfTheSameReaderCancels() async throws {
        let fixture = PromptFixture()
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let first = try #require(await view.prompt())
        first.code?.submit("111111")
        _ = try #require(await view.prompt())
        first.cancel()
        #expect(await attempt.value.error?.code == .cancelled)
    }

    @Test func afterItsReaderHasGoneAPromptCancels() async throws {
        let fixture = PromptFixture()
        var view: PromptView? = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view?.prompt())
        view = nil
        prompt.cancel()
        #expect(await attempt.value.error?.code == .cancelled && fixture.answers.isEmpty)
    }

    /// A view that is made anew keeps its sheet, with the prompt of the reader that has gone.
    @Test func whereItsReaderWasReplacedAPromptCancels() async throws {
        let fixture = PromptFixture()
        var first: PromptView? = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let sheet = try #require(await first?.prompt())
        var second = PromptView(fixture.auth)
        #expect(try #require(await second.prompt()).id == sheet.id)
        first = nil
        sheet.cancel()
        #expect(await attempt.value.error?.code == .cancelled && fixture.answers.isEmpty)
    }

    /// One that does not present may still be an app's own way to end the attempt, such as a command.
    @Test(arguments: [true, false]) func aReaderThatDoesNotPresentCancels(isPresented: Bool) async throws {
        let fixture = PromptFixture()
        var view = isPresented ? PromptView(fixture.auth) : nil
        var log = fixture.auth.prompts.makeAsyncIterator()
        let attempt = fixture.signIn()
        var seen: AuthPrompt?
        while seen == nil, let next = await log.next() { seen = next }
        try #require(seen).cancel()
        #expect(await attempt.value.error?.code == .cancelled)
        if isPresented { #expect(try #require(await view?.next()) == nil, "The sheet closes.") }
    }
}
