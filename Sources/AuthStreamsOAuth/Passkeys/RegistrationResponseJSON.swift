package import AuthStreams
package import Foundation

/// A new passkey, as a server reads it (WebAuthn Level 3 section 5.1, `toJSON()`).
package struct RegistrationResponseJSON: Hashable, Sendable {
    /// The identifier of the passkey.
    package var id: Data
    /// The client data, byte for byte as the system wrote and hashed them.
    package var clientDataJSON: Data
    /// The attestation object, as the authenticator made it.
    package var attestationObject: Data
    /// A copy of the authenticator data in the attestation object.
    package var authenticatorData: Data
    /// A copy of the public key as a SubjectPublicKeyInfo; `nil` for an algorithm that this version does not know.
    package var publicKey: Data?
    /// A copy of the public key's algorithm.
    package var publicKeyAlgorithm: COSEAlgorithm
    /// The ways to reach the authenticator, each once, in alphabetic order; none if the system does not say.
    package var transports: [AuthenticatorTransport]
    /// How the authenticator is attached; `nil` if the system does not say.
    package var attachment: AuthenticatorAttachment?
    /// The outputs of extensions, with bytes in Base64URL.
    package var clientExtensionResults: [String: AuthJSON]

    /// Makes an answer of its members.
    package init(
        id: Data, clientDataJSON: Data, attestationObject: Data, authenticatorData: Data, publicKey: Data?,
        publicKeyAlgorithm: COSEAlgorithm, transports: [AuthenticatorTransport], attachment: AuthenticatorAttachment?,
        clientExtensionResults: [String: AuthJSON]
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
        self.authenticatorData = authenticatorData
        self.publicKey = publicKey
        self.publicKeyAlgorithm = publicKeyAlgorithm
        self.transports = transports
        self.attachment = attachment
        self.clientExtensionResults = clientExtensionResults
    }

    /// Makes an answer out of what the system gives, such as `ASAuthorizationPlatformPublicKeyCredentialRegistration`.
    ///
    /// - Throws: `invalidResponse` if the attestation object cannot be read.
    package init(
        credentialID: Data, rawClientDataJSON: Data, rawAttestationObject: Data,
        attachment: AuthenticatorAttachment? = nil, transports: [AuthenticatorTransport] = [],
        clientExtensionResults: [String: AuthJSON] = [:]
    ) throws(AuthError) {
        let object: AttestationObject
        do throws(AttestationObject.Malformation) { object = try AttestationObject(rawAttestationObject) } catch {
            throw AuthError(
                .invalidResponse,
                "The system's answer has an attestation object that cannot be read: \(error). Update the library.")
        }
        self.init(
            id: credentialID, clientDataJSON: rawClientDataJSON, attestationObject: rawAttestationObject,
            authenticatorData: object.rawAuthenticatorData,
            publicKey: object.credential.key.publicKey?.subjectPublicKeyInfo,
            publicKeyAlgorithm: object.credential.key.algorithm,
            transports: Set(transports).sorted { $0.rawValue < $1.rawValue }, attachment: attachment,
            clientExtensionResults: clientExtensionResults)
    }

    /// The answer as JSON.
    package var json: AuthJSON {
        var response: [String: AuthJSON] = [
            "clientDataJSON": .base64URL(clientDataJSON), "authenticatorData": .base64URL(authenticatorData),
            "transports": .array(transports.map { .string($0.rawValue) }),
            "publicKeyAlgorithm": .integer(Int64(publicKeyAlgorithm.rawValue)),
            "attestationObject": .base64URL(attestationObject),
        ]
        response["publicKey"] = publicKey.map(AuthJSON.base64URL)
        return .publicKeyCredential(id, response, attachment, clientExtensionResults)
    }
}

extension RegistrationResponseJSON: DescriptionOnly {
    /// A fixed text: the answer adds a passkey to the account.
    package var description: String { "new passkey" }
}
