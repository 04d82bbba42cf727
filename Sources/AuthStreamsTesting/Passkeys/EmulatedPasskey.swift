import AuthStreams
package import Foundation

/// A passkey of an ``EmulatedAuthenticator``, with its private key.
package struct EmulatedPasskey: Hashable, Sendable {
    /// The identifier.
    package let id: Data
    /// The domain that it belongs to.
    package let rpID: String
    /// The user handle of the account.
    package let userHandle: Data
    /// The account's name.
    package let userName: String
    /// Whether it is found without its identifier.
    package let isDiscoverable: Bool
    /// The private key as DER.
    let privateKey: Data
    /// The number of signatures so far; 0 for ever if the authenticator does not count.
    package var counter: UInt32
}

extension EmulatedPasskey: DescriptionOnly {
    /// The domain. The rest is secret or personal.
    package var description: String { "passkey of \(rpID)" }
}
