/// What a provider tells the app about people who withdraw its access there.
///
/// `AuthService` follows it while a session that began with this provider is present, and signs the user out with
/// ``SignOutReason/revokedAtProvider`` when the provider reports that session's person.
///
/// It must not hold the provider, so that releasing the service releases the provider.
public struct RevocationReports: Sendable {
    private let follow: @Sendable (String) -> AsyncStream<Void>

    /// Makes reports.
    ///
    /// - Parameter follow: Makes the reports about one person, by their identifier at the provider; see ``about(_:)``.
    public init(_ follow: @escaping @Sendable (_ userID: String) -> AsyncStream<Void>) {
        self.follow = follow
    }

    /// Reports each time the provider says that a person withdrew the app's access.
    ///
    /// | question | answer |
    /// | --- | --- |
    /// | first element | at once, if the access is withdrawn already |
    /// | how many elements? | one each time the provider says so. An error, or an answer that says anything else, is none |
    /// | end | when the provider cannot say more, or the reader's task is cancelled |
    ///
    /// - Parameter userID: The person's identifier at the provider.
    public func about(_ userID: String) -> AsyncStream<Void> { follow(userID) }
}
