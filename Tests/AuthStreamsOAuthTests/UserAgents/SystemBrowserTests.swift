import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// The way back by a URL of the app.
@Suite(.limitedParallelization) struct SystemBrowserTests {
    private let callbacks = CallbackRouter()
    private let time = ManualClock()
    private let redirectURI = URL(literal: "com.example.app:/back")
    private let page = AuthorizationPage(
        redirect: .redirect(URL(literal: "com.example.app:/back")),
        makeURL: {
            URL(literal: "https://a.example/authorize").appending(queryItems: [.init(name: "r", value: "\($0)")])
        },
        accepts: { $0.query() == "state=right" && RedirectURI.matches($0, $1) })

    private func authorize(_ opener: ScriptedOpener) async throws -> AuthorizationAnswer {
        let clock = time.authClock(startingAt: .distantPast)
        return try await SystemBrowser(opener: opener, callbacks: callbacks, clock: clock).authorize(page)
    }

    @Test func strayCallbacksAreIgnoredAndTheRightOneIsTheAnswer() async throws {
        let opener = ScriptedOpener { [callbacks] url in
            #expect(url.absoluteString == "https://a.example/authorize?r=com.example.app:/back")
            #expect(!callbacks.handle(URL(literal: "com.example.app:/back?state=wrong")))
            #expect(!callbacks.handle(URL(literal: "com.example.app:/elsewhere?state=right")))
            #expect(callbacks.handle(URL(literal: "com.example.app:/back?state=right")))
            #expect(!callbacks.handle(URL(literal: "com.example.app:/back?state=right")), "a second callback")
            return ApplicationVisit {}
        }
        let answer = try await authorize(opener)
        #expect(answer.url.absoluteString == "com.example.app:/back?state=right" && answer.redirectURI == redirectURI)
        #expect(!"\(answer)".contains("right") && answer.isBound)
    }

    /// On the command line the page's address, with `state` and challenge, is an argument of a process.
    @Test func answerToAnAddressThatOthersCouldReadIsNotBound() async throws {
        let opener = ScriptedOpener(hidesURLs: false) { [callbacks] _ in
            callbacks.handle(URL(literal: "com.example.app:/back?state=right"))
            return .unobservable
        }
        #expect(try await !authorize(opener).isBound)
    }

    /// As a command of `BROWSER` that ends with another status than 0 although it opened the page.
    @Test func openerThatFailsAfterItsPageWasFetchedHasOpenedIt() async throws {
        let visitor = Promise<LoopbackVisitor>()
        let listener = LoopbackFixture(
            opener: ScriptedOpener { url in
                var browser = LoopbackVisitor(port: UInt16(url.port ?? 0), start: url.path())
                _ = try? await browser.begin()
                visitor.resolve(browser)
                return nil
            })
        let attempt = listener.start()
        let browser = try #require(await visitor.value())
        try await listener.expectAnswer(from: browser, to: attempt)
    }

    @Test func noBrowserIsExplained() async {
        let error = await #expect(throws: AuthError.self) { try await authorize(ScriptedOpener { _ in nil }) }
        #expect(error?.code == .misconfigured && error?.explanation.contains("BROWSER") == true)
    }

    @Test func comingBackWithoutAnAnswerIsAbandonedAfterTheGrace() async {
        let attempt = Task { try await authorize(ScriptedOpener { _ in ApplicationVisit {} }) }
        await time.waitForSleepers(count: 2)
        time.advance(by: .seconds(1))
        #expect(await attempt.result.authError?.code == .abandoned)
    }

    @Test func withoutARouterAPageThatAnswersByAURLIsNotShown() async throws {
        let opener = ScriptedOpener { _ in .unobservable }
        let page = AuthorizationPage(
            redirect: .redirect(URL(literal: "com.example.app:/back")), makeURL: { $0 }, accepts: { _, _ in true })
        let error = await #expect(throws: AuthError.self) {
            try await SystemBrowser(opener: opener).authorize(page)
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains("callbacks") == true)
        #expect(await opener.opened.isEmpty)
    }

    /// A listener's address is no URL of an app: the answer would be waited for in vain.
    @Test func pageThatAnswersAtAnAddressWhereNothingListensIsNotShown() async throws {
        let opener = ScriptedOpener { _ in nil }
        let page = AuthorizationPage(
            redirect: .redirect(URL(literal: "http://127.0.0.1:8080/back")), makeURL: { $0 }, accepts: { _, _ in true }
        )
        let error = await #expect(throws: AuthError.self) {
            try await SystemBrowser(opener: opener, callbacks: CallbackRouter()).authorize(page)
        }
        #expect(error?.code == .misconfigured && error?.explanation.contains(".loopback(path:)") == true)
        #expect(await opener.opened.isEmpty)
    }

    @Test func pageThatIsNotAnsweredEndsAtTheTimeLimit() async {
        let attempt = Task { try await authorize(ScriptedOpener()) }
        await time.waitForSleepers(count: 1)
        time.advance(by: .seconds(600))
        #expect(await attempt.result.authError?.code == .timedOut)
    }

    @Test func openerThatNeverReturnsDelaysNoAnswer() async throws {
        // A launcher may stay in the foreground as long as its browser does.
        let opener = ScriptedOpener { [callbacks] _ in
            callbacks.handle(URL(literal: "com.example.app:/back?state=right"))
            _ = await Promise<Never>().value()
            return .unobservable
        }
        #expect(try await authorize(opener).url.query() == "state=right")
    }

    @Test func cancellingTheTaskEndsTheWait() async {
        let opener = ScriptedOpener()
        let attempt = Task { try await authorize(opener) }
        _ = await opener.first.value()
        attempt.cancel()
        #expect(await attempt.result.authError?.code == .cancelled)
        #expect(!callbacks.handle(URL(literal: "com.example.app:/back?state=right")))
    }
}
