import AuthStreams
import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The server's checks, with the emulated authenticator and with the standard's vectors.
@Suite(.enabled(if: Signatures.isAvailable, "needs libcrypto"))
struct PasskeyVerifierTests {
    static let verifier = PasskeyVerifier(rpID: "example.org")
    static let userHandle = Data("user 1".utf8)

    static let creation = PublicKeyCredentialCreationOptionsJSON(
        rp: .init(id: "example.org", name: "Example"),
        user: .init(id: userHandle, name: "mina", displayName: "Mina"), challenge: Data(1...32))
    static let request = PublicKeyCredentialRequestOptionsJSON(challenge: Data(2...33), rpID: "example.org")

    /// An authenticator with one passkey, and what the server stores of it.
    static func registered(
        _ traits: EmulatedAuthenticator.Traits = .init()
    ) throws -> (EmulatedAuthenticator, RegisteredPasskey) {
        let authenticator = EmulatedAuthenticator(traits)
        let response = try authenticator.create(creation)
        return (authenticator, try verifier.register(response, for: creation) { _ in false })
    }

    private func expectRefusal(
        _ refusal: PasskeyRefusal, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> RegisteredPasskey
    ) {
        #expect(throws: refusal, sourceLocation: sourceLocation) { try body() }
    }

    // MARK: Round trips

    @Test func passkeySignsIn() throws {
        let (authenticator, passkey) = try Self.registered()
        #expect(passkey.userHandle == Self.userHandle && passkey.counter == 0 && passkey.isUserVerified)
        #expect(passkey.isBackupEligible && passkey.isBackedUp && passkey.transports == [.hybrid, .internal])
        // By the JSON, as between an app and its server.
        let options = try PublicKeyCredentialRequestOptionsJSON(json: Self.request.json)
        #expect(options == Self.request)
        let response = try AuthenticationResponseJSON(json: try authenticator.get(options).json)
        let next = try Self.verifier.authenticate(response, for: Self.request) { $0 == passkey.id ? passkey : nil }
        #expect(next == passkey)
    }

    @Test func registrationSurvivesTheJSON() throws {
        var options = Self.creation
        options.timeout = .milliseconds(60_500)
        options.excludeCredentials = [.init(id: Data([1]), transports: [.usb])]
        options.authenticatorSelection = .init(
            attachment: .platform, residentKey: .required, userVerification: .required)
        options.hints = [.clientDevice]
        options.attestationFormats = ["packed"]
        options.extensions = ["credProps": true]
        options.attestation = .direct
        #expect(try PublicKeyCredentialCreationOptionsJSON(json: options.json) == options)
        let response = try EmulatedAuthenticator().create(options)
        let read = try RegistrationResponseJSON(json: response.json)
        #expect(read == response)
        #expect(throws: Never.self) { try Self.verifier.register(read, for: options) { _ in false } }
    }

    @Test(arguments: ["id", "rawId", "type", "response", "clientExtensionResults"])
    func answerWithoutAMemberIsRefused(name: String) throws {
        let (authenticator, _) = try Self.registered()
        for json in [try authenticator.create(Self.creation).json, try authenticator.get(Self.request).json] {
            var members = try #require(json.object)
            members[name] = nil
            #expect(throws: AuthError.self) { try RegistrationResponseJSON(json: .object(members)) }
            #expect(throws: AuthError.self) { try AuthenticationResponseJSON(json: .object(members)) }
        }
    }

    // MARK: The standard's vectors

    @Test(
        arguments: [
            .noneES256, .noneES256CrossOrigin, .noneES256TopOrigin, .noneES256LongCredentialID,
        ] as [PasskeyVector])
    func registrationOfTheStandardIsAccepted(_ vector: PasskeyVector) throws {
        var options = Self.creation
        options.challenge = vector.creationChallenge
        let response = try RegistrationResponseJSON(
            credentialID: try AttestationObject(vector.attestationObject).credential.id,
            rawClientDataJSON: vector.creationClientData, rawAttestationObject: vector.attestationObject)
        var verifier = Self.verifier
        verifier.allowsCrossOrigin = vector.description.hasSuffix("Origin")
        verifier.topOrigins = ["https://example.com"]
        #expect(throws: Never.self) { try verifier.register(response, for: options) { _ in false } }
    }

