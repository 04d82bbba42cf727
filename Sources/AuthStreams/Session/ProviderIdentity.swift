import Foundation

/// The identity at a provider that a session began with.
///
/// Each session has its own, also when the same person signs in again, here or in another process.
package struct ProviderIdentity: Hashable, Sendable {
    package let session: SessionID
    let user: AuthUser.ID
    let provider: ProviderID
    /// The person's identifier at the provider.
    let userID: String
}
