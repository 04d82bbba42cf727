extension AuthEvent: CustomStringConvertible {
    /// One line for a log: what happened, then what is known of it as `key=value`, always in this order.
    ///
    /// ```
    /// signInFailed attempt=3 operation=signIn provider=kakao step=exchanging error=misconfigured serverCode=KOE009 elapsed=30.002 explanation="…"
    /// refreshFailed error=network elapsed=1.250 retry=8.000 explanation="…"
    /// signedOut provider=apple.com reason=refreshInterrupted
    /// ```
    ///
    /// Durations are in seconds, with three decimals. Names that an app made up are percent-encoded (RFC 3986 section 2.1),
    /// so that none of them can end the line or pass for another key. The explanation comes last, in quotation marks, with a
    /// backslash before each quotation mark and backslash in it, and control characters as spaces. The line holds no secret, as
    /// the event itself.
    public var description: String {
        let fields = [
            ("attempt", attempt.map { String($0.number) }), ("operation", attempt?.operation.rawValue),
            ("provider", provider?.rawValue), ("step", attempt?.step?.rawValue), ("error", failure?.code.rawValue),
            ("serverCode", failure?.serverCode), ("elapsed", elapsed?.seconds), details?.field ?? ("", nil),
        ]
        let known = fields.compactMap { name, value in value.map { "\(name)=\(FormCoding.escape($0))" } }
        let explanation = failure?.explanation ?? ""
        let words = explanation.isEmpty ? [] : ["explanation=\(Self.quoted(explanation))"]
        return ([FormCoding.escape(kind.rawValue)] + known + words).joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            // The separators of lines and paragraphs end a line for some readers.
            case _ where scalar.properties.generalCategory == .control, "\u{2028}", "\u{2029}": quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension AuthEvent.Details {
    fileprivate var field: (name: String, value: String)? {
        switch self {
        case .attempt: nil
        case .signedIn(_, let isNewUser): ("isNewUser", isNewUser ? "true" : "false")
        case .retry(let delay): ("retry", delay.seconds)
        case .signedOut(let reason): ("reason", reason.rawValue)
        case .clockSkew(let skew): ("clockSkew", skew.seconds)
        case .missed(let count): ("missed", String(count))
        }
    }
}

extension AuthEvent {
    /// How much attention an event deserves.
    public enum Level: String, Hashable, Sendable, Codable {
        /// It went as it should, or the person or a newer attempt ended it.
        case info
        /// It did not, and no engineer is needed: it is retried, another way is tried, the person may try again, or the server
        /// ended a session.
        case warning
        /// An engineer should look at it.
        case error
    }

    /// How much attention the event deserves.
    public var level: Level {
        switch (kind, failure?.code) {
        case (.recordSetAside, _), (.eventsMissed, _): .error
        case (_, nil), (_, .cancelled), (_, .superseded): .info
        case (.providerWarning, _), (.refreshFailed, _), (.revocationFailed, _), (.adoptionDelayed, _),
            (.storageLocked, _):
            .warning
        case (.signedOut, _), (.refreshRefused, _), (_, .accessDenied), (_, .storageLocked), (_, .abandoned),
            (_, .network),
            (_, .timedOut), (_, .rateLimited), (_, .sessionExpired), (_, .requiresRecentSignIn), (_, .notSignedIn):
            .warning
        default: .error
        }
    }
}

extension Duration {
    /// In seconds, with three decimals in every locale; smaller fractions are cut off.
    fileprivate var seconds: String {
        let (whole, attoseconds) = components
        let thousandths = String((attoseconds / 1_000_000_000_000_000).magnitude)
        let sign = self < .zero ? "-" : ""
        let zeros = String(repeating: "0", count: 3 - thousandths.count)
        return "\(sign)\(whole.magnitude).\(zeros)\(thousandths)"
    }
}
