import AuthStreams

// What the article's code is given to run with.

/// Notes what it is given.
final class Notes<Note: Sendable>: Sendable {
    private let notes = Lock<[Note]>([])

    var all: [Note] { notes.withLock { $0 } }
    func add(_ note: Note) { notes.withLock { $0.append(note) } }
}

/// Stands for a vendor's SDK that calls back.
struct CallingBack: Sendable {
    func logIn(_ done: @escaping @Sendable (String) -> Void) { done("token") }
}

extension Sequence where Self: Sendable, Element: Sendable {
    /// The elements, one after the other, for one reader.
    var async: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}

extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// Sign-in that answers, with whom it was with, when it is told to.
struct GatedSignIn: Sendable {
    private let gate = Promise<Void>()

    func answer() { gate.resolve(()) }

    func signIn(with id: ProviderID) -> AuthStream<ProviderID> {
        AuthStream {
            guard await gate.value() != nil else { throw CancellationError() }
            return id
        }
    }
}

/// Gives an article's answers, in order.
final class AnsweringServer: AuthHTTPTransport {
    private let answers: Lock<[AuthHTTPResponse]>

    init(_ answers: [AuthHTTPResponse]) { self.answers = Lock(answers) }

    var hasMore: Bool { answers.withLock { !$0.isEmpty } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        try answers.withLock { (answers) throws(AuthError) in
            guard !answers.isEmpty else { throw AuthError(.network, "There is no answer left.") }
            return answers.removeFirst()
        }
    }
}
