import AuthStreams

extension AuthError {
    /// Whether another kind may be tried after this error: not if the person has decided or come back, the attempt's
    /// time or its task is over, or a code was received.
    var allowsFallback: Bool {
        guard step != .exchanging else { return false }
        return switch code {
        case .cancelled, .superseded, .abandoned, .timedOut: false
        // The person's own refusal, and Kakao's of a person under 14, whom the page would refuse as well. Any other
        // refusal concerns the app, and a page may succeed.
        case .accessDenied: !["access_denied", "consent_required", KakaoErrors.under14].contains(serverCode)
        default: true
        }
    }
}
