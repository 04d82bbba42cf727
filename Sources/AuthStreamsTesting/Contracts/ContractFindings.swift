import AuthStreams
import Foundation

/// The violations that one check has found so far, and what it waits for.
final class ContractFindings: Sendable {
    struct Finding: Hashable, Sendable {
        let expected: String
        let seen: String
    }
    private struct State {
        var findings: [Finding] = []
        var stage = "preparing"
    }
    private let state = Lock(State())
    private let activity: CheckActivity

    init(of activity: CheckActivity) {
        self.activity = activity
    }

    var all: [Finding] { state.withLock { $0.findings } }

    /// Sets what the check waits for from now on, for the report of a check that hangs.
    func stage(_ words: String) {
        activity.step()
        state.withLock { $0.stage = words }
    }

    /// Adds what was expected and what was seen instead. Never include anything received or secret.
    func add(_ expected: String, saw seen: String) {
        state.withLock { $0.findings.append(Finding(expected: expected, seen: seen)) }
    }

    /// Adds a violation unless the condition holds.
    func expect(_ condition: Bool, _ expected: String, saw seen: @autoclosure () -> String) {
        if !condition { add(expected, saw: seen()) }
    }

    /// Returns the value of a success, and adds a violation for a failure.
    @discardableResult
    func expect<Value>(_ expected: String, of result: Result<Value, AuthError>) -> Value? {
        if case .success(let value) = result { return value }
        add(expected, saw: "saw \(Self.words(for: result))")
        return nil
    }

    /// Returns the session of a success, and adds a violation for a failure, and for a session of another user.
    @discardableResult
    func expectSession(of user: AuthUser, in result: Result<AuthSession, AuthError>) -> AuthSession? {
        let session = expect("a session", of: result)
        if let session { expect(session.user.id == user.id, "the same user", saw: "saw another") }
        return session
    }

    /// - Parameter words: How it was seen.
    func hung(_ words: String) -> Finding {
        Finding(expected: "the check to end", seen: "\(words) it was still \(state.withLock { $0.stage })")
    }

    /// Describes an error without its explanation, into which a broken port may put a token.
    static func words(for error: any Error) -> String {
        guard let error = error as? AuthError else { return "an error of type \(type(of: error))" }
        return "an error with code '\(error.code.rawValue)'"
    }

    /// Describes a result.
    static func words<Success>(for result: Result<Success, AuthError>) -> String {
        switch result {
        case .success: "a success"
        case .failure(let error): words(for: error)
        }
    }
}

/// All texts of a value: printed, interpolated, dumped or shown to a person.
struct RenderedText {
    private let text: String

    init(_ value: some Any) {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        if let error = value as? any LocalizedError {
            text += [error.errorDescription, error.failureReason, error.recoverySuggestion].compactMap(\.self).joined()
        }
        self.text = text
    }

    /// Returns whether the texts contain one of the secrets. Secrets of fewer than eight characters are ignored,
    /// because they may occur by chance.
    func tells(anyOf secrets: some Sequence<Secret>) -> Bool {
        secrets.contains { $0.reveal().count >= 8 && text.contains($0.reveal()) }
    }
}
