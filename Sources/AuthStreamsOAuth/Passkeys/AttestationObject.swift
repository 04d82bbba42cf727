package import Foundation

/// What an authenticator answers to a registration (WebAuthn Level 3 section 6.5.4).
package struct AttestationObject: Hashable, Sendable {
    /// The form of the statement, such as `none` or `packed`.
    package let format: String
    /// The authenticator's statement about itself; empty for `none`.
    package let statement: [CBOR: CBOR]
    /// The authenticator data, as they were signed.
    package let rawAuthenticatorData: Data
    /// The authenticator data.
    package let authenticatorData: AuthenticatorData
    /// The new passkey.
    package let credential: AuthenticatorData.AttestedCredential

    /// Why bytes are not read as an attestation object.
    package enum Malformation: Error, Hashable, Sendable {
        /// The bytes are no CBOR.
        case cbor(CBOR.Malformation)
        /// A member is missing or of another type: `fmt`, `attStmt` or `authData`.
        case member(String)
        /// The authenticator data are malformed.
        case authenticatorData(AuthenticatorData.Malformation)
        /// The authenticator data have no passkey.
        case noCredential
    }

    /// Reads the bytes. Members that are not known are ignored.
    ///
    /// - Throws: ``Malformation``.
    package init(_ bytes: Data) throws(Malformation) {
        let object: CBOR
        do throws(CBOR.Malformation) { object = try CBOR(bytes) } catch { throw .cbor(error) }
        guard let format = object.map?["fmt"]?.text else { throw .member("fmt") }
        guard let statement = object.map?["attStmt"]?.map else { throw .member("attStmt") }
        guard let raw = object.map?["authData"]?.bytes else { throw .member("authData") }
        let authenticatorData: AuthenticatorData
        do throws(AuthenticatorData.Malformation) { authenticatorData = try AuthenticatorData(raw) } catch {
            throw .authenticatorData(error)
        }
        guard let credential = authenticatorData.credential else { throw .noCredential }
        self.format = format
        self.statement = statement
        self.rawAuthenticatorData = raw
        self.authenticatorData = authenticatorData
        self.credential = credential
    }
}
