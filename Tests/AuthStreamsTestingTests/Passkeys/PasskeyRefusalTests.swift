import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The server's checks of a registration alone, and of a sign-in alone.
@Suite(.enabled(if: Signatures.isAvailable, "needs libcrypto"))
struct PasskeyRefusalTests {
    private static let verifier = PasskeyVerifierTests.verifier
    private static let creation = PasskeyVerifierTests.creation
    private static let request = PasskeyVerifierTests.request

    /// Registers an answer with another attestation object, and with copies that agree with it.
    private static func register(
        _ change: (inout [CBOR: CBOR]) -> Void, options: PublicKeyCredentialCreationOptionsJSON = creation
    ) throws -> RegisteredPasskey {
        let response = try EmulatedAuthenticator().create(creation)
        var members = try #require(try CBOR(response.attestationObject).map)
        change(&members)
        let changed = try RegistrationResponseJSON(
            credentialID: response.id, rawClientDataJSON: response.clientDataJSON,
            rawAttestationObject: CBOR.map(members).encoded)
        return try verifier.register(changed, for: options) { _ in false }
    }

    @Test func unchangedRegistrationIsAccepted() throws {
        #expect(throws: Never.self) { try Self.register({ _ in }) }
    }

    @Test func algorithmIsOneOfThoseThatWereOffered() {
        var options = Self.creation
        options.algorithms = [.rs256, .edDSA]
        #expect(throws: PasskeyRefusal.algorithm) { try Self.register({ _ in }, options: options) }
    }

