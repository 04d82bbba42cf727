import AuthStreams
import Foundation
import LoopbackHTTP

/// A recorded request and its response.
struct Exchange: Sendable {
    var entry: EmulatorJournal.Entry
    /// The request; `nil` if its body is too long.
    let request: EmulatorRequest?
    /// When the request came and when it was answered, by the emulator's clock.
    let beganAt: Date
    let began: Duration
    var ended: Duration?
    /// The place in the order of the requests and answers.
    let beginning: Int
    /// The place of the answer in that order; `nil` before it.
    var end: Int?
    /// The number of the answer among the answers, counted from 1; `nil` before it.
    var answer: Int?
    /// Where the answer redirects to.
    var location: String?
    /// The answer, if it is JSON and not too long.
    var json: Data?
    /// The fault that changed or replaced the answer, such as `status 503`.
    var fault: String?
    var notes = RequestNotes.Content()

    /// Longer bodies are not kept: they would take much memory, and seconds to parse.
    fileprivate static let maximumBytes = 65_536
}

/// The journal's requests and answers, under one lock.
final class JournalStore: Sendable {
    private struct State {
        var exchanges = RecentList<Exchange>("request", limit: EmulatorLimit.requests)
        /// The numbers of the requests, in the order of their answers.
        var answered = RecentList<Int>("answer", limit: EmulatorLimit.requests)
        /// How many requests and answers there were.
        var count = 0
        /// How often the configuration or the faults were changed.
        var changes = 0
        /// Resolved by the next request, answer or change; `nil` if no task waits for it.
        var news: Promise<Void>?

        mutating func next() -> Int {
            count += 1
            return count
        }

        mutating func waitForNews() -> Promise<Void> {
            let news = news ?? Promise()
            self.news = news
            return news
        }
    }
    private let state = Lock(State())
    private let clock: AuthClock

    init(clock: AuthClock) { self.clock = clock }

    var exchanges: [Exchange] { state.withLock { $0.exchanges.all } }

    var entries: [EmulatorJournal.Entry] { exchanges.map(\.entry) }

    /// The codes and tokens of the kept requests and answers, in the order in which they were seen first. They are read here.
    var secrets: [IssuedSecret] {
        var found = FoundSecrets()
        let exchanges = exchanges
        let requests = exchanges.map { ($0.beginning, $0, isAnswer: false) }
        let answers = exchanges.compactMap { exchange in exchange.end.map { ($0, exchange, isAnswer: true) } }
        for (_, exchange, isAnswer) in (requests + answers).sorted(by: { $0.0 < $1.0 }) {
            if isAnswer { found.read(answerOf: exchange) } else { exchange.request.map { found.read($0) } }
        }
        return found.secrets
    }

