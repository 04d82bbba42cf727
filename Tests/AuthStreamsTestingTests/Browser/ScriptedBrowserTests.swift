import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@MainActor
@Suite struct ScriptedBrowserTests {
    private static let consent = AuthHTTPResponse.page(
        """
        <title>Consent</title><form method=post action="/decide">
        <input type=hidden name=ticket value="a+b &amp; c">
        <input type=radio name=user value=1001 checked><input type=radio name=user value=1002>
        <button name=decision value=deny>Cancel</button><button name=decision value=approve>Agree</button></form>
        """)
    private let start: URL
    private let taken = Lock([String]())

    init() throws {
        start = try #require(URL(string: "http://127.0.0.1:1/authorize?secret=1#top"))
    }

    private func browser(
        _ answer: ScriptedBrowser.Answer, on transport: PagesTransport, knowsCallback: Bool = true
    ) -> ScriptedBrowser {
        ScriptedBrowser(answer, transport: transport) { [taken] url in
            taken.withLock { $0.append(url.absoluteString) }
            return knowsCallback
        }
    }

    private func walk(
        _ answer: ScriptedBrowser.Answer, _ pages: [String: AuthHTTPResponse], knowsCallback: Bool = true
    ) async throws -> (ScriptedBrowser, PagesTransport) {
        let transport = PagesTransport(pages)
        let browser = browser(answer, on: transport, knowsCallback: knowsCallback)
        let visit = try #require(await browser.open(start, universalLinksOnly: false))
        await visit.waitForReturn()
        return (browser, transport)
    }

