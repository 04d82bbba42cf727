package import AuthStreams
package import Foundation

/// The options of a new passkey, as a server sends them (WebAuthn Level 3 sections 5.1.8 and 5.4).
package struct PublicKeyCredentialCreationOptionsJSON: Hashable, Sendable {
    /// The server.
    package struct RelyingParty: Hashable, Sendable {
        /// The domain that the passkey belongs to; `nil` for the one of the app.
        package var id: String?
        /// The server's name, which few systems show.
        package var name: String

        /// Makes a server.
        package init(id: String? = nil, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The account that the passkey signs in to.
    package struct User: Hashable, Sendable {
        /// The lengths of an identifier, in bytes.
        static let idLengths = 1...64

        /// The user handle: an identifier of the account without personal data.
        package var id: Data
        /// The account's name, which tells accounts of one person apart, such as an e-mail address.
        package var name: String
        /// The person's name. May be empty.
        package var displayName: String

        /// Makes a user.
        package init(id: Data, name: String, displayName: String) {
            self.id = id
            self.name = name
            self.displayName = displayName
        }
    }

    /// Which authenticators may make the passkey (section 5.4.4).
    package struct AuthenticatorSelection: Hashable, Sendable {
        /// How the authenticator is attached; `nil` for any.
        package var attachment: AuthenticatorAttachment?
        /// Whether the passkey is to be found without its identifier.
        package var residentKey: ResidentKeyRequirement
        /// Whether the person is to be verified.
        package var userVerification: UserVerificationRequirement

        /// Makes a selection.
        package init(
            attachment: AuthenticatorAttachment? = nil, residentKey: ResidentKeyRequirement = .discouraged,
            userVerification: UserVerificationRequirement = .preferred
        ) {
            self.attachment = attachment
            self.residentKey = residentKey
            self.userVerification = userVerification
        }
    }

    /// The server.
    package var rp: RelyingParty
    /// The account.
    package var user: User
    /// The challenge that the answer repeats. It works once.
    package var challenge: Data
    /// The algorithms that the server verifies, the most preferred first; never empty.
    package var algorithms: [COSEAlgorithm]
    /// How long the server waits; `nil` if it does not say.
    package var timeout: Duration?
    /// The passkeys of the account. An authenticator that has one of them makes no other.
    package var excludeCredentials: [PublicKeyCredentialDescriptorJSON]
    /// Which authenticators may make the passkey.
    package var authenticatorSelection: AuthenticatorSelection
    /// Which authenticators the server expects, the most preferred first.
    package var hints: [PublicKeyCredentialHint]
    /// Which statement about the authenticator the server wants.
    package var attestation: AttestationConveyancePreference
    /// The forms of the statement, the most preferred first; empty for any.
    package var attestationFormats: [String]
    /// The inputs of extensions, unchanged.
    package var extensions: [String: AuthJSON]

    /// The algorithms of a server that names none (section 5.1.3).
    package static let defaultAlgorithms: [COSEAlgorithm] = [.es256, .rs256]

    /// Makes options.
    package init(
        rp: RelyingParty, user: User, challenge: Data, algorithms: [COSEAlgorithm] = Self.defaultAlgorithms,
        timeout: Duration? = nil, excludeCredentials: [PublicKeyCredentialDescriptorJSON] = [],
        authenticatorSelection: AuthenticatorSelection = AuthenticatorSelection(),
        hints: [PublicKeyCredentialHint] = [], attestation: AttestationConveyancePreference = .none,
        attestationFormats: [String] = [], extensions: [String: AuthJSON] = [:]
    ) {
        self.rp = rp
        self.user = user
        self.challenge = challenge
        self.algorithms = algorithms
        self.timeout = timeout
        self.excludeCredentials = excludeCredentials
        self.authenticatorSelection = authenticatorSelection
        self.hints = hints
        self.attestation = attestation
        self.attestationFormats = attestationFormats
        self.extensions = extensions
    }

    /// Reads the options, as `PublicKeyCredential.parseCreationOptionsFromJSON()` does.
    ///
    /// Unknown members, and unknown values of enumerations, are ignored.
    ///
    /// - Throws: `invalidResponse` with the name of the member that is missing or malformed.
    package init(json: AuthJSON) throws(AuthError) {
        let object = try WebAuthnObject(json)
        let rp = try object.requiredObject("rp")
        self.rp = RelyingParty(id: try rp.domain("id"), name: try rp.requiredText("name"))
        user = try User(try object.requiredObject("user"))
        challenge = try object.challenge
        algorithms = try Self.algorithms(in: object)
        timeout = try object.timeout
        excludeCredentials = try object.descriptors("excludeCredentials") ?? []
        authenticatorSelection = try object.object("authenticatorSelection").map(AuthenticatorSelection.init) ?? .init()
        hints = try object.hints
        attestation = try object.known("attestation", as: AttestationConveyancePreference.self) ?? .none
        attestationFormats = try object.texts("attestationFormats") ?? []
        extensions = try object.json("extensions")
    }

    private static func algorithms(in object: WebAuthnObject) throws(AuthError) -> [COSEAlgorithm] {
        let name = "pubKeyCredParams"
        let parameters = try object.required(name, object.objects(name))
        guard !parameters.isEmpty else { return defaultAlgorithms }
        var algorithms: [COSEAlgorithm] = []
        for parameter in parameters {
            let algorithm = COSEAlgorithm(
                rawValue: try parameter.required("alg", parameter.integer("alg", as: Int32.self)))
            guard try parameter.requiredText("type") == PublicKeyCredentialDescriptorJSON.type,
                !algorithms.contains(algorithm)
            else { continue }
            algorithms.append(algorithm)
        }
        guard !algorithms.isEmpty else { throw object.error(name, "has unknown types only") }
        return algorithms
    }
}

extension PublicKeyCredentialCreationOptionsJSON.User {
    fileprivate init(_ object: WebAuthnObject) throws(AuthError) {
        id = try object.requiredBytes("id")
        guard Self.idLengths.contains(id.count) else { throw object.error("id", "has not 1 to 64 bytes") }
        name = try object.requiredText("name")
        displayName = try object.requiredText("displayName")
    }
}

extension PublicKeyCredentialCreationOptionsJSON.AuthenticatorSelection {
    fileprivate init(_ object: WebAuthnObject) throws(AuthError) {
        attachment = try object.known("authenticatorAttachment", as: AuthenticatorAttachment.self)
        // Level 1 had the second member only.
        let isRequired = try object.bool("requireResidentKey") ?? false
        residentKey =
            try object.known("residentKey", as: ResidentKeyRequirement.self) ?? (isRequired ? .required : .discouraged)
        userVerification = try object.known("userVerification", as: UserVerificationRequirement.self) ?? .preferred
    }
}
