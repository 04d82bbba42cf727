import AuthStreams
import AuthStreamsTesting

/// The outcome of one scenario.
struct AttemptRecord {
    struct Step {
        let name: String
        let at: Duration
    }

    let scenario: Scenario
    let backend: EmulatedDevice.Backend
    let results: [Result<SignInResult, AuthError>]
    let steps: [Step]
    /// As one reader of `auth.states` saw them; changes of the step alone are one state.
    let states: [String]
    let httpRequests: Int
    let duration: Duration

    var uid: String? { try? results.first?.get().user.id }

    var error: AuthError? {
        if case .failure(let error) = results.first { error } else { nil }
    }

    /// The outcome in one word.
    var outcome: String { error?.code.rawValue ?? (uid == nil ? "nothing" : "success") }

    /// The deviations from what is expected.
    var problems: [String] {
        var problems: [String] = []
        if results.count != 1 { problems.append("\(results.count) results instead of one") }
        if let expected = scenario.expectedError {
            if error?.code != expected { problems.append("\(outcome) instead of \(expected.rawValue)") }
        } else {
            if let error { problems.append("failed: \(error.debugDescription)") }
            if uid?.isEmpty ?? true { problems.append("no user") }
            if steps.last?.name != "establishingSession" { problems.append("did not reach the session") }
            if httpRequests == 0 { problems.append("no HTTP request was made") }
        }
        let ending = scenario.expectedError == nil ? "signedIn" : "signedOut"
        let expected = ["signedOut", "signingIn", ending]
        if states != expected { problems.append("the reader saw \(states) instead of \(expected)") }
        return problems
    }
}

/// The whole run.
struct Summary {
    let attempts: Int
    let problems: [String]
    let httpRequests: Int
    let duration: Duration

    init(_ records: [AttemptRecord]) {
        attempts = records.count
        problems = records.flatMap { record in
            record.problems.map { "\(record.scenario.provider.shortName), \(record.scenario.story): \($0)" }
        }
        httpRequests = records.reduce(0) { $0 + $1.httpRequests }
        duration = records.reduce(.zero) { $0 + $1.duration }
    }

    var isOK: Bool { problems.isEmpty }
}

extension AuthState {
    /// The state without what it carries.
    var name: String {
        switch self {
        case .restoring: "restoring"
        case .signedOut: "signedOut"
        case .signingIn: "signingIn"
        case .signedIn: "signedIn"
        }
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