    @Test(arguments: PasskeyVector.all) func signInOfTheStandardIsAccepted(_ vector: PasskeyVector) throws {
        let object = try AttestationObject(vector.attestationObject)
        let passkey = RegisteredPasskey(object, userHandle: Self.userHandle, transports: [])
        var response = AuthenticationResponseJSON(
            credentialID: passkey.id, rawClientDataJSON: vector.requestClientData,
            rawAuthenticatorData: vector.authenticatorData, signature: vector.signature, userID: Self.userHandle)
        var verifier = Self.verifier
        verifier.allowsCrossOrigin = vector.description.hasSuffix("Origin")
        verifier.topOrigins = ["https://example.com"]
        let options = PublicKeyCredentialRequestOptionsJSON(challenge: vector.requestChallenge)
        guard passkey.key.publicKey != nil else {
            #expect(vector.description == PasskeyVector.packedEd448.description)
            return expectRefusal(.unsupportedKey) { try verifier.authenticate(response, for: options) { _ in passkey } }
        }
        #expect(throws: Never.self) { try verifier.authenticate(response, for: options) { _ in passkey } }
        for index in response.signature.indices {
            response.signature[index] ^= 1
            expectRefusal(.signature) { try verifier.authenticate(response, for: options) { _ in passkey } }
            response.signature[index] ^= 1
        }
    }

    @Test(arguments: PasskeyVector.all.filter { !$0.description.hasPrefix("none") })
    func otherAttestationsAreRefused(_ vector: PasskeyVector) throws {
        let object = try AttestationObject(vector.attestationObject)
        var options = Self.creation
        options.challenge = vector.creationChallenge
        options.algorithms = [object.credential.key.algorithm]
        let response = try RegistrationResponseJSON(
            credentialID: object.credential.id, rawClientDataJSON: vector.creationClientData,
            rawAttestationObject: vector.attestationObject)
        let refusal: PasskeyRefusal = object.credential.key.publicKey == nil ? .unsupportedKey : .attestationFormat
        expectRefusal(refusal) { try Self.verifier.register(response, for: options) { _ in false } }
    }

    // MARK: Both kinds of answers

    @Test func answerToAnotherRequestIsRefused() throws {
        let (authenticator, passkey) = try Self.registered()
        var (creation, request) = (Self.creation, Self.request)
        creation.challenge = Data(count: 32)
        request.challenge = Data(count: 32)
        let (registration, assertion) = (try authenticator.create(creation), try authenticator.get(request))
        expectRefusal(.challenge) { try Self.verifier.register(registration, for: Self.creation) { _ in false } }
        expectRefusal(.challenge) { try Self.verifier.authenticate(assertion, for: Self.request) { _ in passkey } }
        // The two kinds are not taken for each other.
        var (swapped, other) = (registration, assertion)
        (swapped.clientDataJSON, other.clientDataJSON) = (other.clientDataJSON, swapped.clientDataJSON)
        expectRefusal(.type) { try Self.verifier.register(swapped, for: creation) { _ in false } }
        expectRefusal(.type) { try Self.verifier.authenticate(other, for: request) { _ in passkey } }
        other.clientDataJSON = Data()
        expectRefusal(.clientData) { try Self.verifier.authenticate(other, for: request) { _ in passkey } }
    }

    @Test func answerFromAnotherOriginIsRefused() throws {
        let (authenticator, passkey) = try Self.registered()
        for origin in ["https://example.com", "http://example.org", "https://example.org:444", "https://a.example.org"]
        {
            let registration = try EmulatedAuthenticator().create(Self.creation, origin: origin)
            expectRefusal(.origin) { try Self.verifier.register(registration, for: Self.creation) { _ in false } }
            let assertion = try authenticator.get(Self.request, origin: origin)
            expectRefusal(.origin) { try Self.verifier.authenticate(assertion, for: Self.request) { _ in passkey } }
        }
        var verifier = Self.verifier
        verifier.origins.insert("https://a.example.org")
        let assertion = try authenticator.get(Self.request, origin: "https://a.example.org")
        #expect(throws: Never.self) { try verifier.authenticate(assertion, for: Self.request) { _ in passkey } }
    }

