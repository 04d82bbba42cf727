import AuthStreams
package import AuthStreamsOAuth
package import Foundation

/// The server's checks of passkeys (WebAuthn Level 3 section 7), in the order of the text.
///
/// It accepts the attestation `none` alone, and refuses a counter that does not rise.
package struct PasskeyVerifier: Sendable {
    /// The domain of the server.
    package let rpID: String
    /// The origins of its apps and pages. An app of Apple's systems has the one of the domain.
    package var origins: Set<String>
    /// Whether its pages may be in frames of other origins.
    package var allowsCrossOrigin = false
    /// The origins whose pages may have its pages in frames.
    package var topOrigins: Set<String> = []

    /// Makes a verifier.
    ///
    /// - Parameter origins: The origins of its apps and pages; `nil` for the one of the domain.
    package init(rpID: String, origins: Set<String>? = nil) {
        self.rpID = rpID
        self.origins = origins ?? ["https://\(rpID)"]
    }

    /// Verifies a registration (section 7.1).
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - options: The options that the server sent.
    ///   - isConditional: Whether the server asked for a passkey without a question to the person.
    ///   - isKnown: Returns whether a passkey is registered for any account.
    /// - Returns: What the server stores for the account of the options.
    package func register(
        _ response: RegistrationResponseJSON, for options: PublicKeyCredentialCreationOptionsJSON,
        isConditional: Bool = false, isKnown: (_ id: Data) -> Bool
    ) throws(PasskeyRefusal) -> RegisteredPasskey {
        try verifyClientData(response.clientDataJSON, .create, options.challenge)
        guard let object = try? AttestationObject(response.attestationObject) else { throw .attestationObject }
        try verify(
            object.authenticatorData, isPresenceRequired: !isConditional,
            isVerificationRequired: options.authenticatorSelection.userVerification == .required)
        let key = object.credential.key
        guard options.algorithms.contains(key.algorithm) else { throw .algorithm }
        // The point must be on the curve (section 5.8.5), which the system's library checks.
        guard let publicKey = key.publicKey, (try? VerificationKey(publicKey)) != nil else { throw .unsupportedKey }
        guard object.format == "none" else { throw .attestationFormat }
        guard object.statement.isEmpty else { throw .attestationStatement }
        guard response.id == object.credential.id else { throw .credentialID }
        guard response.authenticatorData == object.rawAuthenticatorData,
            response.publicKeyAlgorithm == key.algorithm, response.publicKey == publicKey.subjectPublicKeyInfo
        else { throw .copies }
        guard !isKnown(object.credential.id) else { throw .knownPasskey }
        return RegisteredPasskey(object, userHandle: options.user.id, transports: response.transports)
    }

    /// Verifies a sign-in (section 7.2).
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - options: The options that the server sent.
    ///   - userHandle: The account that the server asked for; `nil` if the answer names it.
    ///   - find: Returns the registered passkey of that identifier.
    /// - Returns: What the server stores from now on.
    package func authenticate(
        _ response: AuthenticationResponseJSON, for options: PublicKeyCredentialRequestOptionsJSON,
        userHandle: Data? = nil, find: (_ id: Data) -> RegisteredPasskey?
    ) throws(PasskeyRefusal) -> RegisteredPasskey {
        let allowed = options.allowCredentials.map(\.id)
        guard allowed.isEmpty || allowed.contains(response.id) else { throw .notAllowed }
        guard var passkey = find(response.id) else { throw .unknownPasskey }
        guard let user = userHandle ?? response.userHandle else { throw .noUserHandle }
        guard passkey.userHandle == user, [nil, user].contains(response.userHandle) else { throw .user }
        try verifyClientData(response.clientDataJSON, .get, options.challenge)
        guard let data = try? AuthenticatorData(response.authenticatorData) else { throw .authenticatorData }
        try verify(data, isPresenceRequired: true, isVerificationRequired: options.userVerification == .required)
        guard data.flags.contains(.backupEligible) == passkey.isBackupEligible else { throw .backupEligibility }
        let message = response.authenticatorData + SHA256.hash(response.clientDataJSON)
        guard let isSigned = passkey.key.isSignature(response.signature, of: message) else { throw .unsupportedKey }
        guard isSigned else { throw .signature }
        // An authenticator that does not count stays at 0.
        guard (data.counter == 0 && passkey.counter == 0) || data.counter > passkey.counter else { throw .counter }
        passkey.counter = data.counter
        passkey.isBackedUp = data.flags.contains(.backedUp)
        return passkey
    }

    private func verifyClientData(
        _ bytes: Data, _ kind: CollectedClientData.Kind, _ challenge: Data
    ) throws(PasskeyRefusal) {
        guard let data = CollectedClientData(json: bytes) else { throw .clientData }
        guard data.type == kind.rawValue else { throw .type }
        guard data.challenge == Base64URL.encode(challenge) else { throw .challenge }
        guard origins.contains(data.origin) else { throw .origin }
        guard allowsCrossOrigin || !data.crossOrigin else { throw .crossOrigin }
        guard let topOrigin = data.topOrigin else { return }
        guard allowsCrossOrigin, topOrigins.contains(topOrigin) else { throw .topOrigin }
    }

    private func verify(
        _ data: AuthenticatorData, isPresenceRequired: Bool, isVerificationRequired: Bool
    ) throws(PasskeyRefusal) {
        guard data.rpIDHash == Data(SHA256.hash(rpID.utf8)) else { throw .rpID }
        guard !isPresenceRequired || data.flags.contains(.userPresent) else { throw .userNotPresent }
        guard !isVerificationRequired || data.flags.contains(.userVerified) else { throw .userNotVerified }
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else { throw .backupFlags }
    }
}
