import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Prompts from many sides at once: views that come and go, persons who answer and cancel, sign-ins that supersede each other.
@Suite struct PromptStressTests {
    private static let rounds = 200

    /// In any order, each attempt ends once, each prompt takes one answer, and no prompt stays.
    @Test func answerCancelAndSupersessionRace() async throws {
        let fixture = PromptFixture()
        let prompts = Lock(0)
        let presenter = fixture.auth.presenting { prompt in
            guard let code = prompt?.code else { return }
            prompts.withLock { $0 += 1 }
            // Two at once, of which one counts.
            for _ in 0..<2 { Task { code.submit("123456") } }
            if Bool.random() { Task { prompt?.cancel() } }
        }
        defer { presenter.cancel() }
        let ends = await withTaskGroup(of: AuthError.Code?.self) { group in
            for round in 0..<Self.rounds {
                group.addTask {
                    await fixture.signIn(with: round.isMultiple(of: 2) ? .kakao : .naver).value.error?.code
                }
                if round.isMultiple(of: 7) { await Task.yield() }
            }
            return await group.reduce(into: [AuthError.Code?]()) { $0.append($1) }
        }
        #expect(ends.count == Self.rounds)
        #expect(ends.allSatisfy { [nil, .cancelled, .superseded].contains($0) })
        var log = fixture.auth.prompts.makeAsyncIterator()
        #expect(try #require(await log.next()) == nil)
        #expect(fixture.answers.count <= prompts.withLock { $0 })
    }

    /// The one that came last shows the prompt, and the permanent one at the end.
    @Test func viewsComeAndGo() async throws {
        let fixture = PromptFixture()
        var permanent = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await permanent.prompt())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.rounds {
                group.addTask {
                    var view = PromptView(fixture.auth)
                    _ = await view.next()
                }
            }
        }
        #expect(prompt.isOpen, "The one that was there first shows it again.")
        prompt.code?.submit("123456")
        #expect(await attempt.value.error == nil)
    }
}
