import AuthStreams
import AuthStreamsTesting

/// An attempt whose outcome is a character.
typealias Attempt = AuthStream<Character>

/// Takes so long, and logs its beginning.
func attempt(
    _ seconds: Int, _ outcome: Character, on clock: ManualClock, began: @escaping @Sendable (Character) -> Void
) -> Attempt {
    Attempt {
        began(outcome)
        try await clock.sleep(for: .seconds(seconds))
        if outcome.isUppercase { throw AuthError(.network, "Offline.") }
        return outcome
    }
}

/// Takes a second, and has these outcomes one after the other.
func attempts(
    _ outcomes: String, on rows: TimelineRows, retryAfter pause: Duration? = nil
) -> Attempt {
    let (clock, began) = (rows.clock, rows.log("began"))
    let rest = Lock(Array(outcomes))
    return Attempt {
        let outcome = rest.withLock { $0.isEmpty ? "?" : $0.removeFirst() }
        began(outcome)
        try await clock.sleep(for: .seconds(1))
        switch outcome {
        case "N": throw AuthError(.network, "Offline.", retryAfter: pause)
        case "D": throw AuthError(.accessDenied, "No.")
        default: return outcome
        }
    }
}
