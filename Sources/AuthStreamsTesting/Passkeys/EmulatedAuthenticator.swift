import AuthStreams
package import AuthStreamsOAuth
package import Foundation

/// The passkeys of an emulated device, and the person who uses them.
///
/// ```swift
/// let authenticator = EmulatedAuthenticator()
/// let auth = AuthService(.server(base), providers: [.passkey(authenticator)], platform: platform)
/// authenticator.person = .cancels
/// ```
///
/// It signs by ES256 and makes no statement about itself (WebAuthn Level 3 sections 5.1 and 6.3). Unless told otherwise it is like
/// Apple's: each passkey is found without its identifier, is on several devices, and never counts.
public final class EmulatedAuthenticator: Sendable {
    /// What the authenticator is able to do.
    package struct Traits: Sendable {
        /// How it is attached to the device.
        package var attachment = AuthenticatorAttachment.platform
        /// The ways to reach it.
        package var transports: [AuthenticatorTransport] = [.hybrid, .internal]
        /// The 16 bytes that name its model; zeros, because it makes no statement about itself.
        package var aaguid = Data(count: 16)
        /// Whether it verifies the person, such as by a fingerprint.
        package var verifiesPerson = true
        /// Whether it stores every passkey so that it is found without its identifier; if not, only on request.
        package var storesEveryPasskey = true
        /// Whether its passkeys may be on several devices.
        package var isBackupEligible = true
        /// Whether its passkeys are on several devices now.
        package var isBackedUp = true
        /// Whether it counts signatures, from 1 on.
        package var counts = false

        /// Makes the traits of Apple's authenticator.
        package init() {}
    }

    /// What the person does when the system asks.
    public enum Person: Hashable, Sendable {
        /// Agrees, and is verified if that is asked.
        case agrees
        /// Agrees, but is not recognized.
        case isNotRecognized
        /// Closes the sheet.
        case cancels
        /// Leaves the sheet open forever.
        case neverAnswers
    }

    /// Why there is no passkey, or no signature.
    package enum Failure: Error, Hashable, Sendable {
        /// The person closed the sheet, or was not recognized. Apple's code is 1001.
        case cancelled
        /// No passkey fits the request. With immediately available passkeys alone, Apple's code is 1001.
        case noPasskey
        /// The authenticator has one of the excluded passkeys. Apple's code is 1006.
        case matchedExcludedCredential
        /// The authenticator is not of the kind that the server wants, or has none of its algorithms.
        case notSupported
        /// The server requires that the person is verified, which this authenticator cannot do.
        case cannotVerifyPerson
        /// Neither the options nor the origin have a domain.
        case noDomain
        /// The system has no library for signatures.
        case signaturesUnavailable
    }

    private struct State {
        var passkeys: [EmulatedPasskey]
        var person = Person.agrees
        /// Set while a sheet is shown.
        var sheet = Promise<Void>()
        /// The forms that wait for a choice among the suggestions of AutoFill, the oldest first.
        var forms: [Promise<Void>] = []
        /// Set while a form waits.
        var hasForm = Promise<Void>()
    }

    private let traits: Traits
    private let state: Lock<State>

    /// Makes a device without passkeys.
    public convenience init() { self.init(Traits()) }

    /// Makes an authenticator. One with the passkeys of another is another device of the person, or a copy that was stolen.
    ///
    /// - Parameters:
    ///   - traits: What it is able to do.
    ///   - passkeys: Its passkeys, the oldest first.
    package init(_ traits: Traits, passkeys: [EmulatedPasskey] = []) {
        self.traits = traits
        state = Lock(State(passkeys: passkeys))
    }

    /// What the person does from now on. Agrees unless set.
    public var person: Person {
        get { state.withLock { $0.person } }
        set { state.withLock { $0.person = newValue } }
    }

    /// The passkeys, the oldest first.
    package var passkeys: [EmulatedPasskey] { state.withLock { $0.passkeys } }

    /// The names of the accounts that have a passkey on the device, the oldest passkey first.
    public var accounts: [String] { passkeys.map(\.userName) }

    /// Waits until a form suggests passkeys, and chooses one.
    public func chooseSuggestion() async {
        _ = await state.withLock(\.hasForm).value()
        state.withLock(\.forms).first?.resolve(())
    }

