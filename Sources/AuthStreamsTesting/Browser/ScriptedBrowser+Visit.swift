import AuthStreams

extension ScriptedBrowser {
    /// A visit of one opened page and the pages after it.
    public struct Visit: Hashable, Sendable {
        /// The person's answer.
        public var answer: Answer
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
        public init(_ method: String, _ address: String, status: Int?, title: String? = nil) {
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