    @Test func approvalIsSubmittedAndTheCallbackHandedToTheApp() async throws {
        let (browser, transport) = try await walk(
            .approve(as: "1002"),
            ["GET /authorize": Self.consent, "POST /decide": .redirect("app.example:/back?code=c#x", status: 303)])
        #expect(taken.withLock { $0 } == ["app.example:/back?code=c#x"])
        #expect(browser.visits.first?.outcome == .handedOver("app.example:/back", isAccepted: true))
        let body = String(decoding: transport.requests.last?.body ?? Data(), as: UTF8.self)
        #expect(body == "ticket=a%2Bb%20%26%20c&user=1002&decision=approve")
        #expect(transport.requests.first?.headers["User-Agent"]?.isEmpty == false)
        #expect(transport.requests.first?.url.fragment == nil)
        #expect(
            browser.trace == [
                .init("GET", "127.0.0.1:1/authorize", status: 200, title: "Consent"),
                .init("POST", "127.0.0.1:1/decide", status: 303),
            ])
    }

    @Test func refusalPressesTheButtonThatRefuses() async throws {
        let (_, transport) = try await walk(
            .deny, ["GET /authorize": Self.consent, "POST /decide": .redirect("app:/back?error=access_denied")])
        let body = String(decoding: transport.requests.last?.body ?? Data(), as: UTF8.self)
        #expect(body.hasSuffix("&decision=deny"))
        #expect(taken.withLock { $0 } == ["app:/back?error=access_denied"])
    }

    @Test func loopbackCallbackIsFetchedLikeAnyPage() async throws {
        let (browser, transport) = try await walk(
            .approve,
            [
                "GET /authorize": Self.consent, "POST /decide": .redirect("http://127.0.0.1:2/callback?code=c"),
                "GET /callback": .page("<title>You may go back</title>"),
            ])
        #expect(browser.visits.first?.outcome == .arrived)
        #expect(browser.lastPageTitle == "You may go back")
        #expect(transport.requests.last?.url.query() == "code=c")
        #expect(taken.withLock { $0 }.isEmpty)
    }

    @Test func pageThatSubmitsItselfIsPostedWithoutThePerson() async throws {
        let formPost = AuthHTTPResponse.page(
            "<body onload='document.forms[0].submit()'><form method=post action='http://127.0.0.1:3/relay'>"
                + "<input type=hidden name=code value=c></form>")
        let (_, transport) = try await walk(
            .approve,
            [
                "GET /authorize": Self.consent, "POST /decide": formPost,
                "POST /relay": .redirect("app:/back?code=c", status: 303),
            ])
        #expect(transport.requests.last?.body == Data("code=c".utf8))
        #expect(transport.requests.last?.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(taken.withLock { $0 } == ["app:/back?code=c"])
    }

    @Test func redirectAfterAPostGoesOnWithGetUnlessItKeepsTheMethod() async throws {
        let (_, transport) = try await walk(
            .approve,
            [
                "GET /authorize": Self.consent, "POST /decide": .redirect("/again", status: 307),
                "POST /again": .redirect("last?x=1", status: 302), "GET /last": .page("<p>Done"),
            ])
        #expect(transport.requests.map(\.method.rawValue) == ["GET", "POST", "POST", "GET"])
        #expect(transport.requests[2].body == transport.requests[1].body)
        #expect(transport.requests[3].body == nil)
    }

    @Test func closedPageBringsThePersonBackWithoutAnAnswer() async throws {
        let (browser, transport) = try await walk(.close, ["GET /authorize": Self.consent])
        #expect(browser.visits.first?.outcome == .closed)
        #expect(transport.requests.count == 1)
    }

    @Test func ignoredPageNeverBringsThePersonBack() async throws {
        let browser = browser(.ignore, on: PagesTransport(["GET /authorize": Self.consent]))
        let visit = try #require(await browser.open(start, universalLinksOnly: false))
        let isBack = Promise<Bool>()
        let waiting = Task {
            await visit.waitForReturn()
            isBack.resolve(!Task.isCancelled)
        }
        await browser.waitUntilSettled()
        #expect(browser.visits.first?.outcome == .ignored)
        #expect(isBack.current == nil)
        waiting.cancel()
        #expect(await isBack.value() == false)
    }

    @Test func answersAreTakenInTurnAndTheLastStays() async throws {
        let transport = PagesTransport(["GET /authorize": Self.consent, "POST /decide": .redirect("app:/back")])
        let browser = ScriptedBrowser(.close, .approve, transport: transport)
        for _ in 0..<3 {
            await browser.open(start, universalLinksOnly: false)?.waitForReturn()
        }
        #expect(browser.visits.map(\.answer) == [.close, .approve, .approve])
    }

    @Test func onlyWebPagesAreOpened() async throws {
        let browser = browser(.approve, on: PagesTransport([:]))
        let talk = try #require(URL(string: "kakaokompassauth://authorize"))
        #expect(browser.canOpen(talk) == false)
        #expect(await browser.open(talk, universalLinksOnly: false) == nil)
        #expect(await browser.open(start, universalLinksOnly: true) == nil)
        #expect(browser.visits.isEmpty)
    }

    @Test(arguments: [
        (
            ["GET /authorize": AuthHTTPResponse.page("<title>KOE006</title>", status: 400)],
            "The server answered 400: KOE006."
        ),
        (["GET /authorize": .page("<p>Hello")], "The page has no form."),
        (["GET /authorize": AuthHTTPResponse(status: 200, body: Data("{}".utf8))], "something that is no HTML page"),
        (["GET /authorize": .redirect("/authorize")], "The redirects go in circles."),
        (["GET /authorize": .redirect("http://[")], "A redirect leads to what is no URL."),
        (["GET /authorize": .page("<form action='javascript:1'><button>OK</button></form>")], "no web page"),
        (["GET /authorize": .page("<form><button>OK</button></form>")], "One form leads to the next"),
        (["GET /authorize": .page("<form><button>Cancel</button></form>")], "no button for what the person wants"),
        ([:], "No answer came: network."),
    ])
    func whateverGoesWrongEndsTheWalkAndSaysWhy(pages: [String: AuthHTTPResponse], reason: String) async throws {
        let (browser, _) = try await walk(.approve, pages)
        guard case .failed(let text)? = browser.visits.first?.outcome else {
            Issue.record("The walk ended with \(String(describing: browser.visits.first?.outcome)).")
            return
        }
        #expect(text.contains(reason))
    }

    @Test func accountThatIsNotOfferedIsNotReplacedByAnother() async throws {
        let (browser, transport) = try await walk(.approve(as: "7"), ["GET /authorize": Self.consent])
        #expect(
            browser.visits.first?.outcome == .failed("The page does not offer the account that was to be chosen."))
        #expect(transport.requests.count == 1)
    }

    @Test func callbackThatTheAppDoesNotKnowIsSaid() async throws {
        let (browser, _) = try await walk(
            .approve, ["GET /authorize": .redirect("app://back/x?code=c")], knowsCallback: false)
        #expect(browser.visits.first?.outcome == .handedOver("app://back/x", isAccepted: false))
    }

    @Test func browserThatGoesAwayTakesItsWalkWithIt() async throws {
        let transport = StuckTransport()
        var browser: ScriptedBrowser? = ScriptedBrowser(transport: transport)
        weak let gone = browser
        let visit = try #require(await browser?.open(start, universalLinksOnly: false))
        _ = await transport.isWaiting.value()
        browser = nil
        #expect(gone == nil)
        await visit.waitForReturn()
        #expect(transport.wasCancelled.current == true)
    }
}

/// Never answers, until its task is cancelled.
private final class StuckTransport: AuthHTTPTransport {
    let isWaiting = Promise<Bool>()
    let wasCancelled = Promise<Bool>()

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        isWaiting.resolve(true)
        _ = await Promise<Never>().value()
        wasCancelled.resolve(Task.isCancelled)
        throw AuthError(.cancelled, "Cancelled.")
    }
}
