package import Foundation

/// The part of an attestation or assertion that the authenticator writes and signs (WebAuthn Level 3 section 6.1).
package struct AuthenticatorData: Hashable, Sendable {
    /// What the authenticator says of the person and the passkey.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// UP: a person was present.
        package static let userPresent = Self(rawValue: 1 << 0)
        /// UV: the authenticator verified the person, such as by a fingerprint.
        package static let userVerified = Self(rawValue: 1 << 2)
        /// BE: the passkey may be on several devices.
        package static let backupEligible = Self(rawValue: 1 << 3)
        /// BS: the passkey is on several devices, or in a backup.
        package static let backedUp = Self(rawValue: 1 << 4)
        /// AT: a new passkey follows.
        package static let hasAttestedCredential = Self(rawValue: 1 << 6)
        /// ED: outputs of extensions follow.
        package static let hasExtensions = Self(rawValue: 1 << 7)
    }

    /// A new passkey.
    package struct AttestedCredential: Hashable, Sendable {
        /// The longest identifier, in bytes.
        package static let maximumIDLength = 1_023

        /// The 16 bytes that name the model of the authenticator; zeros if it does not say.
        package let aaguid: Data
        /// The identifier of the passkey.
        package let id: Data
        /// The public key of the passkey.
        package let key: COSEKey
    }

    /// The SHA-256 hash of the domain that the passkey belongs to.
    package let rpIDHash: Data
    /// What the authenticator says of the person and the passkey.
    package let flags: Flags
    /// The number of signatures so far; 0 for ever if the authenticator does not count.
    package let counter: UInt32
    /// The new passkey; `nil` in an assertion.
    package let credential: AttestedCredential?
    /// The outputs of the authenticator's extensions, by their identifiers.
    package let extensions: [CBOR: CBOR]

    /// The length without a passkey and without extensions.
    private static let minimumLength = 37

    /// Reads the bytes.
    ///
    /// - Throws: ``Malformation``.
    package init(_ bytes: Data) throws(Malformation) {
        let bytes = Array(bytes)
        guard bytes.count >= Self.minimumLength else { throw .truncated }
        rpIDHash = Data(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = bytes[37...]
        credential = flags.contains(.hasAttestedCredential) ? try Self.takeCredential(from: &rest) : nil
        extensions = flags.contains(.hasExtensions) ? try Self.takeExtensions(from: &rest) : [:]
        guard rest.isEmpty else { throw .trailingBytes }
    }

    private static func takeCredential(from rest: inout ArraySlice<UInt8>) throws(Malformation) -> AttestedCredential {
        // The AAGUID, and the length of the identifier.
        guard rest.count >= 18 else { throw .truncated }
        let aaguid = Data(rest.prefix(16))
        let length = rest.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(18)
        guard length <= AttestedCredential.maximumIDLength else { throw .longCredentialID }
        guard rest.count >= length else { throw .truncated }
        let id = Data(rest.prefix(length))
        rest = rest.dropFirst(length)
        guard let key = COSEKey(try takeValue(from: &rest)) else { throw .publicKey }
        return AttestedCredential(aaguid: aaguid, id: id, key: key)
    }

    private static func takeExtensions(from rest: inout ArraySlice<UInt8>) throws(Malformation) -> [CBOR: CBOR] {
        guard let extensions = try takeValue(from: &rest).map else { throw .extensions }
        return extensions
    }

    private static func takeValue(from rest: inout ArraySlice<UInt8>) throws(Malformation) -> CBOR {
        var reader = CBOR.Reader(rest)
        do throws(CBOR.Malformation) {
            let value = try reader.value()
            rest = reader.rest
            return value
        } catch { throw .cbor(error) }
    }
}

extension AuthenticatorData {
    /// Why bytes are not read as authenticator data.
    package enum Malformation: Error, Hashable, Sendable {
        /// The input ends before what the flags announce.
        case truncated
        /// Bytes follow that no flag announces.
        case trailingBytes
        /// The passkey's identifier is longer than 1,023 bytes.
        case longCredentialID
        /// The passkey's public key is no map with an algorithm.
        case publicKey
        /// The extensions' outputs are no map.
        case extensions
        /// The public key or the extensions' outputs are no CBOR.
        case cbor(CBOR.Malformation)
    }
}
