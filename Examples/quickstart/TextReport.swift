import AuthStreams
import AuthStreamsTesting
import Foundation

/// For people.
struct TextReport: Report {
    func begin(at emulator: URL, _ backend: EmulatedDevice.Backend, signsTokens: Bool) {
        print("Four providers, end to end, against emulated servers at \(emulator.absoluteString)")
        if !signsTokens { print("This system has no libcrypto: ID tokens are not signed, and signatures not checked.") }
        print("tap → provider.authenticate() → AuthSignIn → \(backend.chain) → session → states\n")
    }

    func add(_ record: AttemptRecord) {
        let mark = record.problems.isEmpty ? "✓" : "✗"
        print("\(mark) \(padded(record.scenario.provider.title, 8)) \(headline(record))")
        if [.approved, .passkey].contains(record.scenario.story) || record.scenario.hasPrompt {
            let steps = record.steps.map { "\($0.name) \(format($0.at))" }.joined(separator: " → ")
            print("    steps   \(steps)")
            print("    states  \(record.states.joined(separator: " ── "))")
        }
        for problem in record.problems { print("    problem \(problem)") }
    }

    func end(_ summary: Summary) {
        print("")
        let totals = "\(summary.attempts) attempts, \(summary.httpRequests) HTTP requests, \(format(summary.duration))"
        guard !summary.isOK else {
            print("All as expected: \(totals).")
            return
        }
        print("Not as expected (\(totals)):")
        for problem in summary.problems { print("  \(problem)") }
    }

    private func headline(_ record: AttemptRecord) -> String {
        let took = "\(format(record.duration)), \(record.httpRequests) HTTP requests"
        let outcome = record.uid.map { "signed in as \($0)" } ?? "ended with \(record.outcome)"
        switch record.scenario.story {
        case .approved: return "\(outcome)  (\(took))"
        case .denied: return "the person refused: \(outcome)"
        case .cancelled: return "the person turned back: \(outcome)"
        case .doubleTap: return "two taps, \(record.results.count) attempt: \(outcome)"
        case .password: return "a password and a code: \(outcome)  (\(took))"
        case .signUp: return "nickname and terms, at your server: \(outcome)  (\(took))"
        case .passkey: return "at your server: \(outcome)  (\(took))"
        }
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func format(_ duration: Duration) -> String {
        let tenths = (duration.milliseconds * 10).rounded() / 10
        return "\(tenths) ms"
    }
}

extension EmulatedDevice.Backend {
    /// The part of the chain that differs.
    fileprivate var chain: String {
        switch self {
        case .firebase: "FirebaseRepository → Firebase"
        case .server: "ServerRepository → your server"
        }
    }
}
