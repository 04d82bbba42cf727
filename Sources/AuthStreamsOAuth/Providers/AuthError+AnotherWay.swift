import AuthStreams

extension AuthError {
    /// Whether another way to ask the person may still be tried after this one failed: not once they have decided or come
    /// back, nor when the attempt's time or its task is over, nor when a code was received.
    var allowsFallback: Bool {
        guard step != .exchanging else { return false }
        return switch code {
        case .cancelled, .superseded, .abandoned, .timedOut: false
        // The person's own no, and Kakao's to a person under 14, who would meet it on the page as well. Any other refusal is
        // the app's, and a page may do better.
        case .accessDenied: serverCode != "access_denied" && serverCode != KakaoErrors.under14
        default: true
        }
    }
}
