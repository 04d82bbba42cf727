import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A page that the server wants to be shown.
@Suite struct PromptPageTests {
    @Test func aPageIsAnsweredByItsCallback() async throws {
        let page = URL(string: "https://api.example/terms")!
        let fixture = PromptFixture(
            Challenge(.page(.init(page, kind: .init(rawValue: "terms-2027")))), because: .additionalStepRequired
        ) { _, _, _ in PromptFixture.session }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        let prompt = try #require(await view.prompt())
        #expect(prompt.kind.rawValue == "terms-2027" && prompt.page?.url == page)
        let callback = URL(string: "app:/terms?ok=1")!
        prompt.page?.submit(callback: callback)
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.callback(callback)])
    }

    @Test(arguments: [false, true]) func aPageIsShownByTheServicesUserAgent(closesFirst: Bool) async throws {
        let (page, callback) = (URL(literal: "https://api.example/terms"), URL(literal: "app:/terms"))
        let agent = await ClosingAgent(closesFirst: closesFirst)
        let fixture = PromptFixture(
            Challenge(.page(.init(page, callbackURL: callback))), because: .additionalStepRequired, userAgent: agent
        ) { _, _, _ in PromptFixture.session }
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.page).open()
        if closesFirst {
            let again = try #require(await view.prompt())
            #expect(again.failure?.code == .cancelled && again.isOpen, "Closing the page is no answer.")
            again.page?.open()
        }
        #expect(await attempt.value.error == nil)
        #expect(fixture.answers == [.callback(URL(literal: "app:/terms?done=1"))])
        #expect(await agent.opened.allSatisfy { $0 == page })
    }

    @Test func aPageThatCannotBeShownSaysWhy() async throws {
        let page = URL(literal: "https://api.example/terms")
        let fixture = PromptFixture(Challenge(.page(.init(page))), because: .additionalStepRequired)
        var view = PromptView(fixture.auth)
        let attempt = fixture.signIn()
        try #require(await view.prompt()?.page).open()
        let error = try #require(await attempt.value.error)
        #expect(error.code == .misconfigured && error.explanation.contains("userAgent"))
    }
}

/// A user agent whose person closes the first page, or follows each.
@MainActor private final class ClosingAgent: UserAgent {
    private(set) var opened: [URL] = []
    private var closes: Bool

    init(closesFirst: Bool) { closes = closesFirst }

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        guard case .redirect(let callback) = page.redirect else {
            throw AuthError(.unexpected, "The page has no URL of the app.")
        }
        opened.append(page.url(redirectURI: callback))
        if closes {
            closes = false
            throw AuthError(.cancelled, "The person closed the page.")
        }
        let answer = callback.appending(queryItems: [.init(name: "done", value: "1")])
        guard page.accepts(answer, redirectURI: callback) else { throw AuthError(.unexpected, "It is not accepted.") }
        return AuthorizationAnswer(url: answer, redirectURI: callback)
    }
}
