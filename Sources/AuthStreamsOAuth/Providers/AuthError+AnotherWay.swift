import AuthStreams

extension AuthError {
    /// Whether another way to ask the person may still be tried after this one failed: not once they have decided, nor
    /// when the attempt's time or its task is over.
    var leavesAnotherWay: Bool {
        switch code {
        case .cancelled, .superseded, .accessDenied, .timedOut: false
        default: true
        }
    }
}