    /// Suggests passkeys beside a form, until the person chooses one or the task is cancelled.
    func suggestPasskeys() async {
        let choice = Promise<Void>()
        state.withLock { state in
            state.forms.append(choice)
            return state.hasForm
        }.resolve(())
        _ = await choice.value()
        state.withLock { state in
            state.forms.removeAll { $0 === choice }
            if state.forms.isEmpty { state.hasForm = Promise() }
        }
    }

    /// Shows a sheet, and runs what happens in it.
    ///
    /// - Throws: `presentationUnavailable` if another one is shown.
    func present<Value>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        guard state.withLock(\.sheet).resolve(()) else {
            throw AuthError(.presentationUnavailable, "Another sheet is shown. Wait until it is closed.")
        }
        defer { state.withLock { $0.sheet = Promise() } }
        return try await body()
    }

    /// Waits until a sheet is shown.
    package func sheetIsShown() async { _ = await state.withLock(\.sheet).value() }

    /// Removes all passkeys, as the person does in the settings.
    public func removeAll() { state.withLock { $0.passkeys = [] } }

    /// Removes a passkey, as the person does in the settings.
    package func remove(_ id: Data) { state.withLock { $0.passkeys.removeAll { $0.id == id } } }
}

// MARK: - Registration

extension EmulatedAuthenticator {
    /// Makes a passkey. It replaces the discoverable one of the same account, if there is one.
    ///
    /// - Parameters:
    ///   - options: The server's options.
    ///   - origin: The origin of the app or page; `nil` for that of the options' domain, as for an app of Apple's systems.
    ///   - isConditional: Whether the passkey is made without a question, after a sign-in by a password.
    package func create(
        _ options: PublicKeyCredentialCreationOptionsJSON, origin: String? = nil, isConditional: Bool = false
    ) throws(Failure) -> RegistrationResponseJSON {
        let (rpID, origin) = try Self.domain(options.rp.id, origin)
        let selection = options.authenticatorSelection
        guard options.algorithms.contains(.es256), [nil, traits.attachment].contains(selection.attachment) else {
            throw .notSupported
        }
        let excluded = Set(options.excludeCredentials.map(\.id))
        let flags = try state.withLock { state throws(Failure) -> AuthenticatorData.Flags in
            // A person who cancels does not learn, and does not tell, whether there is an excluded one (section 6.3.2).
            let flags: AuthenticatorData.Flags =
                isConditional ? [] : try gesture(selection.userVerification, by: state.person)
            guard !state.passkeys.contains(where: { $0.rpID == rpID && excluded.contains($0.id) }) else {
                throw .matchedExcludedCredential
            }
            return flags
        }
        guard let (privateKey, key) = Self.makeKey() else { throw .signaturesUnavailable }
        var generator = SystemRandomNumberGenerator()
        let passkey = EmulatedPasskey(
            id: Data(RandomBytes.bytes(count: 20, using: &generator)), rpID: rpID, userHandle: options.user.id,
            userName: options.user.name,
            isDiscoverable: traits.storesEveryPasskey || selection.residentKey != .discouraged, privateKey: privateKey,
            counter: traits.counts ? 1 : 0)
        state.withLock { state in
            state.passkeys.removeAll {
                $0.isDiscoverable && passkey.isDiscoverable && $0.rpID == rpID && $0.userHandle == passkey.userHandle
            }
            state.passkeys.append(passkey)
        }
        let authenticatorData = authenticatorData(of: passkey, flags, newKey: key)
        let attestation = CBOR.map(["fmt": "none", "attStmt": .map([:]), "authData": .bytes(authenticatorData)])
        let clientData = CollectedClientData(.create, challenge: options.challenge, origin: origin)
        do throws(AuthError) {
            return try RegistrationResponseJSON(
                credentialID: passkey.id, rawClientDataJSON: clientData.serialized,
                rawAttestationObject: attestation.encoded, attachment: traits.attachment, transports: traits.transports)
        } catch { throw .notSupported }
    }

