/// When a service requests new tokens.
///
/// Many servers accept a refresh token once. A process that ends between such a request and the writing of its answer loses the
/// session, so a process that may end at any moment sends the request only while a caller waits for it.
public enum RefreshPolicy: Hashable, Sendable {
    /// Ahead of the access token's expiry and after a failure, without a caller; for apps and other long-lived processes.
    ///
    /// The session of another SDK is adopted at launch.
    case aheadOfExpiry
    /// When a caller needs a token that is not there; for command-line tools and other short-lived processes.
    ///
    /// No request that uses the refresh token is sent, or retried, without a caller. Until a caller asks, the state of a session
    /// whose refresh failed stays `offline(since:)`. Where the user of an adoption is not known, the state is
    /// `restoring(.adopting)` until the first request, and `signedOut(nil)` after one that failed. Writes that failed are still
    /// retried automatically.
    case onDemand
}