    @Test func keyThatIsNoPointIsRefused() {
        #expect(throws: PasskeyRefusal.unsupportedKey) {
            try Self.register { members in
                // The last bytes are those of `y`.
                var data = members["authData"]?.bytes ?? Data()
                data[data.count - 1] ^= 1
                members["authData"] = .bytes(data)
            }
        }
    }

    @Test func otherStatementsThanNoneAreRefused() {
        #expect(throws: PasskeyRefusal.attestationFormat) { try Self.register { $0["fmt"] = "packed" } }
        #expect(throws: PasskeyRefusal.attestationFormat) { try Self.register { $0["fmt"] = "None" } }
        #expect(throws: PasskeyRefusal.attestationStatement) { try Self.register { $0["attStmt"] = .map(["alg": -7]) } }
    }

    @Test func registrationNamesThePasskeyAndRepeatsItsData() throws {
        let response = try EmulatedAuthenticator().create(Self.creation)
        func expect(_ refusal: PasskeyRefusal, _ change: (inout RegistrationResponseJSON) -> Void) {
            var changed = response
            change(&changed)
            #expect(throws: refusal) { try Self.verifier.register(changed, for: Self.creation) { _ in false } }
        }
        expect(.credentialID) { $0.id.append(0) }
        expect(.copies) { $0.authenticatorData.append(0) }
        expect(.copies) { $0.publicKey = nil }
        expect(.copies) { $0.publicKey?.append(0) }
        expect(.copies) { $0.publicKeyAlgorithm = .rs256 }
        expect(.attestationObject) { $0.attestationObject.append(0) }
    }

    @Test func passkeyIsRegisteredOnce() throws {
        let response = try EmulatedAuthenticator().create(Self.creation)
        let passkey = try Self.verifier.register(response, for: Self.creation) { _ in false }
        #expect(throws: PasskeyRefusal.knownPasskey) {
            try Self.verifier.register(response, for: Self.creation) { $0 == passkey.id }
        }
    }

    // MARK: Sign-in

    @Test func passkeyIsOneOfThoseThatWereAskedFor() throws {
        let (authenticator, passkey) = try PasskeyVerifierTests.registered()
        let response = try authenticator.get(Self.request)
        var options = Self.request
        options.allowCredentials = [.init(id: Data([1]))]
        #expect(throws: PasskeyRefusal.notAllowed) {
            try Self.verifier.authenticate(response, for: options) { _ in passkey }
        }
        options.allowCredentials.append(passkey.descriptor)
        #expect(throws: Never.self) { try Self.verifier.authenticate(response, for: options) { _ in passkey } }
    }

    @Test func removedPasskeyIsRefused() throws {
        let (authenticator, _) = try PasskeyVerifierTests.registered()
        let response = try authenticator.get(Self.request)
        #expect(throws: PasskeyRefusal.unknownPasskey) {
            try Self.verifier.authenticate(response, for: Self.request) { _ in nil }
        }
    }

    @Test func passkeyOfAnotherAccountIsRefused() throws {
        let (authenticator, passkey) = try PasskeyVerifierTests.registered()
        var response = try authenticator.get(Self.request)
        // The server asked for one account, and the passkey of another answers.
        #expect(throws: PasskeyRefusal.user) {
            try Self.verifier.authenticate(response, for: Self.request, userHandle: Data([2])) { _ in passkey }
        }
        // The answer names an account that the passkey does not belong to.
        response.userHandle = Data([2])
        for userHandle in [nil, passkey.userHandle] {
            #expect(throws: PasskeyRefusal.user) {
                try Self.verifier.authenticate(response, for: Self.request, userHandle: userHandle) { _ in passkey }
            }
        }
    }

    @Test func accountIsNamedByTheAnswerOrByTheServer() throws {
        let (authenticator, passkey) = try PasskeyVerifierTests.registered()
        var response = try authenticator.get(Self.request)
        response.userHandle = nil
        #expect(throws: PasskeyRefusal.noUserHandle) {
            try Self.verifier.authenticate(response, for: Self.request) { _ in passkey }
        }
        #expect(throws: Never.self) {
            try Self.verifier.authenticate(response, for: Self.request, userHandle: passkey.userHandle) { _ in passkey }
        }
    }

    @Test func changedAnswerIsNotSigned() throws {
        let (authenticator, passkey) = try PasskeyVerifierTests.registered()
        var response = try authenticator.get(Self.request)
        // A counter that was not signed.
        response.authenticatorData[36] = 9
        #expect(throws: PasskeyRefusal.signature) {
            try Self.verifier.authenticate(response, for: Self.request) { _ in passkey }
        }
        response.authenticatorData.append(0)
        #expect(throws: PasskeyRefusal.authenticatorData) {
            try Self.verifier.authenticate(response, for: Self.request) { _ in passkey }
        }
        let (other, _) = try PasskeyVerifierTests.registered()
        var forged = try other.get(Self.request)
        forged.id = passkey.id
        #expect(throws: PasskeyRefusal.signature) {
            try Self.verifier.authenticate(forged, for: Self.request) { _ in passkey }
        }
    }

    @Test func counterThatDoesNotRiseIsRefused() throws {
        var traits = EmulatedAuthenticator.Traits()
        traits.counts = true
        let (authenticator, passkey) = try PasskeyVerifierTests.registered(traits)
        let copy = EmulatedAuthenticator(traits, passkeys: authenticator.passkeys)
        #expect(passkey.counter == 1)
        let second = try Self.verifier.authenticate(try authenticator.get(Self.request), for: Self.request) { _ in
            passkey
        }
        let third = try Self.verifier.authenticate(try authenticator.get(Self.request), for: Self.request) { _ in
            second
        }
        #expect(second.counter == 2 && third.counter == 3)
        // The copy counts on from 1: 2 is behind, and 3 is the same.
        for _ in 2...3 {
            let response = try copy.get(Self.request)
            #expect(throws: PasskeyRefusal.counter) {
                try Self.verifier.authenticate(response, for: Self.request) { _ in third }
            }
        }
        #expect(throws: Never.self) {
            try Self.verifier.authenticate(try copy.get(Self.request), for: Self.request) { _ in third }
        }
        // One that counted goes back to 0.
        traits.counts = false
        var reset = authenticator.passkeys
        for index in reset.indices { reset[index].counter = 0 }
        let zero = try EmulatedAuthenticator(traits, passkeys: reset).get(Self.request)
        #expect(throws: PasskeyRefusal.counter) {
            try Self.verifier.authenticate(zero, for: Self.request) { _ in third }
        }
    }

    /// Apple's passkeys never count.
    @Test func counterThatStaysZeroIsAccepted() throws {
        let (authenticator, registered) = try PasskeyVerifierTests.registered()
        var passkey = registered
        for _ in 0..<3 {
            passkey = try Self.verifier.authenticate(try authenticator.get(Self.request), for: Self.request) { _ in
                passkey
            }
            #expect(passkey.counter == 0)
        }
    }
}