    private static func makeKey() -> (privateKey: Data, key: CBOR)? {
        guard let privateKey = try? Signatures.makePrivateKey(),
            let publicKey = try? Signatures.publicKey(ofPrivateKey: privateKey),
            let key = COSEKey(publicKey, algorithm: .es256).cbor
        else { return nil }
        return (privateKey, key)
    }
}

// MARK: - Sign-in

extension EmulatedAuthenticator {
    /// Signs a challenge with a passkey.
    ///
    /// - Parameters:
    ///   - options: The server's options.
    ///   - origin: The origin of the app or page; `nil` for that of the options' domain, as for an app of Apple's systems.
    ///   - userName: The account that the person chooses; `nil` for the newest passkey that fits.
    package func get(
        _ options: PublicKeyCredentialRequestOptionsJSON, origin: String? = nil, userName: String? = nil
    ) throws(Failure) -> AuthenticationResponseJSON {
        let (rpID, origin) = try Self.domain(options.rpID, origin)
        let allowed = Set(options.allowCredentials.map(\.id))
        let (passkey, flags) = try state.withLock { state throws(Failure) in
            let index = state.passkeys.lastIndex {
                $0.rpID == rpID && [nil, $0.userName].contains(userName)
                    && (allowed.isEmpty ? $0.isDiscoverable : allowed.contains($0.id))
            }
            guard let index else { throw .noPasskey }
            let flags = try gesture(options.userVerification, by: state.person)
            if traits.counts { state.passkeys[index].counter += 1 }
            return (state.passkeys[index], flags)
        }
        let authenticatorData = authenticatorData(of: passkey, flags)
        let clientData = CollectedClientData(.get, challenge: options.challenge, origin: origin).serialized
        guard let signature = Self.sign(authenticatorData + SHA256.hash(clientData), with: passkey) else {
            throw .signaturesUnavailable
        }
        return AuthenticationResponseJSON(
            credentialID: passkey.id, rawClientDataJSON: clientData, rawAuthenticatorData: authenticatorData,
            signature: signature, userID: passkey.isDiscoverable ? passkey.userHandle : nil,
            attachment: traits.attachment)
    }

    /// Returns the signature in the form of X.509 (section 6.5.5).
    private static func sign(_ message: Data, with passkey: EmulatedPasskey) -> Data? {
        guard let raw = try? Signatures.sign(message, algorithm: .es256, privateKey: passkey.privateKey) else {
            return nil
        }
        return ECDSASignature(raw: raw, on: .p256)?.der
    }
}

// MARK: - Both

extension EmulatedAuthenticator {
    private static func domain(_ rpID: String?, _ origin: String?) throws(Failure) -> (rpID: String, origin: String) {
        guard let rpID = rpID ?? origin.flatMap({ URL(string: $0)?.host() }) else { throw .noDomain }
        return (rpID, origin ?? "https://\(rpID)")
    }

    /// Asks the person, and returns the flags of their answer.
    private func gesture(
        _ verification: UserVerificationRequirement, by person: Person
    ) throws(Failure) -> AuthenticatorData.Flags {
        let verifies = traits.verifiesPerson && verification != .discouraged
        guard verifies || verification != .required else { throw .cannotVerifyPerson }
        guard ![.cancels, .neverAnswers].contains(person), !verifies || person != .isNotRecognized else {
            throw .cancelled
        }
        return verifies ? [.userPresent, .userVerified] : .userPresent
    }

    private func authenticatorData(
        of passkey: EmulatedPasskey, _ gesture: AuthenticatorData.Flags, newKey: CBOR? = nil
    ) -> Data {
        var flags = gesture
        if traits.isBackupEligible { flags.insert(.backupEligible) }
        if traits.isBackupEligible, traits.isBackedUp { flags.insert(.backedUp) }
        if newKey != nil { flags.insert(.hasAttestedCredential) }
        var data = Data(SHA256.hash(passkey.rpID.utf8)) + [flags.rawValue]
        data += withUnsafeBytes(of: passkey.counter.bigEndian) { Data($0) }
        guard let newKey else { return data }
        let length = withUnsafeBytes(of: UInt16(passkey.id.count).bigEndian) { Data($0) }
        return data + traits.aaguid + length + passkey.id + newKey.encoded
    }
}