    /// Changes the state, and resumes the tasks that wait for news.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, news) = state.withLock { state in
            defer { state.news = nil }
            return (body(&state), state.news)
        }
        news?.resolve(())
        return value
    }

    /// Records a request, and returns its number.
    func begin(_ request: EmulatorRequest) -> Int {
        let (date, uptime) = (clock.date, clock.uptime)
        return change { state in
            let entry = EmulatorJournal.Entry(
                number: state.exchanges.count + 1, method: request.method, host: request.host, path: request.path,
                caller: request.caller, status: nil)
            state.exchanges.append(
                Exchange(
                    entry: entry, request: request.body.count < Exchange.maximumBytes ? request : nil, beganAt: date,
                    began: uptime, beginning: state.next()))
            return entry.number
        }
    }

    /// Records the answer to a request.
    ///
    /// - Parameters:
    ///   - response: What the service has answered.
    ///   - status: The status that is sent, which a fault may have changed.
    func finish(
        _ number: Int, _ response: LoopbackResponse, status: Int, fault: String?, _ notes: RequestNotes.Content
    ) {
        let uptime = clock.uptime
        let isKept = response.body.first == UInt8(ascii: "{") && response.body.count < Exchange.maximumBytes
        let location = response.headers.first { $0.name == "Location" }?.value
        change { state in
            state.answered.append(number)
            let (end, answer) = (state.next(), state.answered.count)
            state.exchanges.update(number - 1) { exchange in
                exchange.entry.status = status
                exchange.entry.note = notes.text
                (exchange.end, exchange.answer, exchange.ended) = (end, answer, uptime)
                (exchange.location, exchange.json) = (location, isKept ? response.body : nil)
                (exchange.fault, exchange.notes) = (fault, notes)
            }
        }
    }

    func first(matching fits: @escaping @Sendable (EmulatorJournal.Entry) -> Bool) async -> EmulatorJournal.Entry? {
        var seen = 0
        while true {
            let (entries, news) = state.withLock { state in
                let new = max(seen, state.exchanges.count - EmulatorLimit.requests)..<state.exchanges.count
                return (new.compactMap { state.exchanges[$0]?.entry }, state.waitForNews())
            }
            // The test's closure runs outside the lock, so it may read the journal.
            if let match = entries.first(where: fits) { return match }
            seen = entries.last?.number ?? seen
            guard await news.value() != nil else { return nil }
        }
    }

    /// Tells the readers of a change of the configuration or the faults.
    func announceChange() { change { $0.changes += 1 } }

    /// What a reader of the journal has got.
    struct Place: Hashable {
        /// The number of the last answer; 0 for none.
        var answer = 0
        /// How often the configuration or the faults were changed.
        var changes = 0
    }

    /// A place at the present configuration.
    func place(of answer: Int) -> Place { Place(answer: answer, changes: state.withLock(\.changes)) }

    /// Waits until there are answers after a place or a change, and returns the answers in order.
    ///
    /// - Parameters:
    ///   - place: The place. A higher number of an answer than there are is of an earlier emulator, and counts as 0.
    ///   - limit: How many to return at most.
    /// - Returns: The answers, how many of those asked for were dropped, and the place after them; `nil` if the task was cancelled.
    func answers(after place: Place, limit: Int = 100) async -> (exchanges: [Exchange], dropped: Int, place: Place)? {
        while true {
            let (start, numbers, exchanges, next, news) = state.withLock { state in
                let count = state.answered.count
                let start = place.answer > count ? 0 : place.answer
                // Those before are dropped, and would only be counted.
                let first = max(start, count - EmulatorLimit.requests)
                let numbers = first..<min(first + limit, count)
                let exchanges = numbers.compactMap { state.answered[$0].flatMap { state.exchanges[$0 - 1] } }
                let next = Place(answer: numbers.upperBound, changes: state.changes)
                return (start, numbers, exchanges, next, state.waitForNews())
            }
            if !numbers.isEmpty || place.changes != next.changes {
                return (exchanges, numbers.upperBound - start - exchanges.count, next)
            }
            guard await news.value() != nil else { return nil }
        }
    }
}

/// What an emulator found out about a request while it answered it.
final class RequestNotes: Sendable {
    @TaskLocal static var current: RequestNotes?

    struct Content: Sendable {
        /// What the emulator did to its own data.
        var texts: [String] = []
        /// The secrets that no parameter or member of the answer contains, such as the fields of a page that posts itself.
        var secrets: [(name: String, value: String, host: String)] = []
        /// Why the request was refused.
        var mismatches: [Mismatch] = []
        /// What the page says with which it was refused.
        var refusal: String?
        /// Further values that the request shares with the others of its sign-in.
        var links: [String] = []

        /// The texts; `nil` without any.
        var text: String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }
    }

    private let state = Lock(Content())

    var content: Content { state.withLock(\.self) }

    /// Adds to the notes of the request that is being answered, if there is one.
    static func add(_ change: (inout Content) -> Void) { current?.state.withLock { change(&$0) } }

    static func add(_ text: String) { add { $0.texts.append(text) } }
}
