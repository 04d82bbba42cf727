package import AuthStreams
package import AuthStreamsOAuth
import Foundation

// The server's half of the JSON of WebAuthn: it writes options and reads answers.

extension PublicKeyCredentialRequestOptionsJSON {
    /// The options as JSON. Members that have their default are left out.
    package var json: AuthJSON {
        var members: [String: AuthJSON] = ["challenge": .base64URL(challenge)]
        members["timeout"] = timeout.map(AuthJSON.milliseconds)
        members["rpId"] = rpID.map(AuthJSON.string)
        members["allowCredentials"] = allowCredentials.isEmpty ? nil : .array(allowCredentials.map(\.json))
        members["userVerification"] = .string(userVerification.rawValue)
        members["hints"] = hints.isEmpty ? nil : .strings(hints.map(\.rawValue))
        members["extensions"] = extensions.isEmpty ? nil : .object(extensions)
        return .object(members)
    }
}

extension PublicKeyCredentialCreationOptionsJSON {
    /// The options as JSON. Members that have their default are left out.
    package var json: AuthJSON {
        var server: [String: AuthJSON] = ["name": .string(rp.name)]
        server["id"] = rp.id.map(AuthJSON.string)
        var members: [String: AuthJSON] = [
            "rp": .object(server),
            "user": [
                "id": .base64URL(user.id), "name": .string(user.name), "displayName": .string(user.displayName),
            ],
            "challenge": .base64URL(challenge),
            "pubKeyCredParams": .array(
                algorithms.map {
                    ["type": .string(PublicKeyCredentialDescriptorJSON.type), "alg": .integer(Int64($0.rawValue))]
                }),
            "authenticatorSelection": authenticatorSelection.json,
            "attestation": .string(attestation.rawValue),
        ]
        members["timeout"] = timeout.map(AuthJSON.milliseconds)
        members["excludeCredentials"] = excludeCredentials.isEmpty ? nil : .array(excludeCredentials.map(\.json))
        members["hints"] = hints.isEmpty ? nil : .strings(hints.map(\.rawValue))
        members["attestationFormats"] = attestationFormats.isEmpty ? nil : .strings(attestationFormats)
        members["extensions"] = extensions.isEmpty ? nil : .object(extensions)
        return .object(members)
    }
}

extension PublicKeyCredentialCreationOptionsJSON.AuthenticatorSelection {
    fileprivate var json: AuthJSON {
        var members: [String: AuthJSON] = [
            "residentKey": .string(residentKey.rawValue), "requireResidentKey": .bool(residentKey == .required),
            "userVerification": .string(userVerification.rawValue),
        ]
        members["authenticatorAttachment"] = attachment.map { .string($0.rawValue) }
        return .object(members)
    }
}

extension PublicKeyCredentialDescriptorJSON {
    fileprivate var json: AuthJSON {
        var members: [String: AuthJSON] = ["type": .string(Self.type), "id": .base64URL(id)]
        members["transports"] = transports.isEmpty ? nil : .strings(transports.map(\.rawValue))
        return .object(members)
    }
}

extension AuthJSON {
    fileprivate static func milliseconds(_ duration: Duration) -> AuthJSON {
        let (seconds, attoseconds) = duration.components
        return .integer(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}

extension AuthenticationResponseJSON {
    /// Reads an answer to a sign-in.
    ///
    /// - Throws: `invalidResponse` with the name of the member that is missing or malformed.
    package init(json: AuthJSON) throws(AuthError) {
        let object = try WebAuthnObject(json)
        let response = try object.requiredObject("response")
        self.init(
            credentialID: try object.credentialID, rawClientDataJSON: try response.requiredBytes("clientDataJSON"),
            rawAuthenticatorData: try response.requiredBytes("authenticatorData"),
            signature: try response.requiredBytes("signature"), userID: try response.bytes("userHandle"),
            attachment: try object.known("authenticatorAttachment", as: AuthenticatorAttachment.self),
            clientExtensionResults: try object.extensionResults)
    }
}

extension RegistrationResponseJSON {
    /// Reads an answer to a registration. Ways to reach the authenticator that are not known are kept.
    ///
    /// - Throws: `invalidResponse` with the name of the member that is missing or malformed.
    package init(json: AuthJSON) throws(AuthError) {
        let object = try WebAuthnObject(json)
        let response = try object.requiredObject("response")
        let algorithm = try response.integer("publicKeyAlgorithm", as: Int32.self)
        self.init(
            id: try object.credentialID, clientDataJSON: try response.requiredBytes("clientDataJSON"),
            attestationObject: try response.requiredBytes("attestationObject"),
            authenticatorData: try response.requiredBytes("authenticatorData"),
            publicKey: try response.bytes("publicKey"),
            publicKeyAlgorithm: COSEAlgorithm(rawValue: try response.required("publicKeyAlgorithm", algorithm)),
            transports: try response.requiredTexts("transports").map(AuthenticatorTransport.init(rawValue:)),
            attachment: try object.known("authenticatorAttachment", as: AuthenticatorAttachment.self),
            clientExtensionResults: try object.extensionResults)
    }
}

extension WebAuthnObject {
    /// The identifier of the passkey, which the answer has twice.
    fileprivate var credentialID: Data {
        get throws(AuthError) {
            let id = try requiredBytes("rawId")
            guard try requiredBytes("id") == id else { throw error("id", "differs from `rawId`") }
            guard try requiredText("type") == PublicKeyCredentialDescriptorJSON.type else {
                throw error("type", "is not 'public-key'")
            }
            return id
        }
    }

    fileprivate var extensionResults: [String: AuthJSON] {
        get throws(AuthError) {
            _ = try requiredObject("clientExtensionResults")
            return try json("clientExtensionResults")
        }
    }
}
