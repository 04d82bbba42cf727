import AuthStreamsOAuth
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

@Suite(.enabled(if: Signatures.isAvailable, "needs libcrypto"))
struct EmulatedAuthenticatorTests {
    private typealias Failure = EmulatedAuthenticator.Failure

    private static let creation = PasskeyVerifierTests.creation
    private static let request = PasskeyVerifierTests.request

    private static func creation(user: Int) -> PublicKeyCredentialCreationOptionsJSON {
        var options = creation
        options.user = .init(id: Data("user \(user)".utf8), name: "user\(user)", displayName: "")
        return options
    }

    @Test func registrationHasTheFormOfApples() throws {
        let response = try EmulatedAuthenticator().create(Self.creation)
        let object = try AttestationObject(response.attestationObject)
        #expect(object.format == "none" && object.statement.isEmpty)
        #expect(object.credential.id == response.id && object.credential.aaguid == Data(count: 16))
        #expect(
            object.authenticatorData.flags == [
                .userPresent, .userVerified, .backupEligible, .backedUp, .hasAttestedCredential,
            ])
        #expect(object.authenticatorData.counter == 0)
        #expect(
            CollectedClientData(json: response.clientDataJSON)
                == CollectedClientData(.create, challenge: Self.creation.challenge, origin: "https://example.org"))
        #expect(response.attachment == .platform)
    }

    @Test func passkeysAndTheirIdentifiersDiffer() throws {
        let authenticator = EmulatedAuthenticator()
        let first = try authenticator.create(Self.creation(user: 1))
        let second = try authenticator.create(Self.creation(user: 2))
        #expect(first.id != second.id && first.publicKey != second.publicKey)
        #expect(authenticator.passkeys.map(\.id) == [first.id, second.id])
    }

    @Test func passkeyOfTheSameAccountIsReplaced() throws {
        let authenticator = EmulatedAuthenticator()
        _ = try authenticator.create(Self.creation(user: 1))
        let other = try authenticator.create(Self.creation(user: 2))
        let second = try authenticator.create(Self.creation(user: 1))
        #expect(authenticator.passkeys.map(\.id) == [other.id, second.id])
    }

    @Test func excludedPasskeyIsNotMadeTwice() throws {
        let authenticator = EmulatedAuthenticator()
        let first = try authenticator.create(Self.creation)
        var options = Self.creation
        options.excludeCredentials = [.init(id: Data([1])), .init(id: first.id)]
        #expect(throws: Failure.matchedExcludedCredential) { try authenticator.create(options) }
        #expect(throws: Failure.matchedExcludedCredential) { try authenticator.create(options, isConditional: true) }
        // A person who cancels does not tell that there is one.
        authenticator.person = .cancels
        #expect(throws: Failure.cancelled) { try authenticator.create(options) }
        #expect(authenticator.passkeys.map(\.id) == [first.id])
        // Another device has no passkey of the list, nor has one of another domain.
        #expect(throws: Never.self) { try EmulatedAuthenticator().create(options) }
        authenticator.person = .agrees
        options.rp.id = "example.com"
        #expect(throws: Never.self) { try authenticator.create(options) }
    }

    @Test func personWhoCancelsEndsTheRequest() throws {
        let authenticator = EmulatedAuthenticator()
        _ = try authenticator.create(Self.creation)
        for person in [EmulatedAuthenticator.Person.cancels, .isNotRecognized] {
            authenticator.person = person
            #expect(throws: Failure.cancelled) { try authenticator.create(Self.creation(user: 2)) }
            #expect(throws: Failure.cancelled) { try authenticator.get(Self.request) }
        }
        #expect(authenticator.passkeys.count == 1)
        // Not asked for verification, so not recognized does not matter.
        var options = Self.request
        options.userVerification = .discouraged
        #expect(throws: Never.self) { try authenticator.get(options) }
    }

    @Test func passkeyMadeWithoutAQuestionNeedsNoPerson() throws {
        let authenticator = EmulatedAuthenticator()
        authenticator.person = .cancels
        let response = try authenticator.create(Self.creation, isConditional: true)
        let flags = try AttestationObject(response.attestationObject).authenticatorData.flags
        #expect(flags.isDisjoint(with: [.userPresent, .userVerified]))
    }

    @Test(
        arguments: [
            (.required, true, [.userPresent, .userVerified]), (.preferred, true, [.userPresent, .userVerified]),
            (.discouraged, true, .userPresent), (.required, false, nil), (.preferred, false, .userPresent),
            (.discouraged, false, .userPresent),
        ] as [(UserVerificationRequirement, Bool, AuthenticatorData.Flags?)])
    func personIsVerifiedAsTheServerWants(
        requirement: UserVerificationRequirement, verifiesPerson: Bool, expected: AuthenticatorData.Flags?
    ) throws {
        var traits = EmulatedAuthenticator.Traits()
        traits.verifiesPerson = verifiesPerson
        traits.isBackupEligible = false
        let authenticator = EmulatedAuthenticator(traits)
        _ = try authenticator.create(Self.creation)
        var (creation, request) = (Self.creation(user: 2), Self.request)
        creation.authenticatorSelection.userVerification = requirement
        request.userVerification = requirement
        guard let expected else {
            #expect(throws: Failure.cannotVerifyPerson) { try authenticator.create(creation) }
            #expect(throws: Failure.cannotVerifyPerson) { try authenticator.get(request) }
            return
        }
        #expect(try AuthenticatorData(try authenticator.get(request).authenticatorData).flags == expected)
        let object = try AttestationObject(try authenticator.create(creation).attestationObject)
        #expect(object.authenticatorData.flags == expected.union(.hasAttestedCredential))
    }

    @Test func deviceWithoutAFittingPasskeyHasNone() throws {
        let authenticator = EmulatedAuthenticator()
        #expect(throws: Failure.noPasskey) { try authenticator.get(Self.request) }
        let first = try authenticator.create(Self.creation)
        var options = Self.request
        options.rpID = "example.com"
        #expect(throws: Failure.noPasskey) { try authenticator.get(options) }
        options = Self.request
        options.allowCredentials = [.init(id: Data([1]))]
        #expect(throws: Failure.noPasskey) { try authenticator.get(options) }
        options.allowCredentials.append(.init(id: first.id))
        #expect(try authenticator.get(options).id == first.id)
        authenticator.remove(first.id)
        #expect(throws: Failure.noPasskey) { try authenticator.get(options) }
    }

    @Test func personChoosesThePasskey() throws {
        let authenticator = EmulatedAuthenticator()
        let first = try authenticator.create(Self.creation(user: 1))
        let second = try authenticator.create(Self.creation(user: 2))
        #expect(try authenticator.get(Self.request).id == second.id)
        #expect(try authenticator.get(Self.request, userName: "user1").id == first.id)
        #expect(try authenticator.get(Self.request, userName: "user1").userHandle == Data("user 1".utf8))
        #expect(throws: Failure.noPasskey) { try authenticator.get(Self.request, userName: "user3") }
    }

    /// A security key with little storage.
    @Test func passkeyIsDiscoverableOnRequestOnly() throws {
        var traits = EmulatedAuthenticator.Traits()
        traits.storesEveryPasskey = false
        let authenticator = EmulatedAuthenticator(traits)
        let hidden = try authenticator.create(Self.creation)
        #expect(throws: Failure.noPasskey) { try authenticator.get(Self.request) }
        var options = Self.request
        options.allowCredentials = [.init(id: hidden.id)]
        let response = try authenticator.get(options)
        #expect(response.id == hidden.id && response.userHandle == nil)
        for requirement in [ResidentKeyRequirement.preferred, .required] {
            var creation = Self.creation
            creation.authenticatorSelection.residentKey = requirement
            let found = try authenticator.create(creation)
            #expect(try authenticator.get(Self.request).id == found.id)
        }
    }

    @Test func otherAlgorithmsAndKindsAreNotSupported() throws {
        var options = Self.creation
        options.algorithms = [.rs256]
        #expect(throws: Failure.notSupported) { try EmulatedAuthenticator().create(options) }
        options = Self.creation
        options.authenticatorSelection.attachment = .crossPlatform
        #expect(throws: Failure.notSupported) { try EmulatedAuthenticator().create(options) }
        var traits = EmulatedAuthenticator.Traits()
        traits.attachment = .crossPlatform
        #expect(try EmulatedAuthenticator(traits).create(options).attachment == .crossPlatform)
    }

    @Test func domainOfTheOriginIsTheDefault() throws {
        var (creation, request) = (Self.creation, Self.request)
        creation.rp.id = nil
        request.rpID = nil
        let authenticator = EmulatedAuthenticator()
        #expect(throws: Failure.noDomain) { try authenticator.create(creation) }
        #expect(throws: Failure.noDomain) { try authenticator.get(request) }
        _ = try authenticator.create(creation, origin: "https://example.org:8443")
        #expect(authenticator.passkeys.first?.rpID == "example.org")
        #expect(throws: Never.self) { try authenticator.get(request, origin: "https://example.org") }
    }

    @Test func counterRisesIfTheAuthenticatorCounts() throws {
        var traits = EmulatedAuthenticator.Traits()
        traits.counts = true
        let authenticator = EmulatedAuthenticator(traits)
        let object = try AttestationObject(try authenticator.create(Self.creation).attestationObject)
        #expect(object.authenticatorData.counter == 1)
        for counter in 2...4 {
            let response = try authenticator.get(Self.request)
            #expect(try AuthenticatorData(response.authenticatorData).counter == counter)
        }
    }

    @Test func passkeyPrintsItsDomainAlone() throws {
        let authenticator = EmulatedAuthenticator()
        _ = try authenticator.create(Self.creation)
        let passkey = try #require(authenticator.passkeys.first)
        #expect("\(passkey)" == "passkey of example.org")
        #expect(Mirror(reflecting: passkey).children.isEmpty)
    }
}
