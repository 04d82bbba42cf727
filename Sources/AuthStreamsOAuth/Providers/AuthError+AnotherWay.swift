import AuthStreams

extension AuthError {
    /// Whether another way to ask the person may still be tried after this one failed: not once they have decided, nor
    /// when the attempt's time or its task is over.
    var leavesAnotherWay: Bool {
        switch code {
        case .cancelled, .superseded, .timedOut: false
        // The person's own no. Any other refusal is the app's, and a page may do better.
        case .accessDenied: serverCode != "access_denied"
        default: true
        }
    }
}
