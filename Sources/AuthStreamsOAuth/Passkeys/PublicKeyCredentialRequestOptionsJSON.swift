package import AuthStreams
package import Foundation

/// The options of a sign-in by passkey, as a server sends them (WebAuthn Level 3 sections 5.1.9 and 5.5).
package struct PublicKeyCredentialRequestOptionsJSON: Hashable, Sendable {
    /// The challenge that the authenticator signs. It works once.
    package var challenge: Data
    /// How long the server waits; `nil` if it does not say.
    package var timeout: Duration?
    /// The domain that the passkey belongs to; `nil` for the one of the app.
    package var rpID: String?
    /// The passkeys to sign in with; empty for any passkey of the domain that is found without its identifier.
    package var allowCredentials: [PublicKeyCredentialDescriptorJSON]
    /// Whether the person is to be verified.
    package var userVerification: UserVerificationRequirement
    /// Which authenticators the server expects, the most preferred first.
    package var hints: [PublicKeyCredentialHint]
    /// The inputs of extensions, unchanged.
    package var extensions: [String: AuthJSON]

    /// Makes options.
    package init(
        challenge: Data, timeout: Duration? = nil, rpID: String? = nil,
        allowCredentials: [PublicKeyCredentialDescriptorJSON] = [],
        userVerification: UserVerificationRequirement = .preferred, hints: [PublicKeyCredentialHint] = [],
        extensions: [String: AuthJSON] = [:]
    ) {
        self.challenge = challenge
        self.timeout = timeout
        self.rpID = rpID
        self.allowCredentials = allowCredentials
        self.userVerification = userVerification
        self.hints = hints
        self.extensions = extensions
    }

    /// Reads the options, as `PublicKeyCredential.parseRequestOptionsFromJSON()` does.
    ///
    /// Unknown members, and unknown values of enumerations, are ignored.
    ///
    /// - Throws: `invalidResponse` with the name of the member that is missing or malformed.
    package init(json: AuthJSON) throws(AuthError) {
        let object = try WebAuthnObject(json)
        challenge = try object.challenge
        timeout = try object.timeout
        rpID = try object.domain("rpId")
        allowCredentials = try object.descriptors("allowCredentials") ?? []
        if allowCredentials.isEmpty, try object.objects("allowCredentials")?.isEmpty == false {
            // An empty list would allow any passkey (section 5.8.3).
            throw object.error("allowCredentials", "has passkeys of unknown types only")
        }
        userVerification = try object.known("userVerification", as: UserVerificationRequirement.self) ?? .preferred
        hints = try object.hints
        extensions = try object.json("extensions")
    }
}
