package import AuthStreamsOAuth
package import Foundation

/// What a server stores of a passkey: the 'credential record' of WebAuthn Level 3 section 4.
package struct RegisteredPasskey: Hashable, Sendable {
    /// The identifier.
    package let id: Data
    /// The user handle of the account.
    package let userHandle: Data
    /// The public key.
    package let key: COSEKey
    /// The number of signatures that the authenticator last gave; 0 if it does not count.
    package var counter: UInt32
    /// Whether the person was verified when it was made.
    package let isUserVerified: Bool
    /// The ways to reach the authenticator.
    package let transports: [AuthenticatorTransport]
    /// Whether it may be on several devices.
    package let isBackupEligible: Bool
    /// Whether it is on several devices, or in a backup.
    package var isBackedUp: Bool

    /// Makes a record of a new passkey.
    package init(_ object: AttestationObject, userHandle: Data, transports: [AuthenticatorTransport]) {
        id = object.credential.id
        self.userHandle = userHandle
        key = object.credential.key
        counter = object.authenticatorData.counter
        let flags = object.authenticatorData.flags
        isUserVerified = flags.contains(.userVerified)
        self.transports = transports
        isBackupEligible = flags.contains(.backupEligible)
        isBackedUp = flags.contains(.backedUp)
    }

    /// The passkey in a server's options.
    package var descriptor: PublicKeyCredentialDescriptorJSON {
        PublicKeyCredentialDescriptorJSON(id: id, transports: transports)
    }
}
