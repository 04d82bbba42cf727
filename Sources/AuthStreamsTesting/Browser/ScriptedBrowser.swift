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
        let isBack = Promise<Void>()
        walks = walks.filter { history.visits[$0.key].outcome == nil }
        walks[visit] = Task { [history, transport, deliver] in
            let outcome = await BrowserWalk.run(
                from: url, answer, over: transport, record: { history.add($0, to: visit) }, deliver: deliver)
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
    package var trace: [Page] { visits.flatMap(\.pages) }

    /// The title of the last page, such as an error page's message.
    package var lastPageTitle: String? { trace.last?.title }
}

extension ScriptedBrowser {
    /// A visit of one opened page and the pages after it.
    public struct Visit: Hashable, Sendable {
        /// The person's answer.
        package var answer: Answer
        /// The pages seen, redirects included, in order.
        public var pages: [Page] = []
        /// How it ended; `nil` while it continues.
        public var outcome: Outcome?
    }

    /// One response of a server, as an address bar shows it: without the query, which holds codes.
    public struct Page: Hashable, Sendable {
        /// The request's method.
        public var method: String
        /// Host, port and path.
        public var address: String
        /// The status; `nil` if no response came.
        public var status: Int?
        /// The title, if the page has one.
        public var title: String?

        /// Makes a page, to compare with.
        package init(_ method: String, _ address: String, status: Int?, title: String? = nil) {
            self.method = method
            self.address = address
            self.status = status
            self.title = title
        }
    }

    /// How a visit ended.
    public enum Outcome: Hashable, Sendable {
        /// A URL of an app's scheme was passed on: its scheme, host and path, and whether the app accepted it.
        case handedOver(String, isAccepted: Bool)
        /// The last page has no form and no redirect.
        case arrived
        /// The person closed the page, or the browser was released.
        case closed
        /// The page stays open forever.
        case ignored
        /// The walk failed, with the reason.
        case failed(String)
    }
}

extension ScriptedBrowser {
    /// The person's answer to a page.
    public struct Answer: Hashable, Sendable {
        enum Kind: Hashable {
            case approve(userID: String?)
            case deny
            case close
            case ignore
        }
        let kind: Kind

        /// Presses the button that agrees, for the account that the page proposes.
        public static let approve = Self(kind: .approve(userID: nil))
        /// Presses the button that refuses.
        public static let deny = Self(kind: .deny)
        /// Closes the page once it has loaded, and comes back without an answer.
        public static let close = Self(kind: .close)
        /// Leaves the page open and never comes back.
        public static let ignore = Self(kind: .ignore)

        /// Chooses that account, then presses the button that agrees.
        public static func approve(as userID: String) -> Self { Self(kind: .approve(userID: userID)) }
    }
}

extension ScriptedBrowser.Answer {
    private static let agreeing: Set<String> = [
        "approve", "allow", "agree", "accept", "continue", "authorize", "yes", "ok", "동의", "허용", "계속", "승인",
    ]
    private static let refusing: Set<String> = [
        "deny", "cancel", "refuse", "reject", "decline", "no", "취소", "거부",
    ]

    /// Returns the form's button for the person's answer, if there is one.
    ///
    /// A button's value, name or label tells its meaning. One that names the account to choose agrees, and so does the
    /// only button of a form unless it refuses.
    func button(of form: HTMLForm) -> HTMLForm.Control? {
        switch kind {
        case .approve(let userID):
            form.buttons.first { $0.value == userID } ?? form.buttons.first { $0.says(Self.agreeing) }
                ?? form.buttons.first { form.buttons.count == 1 && !$0.says(Self.refusing) }
        case .deny: form.buttons.first { $0.says(Self.refusing) }
        case .close, .ignore: nil
        }
    }

    /// Returns the account to choose among the form's radios, unless the button is the choice.
    func choice(beside button: HTMLForm.Control) -> String? {
        guard case .approve(let userID?) = kind, button.value != userID else { return nil }
        return userID
    }
}

/// The history of a browser. The lock lets walks write while the test reads.
final class BrowserHistory: Sendable {
    private let state = Lock([ScriptedBrowser.Visit]())

    var visits: [ScriptedBrowser.Visit] { state.withLock { $0 } }

    func begin(_ answer: ScriptedBrowser.Answer) -> Int {
        state.withLock { visits in
            visits.append(.init(answer: answer))
            return visits.count - 1
        }
    }

    func add(_ page: ScriptedBrowser.Page, to visit: Int) { state.withLock { $0[visit].pages.append(page) } }

    func end(_ visit: Int, with outcome: ScriptedBrowser.Outcome) { state.withLock { $0[visit].outcome = outcome } }
}

extension HTMLForm.Control {
    fileprivate func says(_ words: Set<String>) -> Bool {
        [value, name, label].contains { text in
            text.lowercased().split { !$0.isLetter }.contains { words.contains(String($0)) }
        }
    }
}
