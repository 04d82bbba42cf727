public import AuthStreams
public import Foundation

/// Stands for the system's browser and a person in front of it, over real HTTP.
///
/// ```swift
/// let browser = ScriptedBrowser(.approve(as: "1001"), transport: transport) { auth.handle($0) }
/// ```
///
/// Opening a web page starts a walk: the browser fetches the page, the person answers its form as the script says, and
/// redirects are followed to wherever they lead, an app's scheme included. Nothing is ever guessed: a page without a
/// form, a redirect that goes in circles, an answer that is no page end the walk, and ``visits`` says why.
///
/// | question | answer |
/// | --- | --- |
/// | when does `open` return? | at once; the walk goes on in a task of the browser, which ends with the browser |
/// | when is the person back? | when the walk is over, however it ended; after ``Answer/ignore`` never |
/// | what does it keep? | which pages were seen, without queries and bodies; no cookies |
@MainActor
public final class ScriptedBrowser: ApplicationOpener {
    /// What the person will do, one answer per page opened. The last one stays for all that come after.
    public var answers: [Answer]

    private let transport: any HTTPTransport
    private let deliver: @Sendable (URL) -> Bool
    private let history = BrowserHistory()
    private var walks: [Int: Task<Void, Never>] = [:]

    /// Makes a browser.
    ///
    /// - Parameters:
    ///   - answers: What the person will do; approves everything unless given.
    ///   - transport: The network.
    ///   - deliver: Takes a URL of an app's scheme, as the system gives it to the app, and says whether the app knew it:
    ///     usually `AuthService.handle(_:)`. Called on any thread.
    public init(
        _ answers: Answer..., transport: any HTTPTransport,
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

    /// Begins a visit to a web page.
    ///
    /// - Returns: `nil` for anything else, and when only an app may take the link.
    public func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        guard canOpen(url), !universalLinksOnly else { return nil }
        let answer = answers.count > 1 ? answers.removeFirst() : answers.first ?? .approve
        let visit = history.begin(answer)
        let walk = BrowserWalk(transport: transport, answer: answer, deliver: deliver) { [history] page in
            history.add(page, to: visit)
        }
        let isBack = Promise<Void>()
        walks = walks.filter { history.visits[$0.key].ending == nil }
        walks[visit] = Task { [history] in
            let ending = await walk.run(from: url)
            history.end(visit, with: ending)
            if ending != .ignored { isBack.resolve(()) }
        }
        return ApplicationVisit { _ = await isBack.value() }
    }

    /// Waits until no walk is under way.
    public func waitUntilSettled() async {
        for walk in walks.values { await walk.value }
    }

    /// Every visit, in the order in which they began.
    public var visits: [Visit] { history.visits }

    /// Every page seen, of all visits, in order.
    public var trace: [Page] { visits.flatMap(\.pages) }

    /// The title of the page that was seen last: what an error page says.
    public var lastPageTitle: String? { trace.last?.title }
}
