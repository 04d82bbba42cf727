extension AuthEvent: CustomStringConvertible {
    /// One line for a log: what happened, then what is known of it as `key=value`, always in this order.
    ///
    /// ```
    /// signInFailed attempt=3 provider=kakao step=exchanging error=timedOut elapsed=30.002
    /// refreshFailed error=network elapsed=1.250 delay=8.000
    /// signedOut provider=apple.com reason=refreshInterrupted
    /// ```
    ///
    /// Durations are in seconds, with three decimals. Names that an app made up are percent-encoded (RFC 3986 section 2.1),
    /// so that none of them can end the line or pass for another key. It holds no secret, as the event itself.
    public var description: String {
        let fields = [
            ("change", change?.rawValue), ("attempt", attempt.map(String.init)), ("provider", provider?.rawValue),
            ("step", step?.rawValue),
            ("error", error?.rawValue), ("reason", reason?.name), ("elapsed", elapsed?.seconds),
            ("delay", delay?.seconds), ("skipped", skipped.map(String.init)),
        ]
        let known = fields.compactMap { name, value in value.map { "\(name)=\(FormCoding.escape($0))" } }
        return ([FormCoding.escape(kind.rawValue)] + known).joined(separator: " ")
    }
}

extension SignOutReason {
    fileprivate var name: String {
        switch self {
        case .user: "user"
        case .revoked: "revoked"
        case .expired: "expired"
        case .disabled: "disabled"
        case .deleted: "deleted"
        case .revokedAtProvider: "revokedAtProvider"
        case .refreshInterrupted: "refreshInterrupted"
        case .elsewhere: "elsewhere"
        }
    }
}

extension Duration {
    /// In seconds, with three decimals whatever the locale; what is less is cut off.
    fileprivate var seconds: String {
        let (whole, attoseconds) = components
        let thousandths = String((attoseconds / 1_000_000_000_000_000).magnitude)
        let sign = self < .zero ? "-" : ""
        let zeros = String(repeating: "0", count: 3 - thousandths.count)
        return "\(sign)\(whole.magnitude).\(zeros)\(thousandths)"
    }
}
