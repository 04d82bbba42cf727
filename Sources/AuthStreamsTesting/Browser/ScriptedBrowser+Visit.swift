import AuthStreams

extension ScriptedBrowser {
    /// One page that was opened, and everything it led to.
    public struct Visit: Hashable, Sendable {
        /// What the person was to do.
        public var answer: Answer
        /// The pages seen, redirects included, in order.
        public var pages: [Page] = []
        /// How it ended; `nil` while it goes on.
        public var ending: Ending?
    }

    /// One answer of a server, as an address bar shows it: without the query, which holds codes.
    public struct Page: Hashable, Sendable {
        /// How it was asked for.
        public var method: String
        /// Host, port and path.
        public var address: String
        /// The status; `nil` when no answer came.
        public var status: Int?
        /// The title, if the page has one.
        public var title: String?

        /// Makes a page, for comparing with what was seen.
        public init(_ method: String, _ address: String, status: Int?, title: String? = nil) {
            self.method = method
            self.address = address
            self.status = status
            self.title = title
        }
    }

    /// How a visit ended.
    public enum Ending: Hashable, Sendable {
        /// A URL of an app's scheme was handed over: scheme, host and path of it, and whether the app knew it.
        case handedOver(String, isAccepted: Bool)
        /// The last page asks for nothing any more.
        case arrived
        /// The person closed the page, or the browser went away.
        case closed
        /// The page stands there for ever.
        case ignored
        /// It could not go on, and why.
        case failed(String)
    }
}

/// What a browser has seen: the rules are the arrays, the lock lets walks write while the test reads.
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

    func end(_ visit: Int, with ending: ScriptedBrowser.Ending) { state.withLock { $0[visit].ending = ending } }
}
