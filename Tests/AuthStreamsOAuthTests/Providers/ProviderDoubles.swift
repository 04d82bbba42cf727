import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

extension AuthorizationSecrets {
    /// The same secrets for the same seed.
    static func seeded(_ seed: UInt64) -> AuthorizationSecrets {
        struct Counter: RandomNumberGenerator {
            var state: UInt64
            mutating func next() -> UInt64 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return state
            }
        }
        var counter = Counter(state: seed)
        return AuthorizationSecrets(using: &counter)
    }

    /// All that must never be seen outside of the wire.
    var all: [String] { [state.reveal(), nonce.reveal(), proofKey.verifier.reveal()] }
}

/// A phone with one other app, which does what the test says.
@MainActor
final class Phone: ApplicationOpener {
    enum Reaction {
        /// Nothing opens.
        case refuse
        /// The app opens and answers with these URLs, then the person is back.
        case answer([String])
        /// The person comes back without an answer.
        case comeBack
        /// The person stays there.
        case stay
    }
    var isInstalled = true
    /// What this app lacks to open the other one.
    var misconfiguration: AuthError?
    private(set) var opened: [(url: String, universalLinksOnly: Bool)] = []
    private(set) var asked: [String] = []
    /// Whether each answer was taken, in order.
    private(set) var taken: [Bool] = []
    private let callbacks: CallbackRouter
    private let react: @MainActor (Int) -> Reaction

    /// - Parameter react: What happens at the first, second, … time that something is opened, counted from 1.
    init(_ callbacks: CallbackRouter, _ react: @escaping @MainActor (Int) -> Reaction) {
        self.callbacks = callbacks
        self.react = react
    }

    func validateConfiguration(toOpen url: URL, answeringAt callback: URL) throws(AuthError) {
        if let misconfiguration { throw misconfiguration }
    }

    var hidesURLs: Bool { true }

    func canOpen(_ url: URL) -> Bool {
        asked.append(url.absoluteString)
        return isInstalled
    }

    func open(_ url: URL, universalLinksOnly: Bool) async -> ApplicationVisit? {
        opened.append((url.absoluteString, universalLinksOnly))
        switch react(opened.count) {
        case .refuse: return nil
        case .answer(let answers):
            for answer in answers { taken.append(URL(string: answer).map { callbacks.handle($0) } ?? false) }
            return ApplicationVisit {}
        case .comeBack: return ApplicationVisit {}
        case .stay: return .unobservable
        }
    }
}

/// A browser whose person does what the test says.
@MainActor
final class PageReader: UserAgent {
    enum Reaction {
        /// These URLs come back, one after the other. The first that the page accepts is the answer; none is a cancel.
        case callbacks([String])
        /// This URL is the answer, whether or not the page accepts it.
        case forced(String)
        /// The page fails.
        case failure(AuthError)
        /// Nothing happens until the task is cancelled.
        case stay
    }
    private(set) var opened: [String] = []
    private let react: @MainActor (String) -> Reaction
    let bindsAnswers = true

    init(_ react: @escaping @MainActor (String) -> Reaction) { self.react = react }

    /// A browser that must not be opened.
    static var unused: PageReader {
        PageReader { _ in
            Issue.record("The page was opened.")
            return .callbacks([])
        }
    }

    func authorize(_ page: AuthorizationPage) async throws(AuthError) -> AuthorizationAnswer {
        guard case .redirect(let redirectURI) = page.redirect else { throw AuthError(.misconfigured, "no redirect") }
        let url = page.url(redirectURI: redirectURI).absoluteString
        opened.append(url)
        switch react(url) {
        case .callbacks(let callbacks):
            for url in callbacks.compactMap({ URL(string: $0) }) where page.accepts(url, redirectURI: redirectURI) {
                return AuthorizationAnswer(url: url, redirectURI: redirectURI, isBound: true)
            }
            throw AuthError(.cancelled, "closed")
        case .forced(let text):
            guard let url = URL(string: text) else { throw AuthError(.unexpected, "no URL") }
            return AuthorizationAnswer(url: url, redirectURI: redirectURI, isBound: true)
        case .failure(let error): throw error
        case .stay:
            _ = await Promise<Never>().value()
            throw .init(wrapping: CancellationError())
        }
    }
}

/// Answers every request by the same rule, and keeps what it was asked.
final class TokenServer: AuthHTTPTransport {
    private let answer: @Sendable (AuthHTTPRequest) throws -> AuthHTTPResponse
    private let log = Lock([String]())
    /// Resolved when the first request came.
    let isAsked = Promise<Void>()
    private let isSilent: Bool

    init(isSilent: Bool = false, _ answer: @escaping @Sendable (AuthHTTPRequest) throws -> AuthHTTPResponse) {
        self.answer = answer
        self.isSilent = isSilent
    }

    convenience init(status: Int = 200, _ body: String, isSilent: Bool = false) {
        self.init(isSilent: isSilent) { _ in .text(body, status: status) }
    }

    /// Method, URL and body of each request.
    var requests: [String] { log.withLock { $0 } }

    func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
        let form = String(decoding: request.body ?? Data(), as: UTF8.self)
        log.withLock { $0.append("\(request.method.rawValue) \(request.url.absoluteString) \(form)") }
        isAsked.resolve(())
        if isSilent {
            _ = await Promise<Never>().value()
            throw .init(wrapping: CancellationError())
        }
        return try await AuthError.wrapping { try answer(request) }
    }
}

/// The steps that an attempt reported.
final class StepLog: Sendable {
    private let log = Lock([AuthState.SignInStep]())
    var steps: [AuthState.SignInStep] { log.withLock { $0 } }
    @Sendable func append(_ step: AuthState.SignInStep) { log.withLock { $0.append(step) } }
}

/// Everything that an error shows.
func everything(_ error: AuthError) -> String {
    var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription) "
    dump(error, to: &text)
    return text
}