    @Test func frameOfAnotherOriginIsRefused() throws {
        let (authenticator, passkey) = try Self.registered()
        var response = try authenticator.get(Self.request)
        var data = CollectedClientData(
            .get, challenge: Self.request.challenge, origin: "https://example.org", crossOrigin: true)
        response.clientDataJSON = data.serialized
        expectRefusal(.crossOrigin) { try Self.verifier.authenticate(response, for: Self.request) { _ in passkey } }
        data.topOrigin = "https://example.com"
        var verifier = Self.verifier
        verifier.allowsCrossOrigin = true
        response.clientDataJSON = data.serialized
        expectRefusal(.topOrigin) { try verifier.authenticate(response, for: Self.request) { _ in passkey } }
        verifier.topOrigins = ["https://example.com"]
        // The check after it: the authenticator signed other client data.
        expectRefusal(.signature) { try verifier.authenticate(response, for: Self.request) { _ in passkey } }
        data.crossOrigin = false
        response.clientDataJSON = data.serialized
        verifier.allowsCrossOrigin = false
        expectRefusal(.topOrigin) { try verifier.authenticate(response, for: Self.request) { _ in passkey } }
    }

    @Test func passkeyOfAnotherDomainIsRefused() throws {
        let (authenticator, passkey) = try Self.registered()
        var (creation, request) = (Self.creation, Self.request)
        creation.rp.id = "example.com"
        request.rpID = "example.com"
        let registration = try authenticator.create(creation, origin: "https://example.org")
        expectRefusal(.rpID) { try Self.verifier.register(registration, for: Self.creation) { _ in false } }
        let assertion = try authenticator.get(request, origin: "https://example.org")
        expectRefusal(.rpID) { try Self.verifier.authenticate(assertion, for: Self.request) { _ in passkey } }
    }

    @Test func personIsVerifiedIfThatIsRequired() throws {
        var traits = EmulatedAuthenticator.Traits()
        traits.verifiesPerson = false
        let (authenticator, passkey) = try Self.registered(traits)
        #expect(!passkey.isUserVerified)
        var (creation, request) = (Self.creation, Self.request)
        creation.authenticatorSelection.userVerification = .required
        request.userVerification = .required
        let registration = try authenticator.create(Self.creation)
        expectRefusal(.userNotVerified) { try Self.verifier.register(registration, for: creation) { _ in false } }
        #expect(throws: Never.self) { try Self.verifier.register(registration, for: Self.creation) { _ in false } }
        let assertion = try authenticator.get(Self.request)
        let stored = RegisteredPasskey(
            try AttestationObject(registration.attestationObject), userHandle: Self.userHandle, transports: [])
        expectRefusal(.userNotVerified) { try Self.verifier.authenticate(assertion, for: request) { _ in stored } }
        #expect(throws: Never.self) { try Self.verifier.authenticate(assertion, for: Self.request) { _ in stored } }
    }

    @Test func personIsPresentUnlessThePasskeyIsMadeWithoutAQuestion() throws {
        let registration = try EmulatedAuthenticator().create(Self.creation, isConditional: true)
        expectRefusal(.userNotPresent) { try Self.verifier.register(registration, for: Self.creation) { _ in false } }
        #expect(throws: Never.self) {
            try Self.verifier.register(registration, for: Self.creation, isConditional: true) { _ in false }
        }
        let (authenticator, passkey) = try Self.registered()
        var assertion = try authenticator.get(Self.request)
        assertion.authenticatorData[32] &= ~1
        expectRefusal(.userNotPresent) {
            try Self.verifier.authenticate(assertion, for: Self.request) { _ in passkey }
        }
    }

    @Test func backupFlagsAgree() throws {
        var traits = EmulatedAuthenticator.Traits()
        traits.isBackupEligible = false
        let (single, singlePasskey) = try Self.registered(traits)
        #expect(!singlePasskey.isBackupEligible && !singlePasskey.isBackedUp)
        var assertion = try single.get(Self.request)
        let flags = assertion.authenticatorData[32]
        assertion.authenticatorData[32] = flags | AuthenticatorData.Flags.backedUp.rawValue
        expectRefusal(.backupFlags) {
            try Self.verifier.authenticate(assertion, for: Self.request) { _ in singlePasskey }
        }
        assertion.authenticatorData[32] = flags | AuthenticatorData.Flags.backupEligible.rawValue
        expectRefusal(.backupEligibility) {
            try Self.verifier.authenticate(assertion, for: Self.request) { _ in singlePasskey }
        }
        // A backup may end.
        let (multiple, passkey) = try Self.registered()
        traits.isBackupEligible = true
        traits.isBackedUp = false
        let device = EmulatedAuthenticator(traits, passkeys: multiple.passkeys)
        let next = try Self.verifier.authenticate(try device.get(Self.request), for: Self.request) { _ in passkey }
        #expect(passkey.isBackedUp && !next.isBackedUp)
    }
}
