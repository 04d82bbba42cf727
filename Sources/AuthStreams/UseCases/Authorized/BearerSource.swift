/// An access token, and which session it is of.
struct Bearer: Hashable, Sendable {
    let token: Secret
    /// Stays the same when the session is refreshed, and is another one for the next sign-in.
    let session: SessionID
}

/// Where an ``AuthorizedClient`` gets its tokens.
protocol BearerSource: Sendable {
    /// A token that is valid now.
    ///
    /// - Throws: `notSignedIn` when no user is signed in, and what a refresh throws.
    func bearer() async throws(AuthError) -> Bearer

    /// The token of the same session that takes the place of one that a server refused: by a refresh, unless another caller
    /// brought one about meanwhile.
    ///
    /// - Returns: `nil` when the session is not the present one any more, or has no refresh token.
    /// - Throws: What a refresh throws.
    func bearer(replacing refused: Bearer) async throws(AuthError) -> Bearer?

    /// Time, for events.
    var clock: AuthClock { get }

    /// Reports an event.
    func publish(_ event: AuthEvent)
}
