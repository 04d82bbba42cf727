public import AuthStreams
public import Foundation

/// The system's browser with a scripted person, over real HTTP.
///
/// ```swift
/// let browser = ScriptedBrowser(.approve(as: "1001"), transport: transport) { auth.handle($0) }
/// ```
///
/// Opening a web page starts a walk: the browser fetches the page, the person answers its form as the script says, and
/// the browser follows redirects, including those to an app's scheme. It never guesses: a page without a form, a
/// redirect loop, or a response that is not a page ends the walk, and ``visits`` has the reason.
///
/// | question | answer |
/// | --- | --- |
/// | when does `open` return? | at once; the walk continues in a task of the browser, which ends with the browser |
/// | when is the person back? | when the walk ends; after ``Answer/ignore`` never |
/// | what does it keep? | the visited pages, without queries and bodies; no cookies |
@MainActor
public final class ScriptedBrowser: ApplicationOpener {
    /// The person's answers, one per opened page. The last one is used for all later pages.
    public var answers: [Answer]

    private let transport: any AuthHTTPTransport
    private let deliver: @Sendable (URL) -> Bool
    private let history = BrowserHistory()
    private var walks: [Int: Task<Void, Never>] = [:]

    /// Makes a browser.
    ///
    /// - Parameters:
    ///   - answers: The person's answers; approves everything unless given.
    ///   - transport: Sends the requests.
    ///   - deliver: Receives a URL of an app's scheme, as the system passes it to the app, and returns whether the app
    ///     accepted it: usually `AuthService.handle(_:)`. Called on any thread.
    public init(
        _ answers: Answer..., transport: any AuthHTTPTransport,
        deliver: @escaping @Sendable (URL) -> Bool = { _ in false }
    ) {
        self.answers = answers.isEmpty ? [.approve] : answers
        self.transport = transport
        self.deliver = deliver
    }

    deinit {
        for walk in walks.values { walk.cancel() }
    }

    /// Whether the URL is a web page.
    public func canOpen(_ url: URL) -> Bool { BrowserWalk.isWebPage(url) }

    /// Whether no other user of the machine can read the pages' URLs, as with a browser that an app opens: `true` unless set.
    public var hidesURLs = true

    /// Begins a visit to a web page.
    ///
    /// - Returns: `nil` for any other URL, and if only an app may open the link.
    public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        guard canOpen(url), !universalLinksOnly else { return nil }
        let answer = answers.count > 1 ? answers.removeFirst() : answers.first ?? .approve
        let visit = history.begin(answer)
        let walk = BrowserWalk(transport: transport, answer: answer, deliver: deliver) { [history] page in
            history.add(page, to: visit)
        }
        let isBack = Promise<Void>()
        walks = walks.filter { history.visits[$0.key].outcome == nil }
        walks[visit] = Task { [history] in
            let outcome = await walk.run(from: url)
            history.end(visit, with: outcome)
            if outcome != .ignored { isBack.resolve(()) }
        }
        return ApplicationVisit { _ = await isBack.value() }
    }

    /// Waits until no walk is in progress.
    public func waitUntilSettled() async {
        for walk in walks.values { await walk.value }
    }

    /// Every visit, in the order in which they began.
    public var visits: [Visit] { history.visits }

    /// Every page seen, of all visits, in order.
    public var trace: [Page] { visits.flatMap(\.pages) }

    /// The title of the last page, such as an error page's message.
    public var lastPageTitle: String? { trace.last?.title }
}
