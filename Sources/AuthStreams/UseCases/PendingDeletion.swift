/// A deletion of an account that was begun, and is not known to be complete.
///
/// Show it where your app offers the deletion: deleting again resumes it.
public struct PendingDeletion: Equatable, Sendable {
    /// The provider at which the person was asked; `nil` when they were not.
    public var provider: ProviderID?
    /// Whether the app's access at the provider is withdrawn already.
    public var isRevoked: Bool

    /// Describes a deletion.
    package init(provider: ProviderID?, isRevoked: Bool) {
        self.provider = provider
        self.isRevoked = isRevoked
    }
}
