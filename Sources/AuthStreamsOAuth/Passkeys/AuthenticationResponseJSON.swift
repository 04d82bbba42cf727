package import AuthStreams
package import Foundation

/// A passkey's answer to a sign-in, as a server reads it (WebAuthn Level 3 section 5.1, `toJSON()`).
package struct AuthenticationResponseJSON: Hashable, Sendable {
    /// The identifier of the passkey.
    package var id: Data
    /// The client data, byte for byte as the system wrote and hashed them.
    package var clientDataJSON: Data
    /// The authenticator data, as they were signed.
    package var authenticatorData: Data
    /// The signature over the authenticator data and the hash of the client data.
    package var signature: Data
    /// The user handle of the account; `nil` if the authenticator does not store it.
    package var userHandle: Data?
    /// How the authenticator is attached; `nil` if the system does not say.
    package var attachment: AuthenticatorAttachment?
    /// The outputs of extensions, with bytes in Base64URL.
    package var clientExtensionResults: [String: AuthJSON]

    /// Makes an answer out of what the system gives, such as `ASAuthorizationPlatformPublicKeyCredentialAssertion`.
    ///
    /// - Parameter userID: The user handle; an empty one counts as none.
    package init(
        credentialID: Data, rawClientDataJSON: Data, rawAuthenticatorData: Data, signature: Data, userID: Data?,
        attachment: AuthenticatorAttachment? = nil, clientExtensionResults: [String: AuthJSON] = [:]
    ) {
        id = credentialID
        clientDataJSON = rawClientDataJSON
        authenticatorData = rawAuthenticatorData
        self.signature = signature
        userHandle = userID.flatMap { $0.isEmpty ? nil : $0 }
        self.attachment = attachment
        self.clientExtensionResults = clientExtensionResults
    }

    /// The answer as JSON.
    package var json: AuthJSON {
        var response: [String: AuthJSON] = [
            "clientDataJSON": .base64URL(clientDataJSON), "authenticatorData": .base64URL(authenticatorData),
            "signature": .base64URL(signature),
        ]
        response["userHandle"] = userHandle.map(AuthJSON.base64URL)
        return .publicKeyCredential(id, response, attachment, clientExtensionResults)
    }
}

extension AuthenticationResponseJSON: DescriptionOnly {
    /// A fixed text: the answer signs in, and the user handle is personal.
    package var description: String { "answer of a passkey" }
}

extension AuthJSON {
    /// Bytes in Base64URL.
    package static func base64URL(_ bytes: Data) -> AuthJSON { .string(Base64URL.encode(bytes)) }

    /// The JSON that both answers of a passkey have in common.
    static func publicKeyCredential(
        _ id: Data, _ response: [String: AuthJSON], _ attachment: AuthenticatorAttachment?,
        _ clientExtensionResults: [String: AuthJSON]
    ) -> AuthJSON {
        var members: [String: AuthJSON] = [
            "id": .base64URL(id), "rawId": .base64URL(id), "response": .object(response),
            "clientExtensionResults": .object(clientExtensionResults),
            "type": .string(PublicKeyCredentialDescriptorJSON.type),
        ]
        members["authenticatorAttachment"] = attachment.map { .string($0.rawValue) }
        return .object(members)
    }
}
