import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// Sign-in and registration by the system: what is asked, and what the server receives.
@MainActor
@Suite(.appleDevice, .enabled(if: Signatures.isAvailable)) struct SystemPasskeysTests {
    @Test func serverAcceptsTheAnswerToASignIn() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let options = phone.requestOptions
        let attempt = phone.begin(.sheet, options)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        #expect(sheet.style == .modal && sheet.anchor === phone.window)
        #expect(sheet.controller.authorizationRequests.count == 1)
        sheet.approve()
        let response = try await attempt.value.get()
        #expect(try phone.accepts(response, for: options))
        #expect(response.attachment == .platform && response.userHandle == PasskeyPhone.user.id)
    }

    @Test func serverAcceptsANewPasskeyAndItsSignIn() async throws {
        let phone = PasskeyPhone()
        let options = phone.creationOptions
        let registration = phone.beginRegistration(.sheet, options)
        await AppleDevice.Passkeys.nextRequest().approve()
        let response = try await registration.value.get()
        try phone.register(response, for: options)
        #expect(response.attachment == .platform && response.transports == [.hybrid, .internal])
        let request = phone.requestOptions
        let attempt = phone.begin(.immediate, request)
        await AppleDevice.Passkeys.nextRequest().approve()
        #expect(try phone.accepts(await attempt.value.get(), for: request))
    }

    @Test func attachmentIsThatOfTheDeviceThatAnswered() async throws {
        let phone = PasskeyPhone()
        try phone.holdPasskey()
        let attempt = phone.begin()
        let sheet = await AppleDevice.Passkeys.nextRequest()
        sheet.succeed(
            with: ASAuthorizationPlatformPublicKeyCredentialAssertion.simulated(
                credentialID: Data([1]), clientData: Data([2]), authenticatorData: Data([3]), signature: Data([4]),
                userID: Data(), isFromAnother: true))
        let response = try await attempt.value.get()
        #expect(response.attachment == .crossPlatform && response.userHandle == nil)
        let options = phone.creationOptions
        let registration = phone.beginRegistration(.sheet, options)
        let made = try phone.authenticator.create(options)
        await AppleDevice.Passkeys.nextRequest().succeed(
            with: ASAuthorizationPlatformPublicKeyCredentialRegistration.simulated(
                credentialID: made.id, clientData: made.clientDataJSON, attestationObject: made.attestationObject,
                isFromAnother: true))
        let answer = try await registration.value.get()
        #expect(answer.attachment == .crossPlatform && answer.transports == [.hybrid])
    }

    @Test func everyMemberOfTheRequestOptionsIsAsked() async throws {
        let phone = PasskeyPhone()
        var options = phone.requestOptions
        options.allowCredentials = [.init(id: Data([1]), transports: [.internal]), .init(id: Data([2]))]
        options.userVerification = .required
        let attempt = phone.begin(.sheet, options)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        let request = try #require(sheet.assertion)
        #expect(request.challenge == options.challenge && request.relyingPartyIdentifier == "example.com")
        #expect(request.allowedCredentials.map(\.credentialID) == [Data([1]), Data([2])])
        #expect(request.userVerificationPreference == .required)
        #expect(sheet.controller.authorizationRequests.count == 1, "None is on a security key.")
        attempt.cancel()
        _ = await attempt.value
    }

    @Test func everyMemberOfTheCreationOptionsIsAsked() async throws {
        let phone = PasskeyPhone()
        var options = phone.creationOptions
        options.excludeCredentials = [.init(id: Data([1]))]
        options.authenticatorSelection.userVerification = .discouraged
        options.attestation = .enterprise
        let attempt = phone.beginRegistration(.sheet, options)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        let request = try #require(sheet.registration)
        #expect(request.challenge == options.challenge && request.relyingPartyIdentifier == "example.com")
        #expect((request.name, request.displayName) == ("minji@example.com", "김민지"))
        #expect(request.userID == PasskeyPhone.user.id && request.requestStyle == .standard)
        #expect(request.excludedCredentials?.map(\.credentialID) == [Data([1])])
        #expect(request.userVerificationPreference == .discouraged && request.attestationPreference == .enterprise)
        #expect(sheet.controller.authorizationRequests.count == 1)
        attempt.cancel()
        _ = await attempt.value
    }

    // MARK: Security keys

    @Test func securityKeyIsAskedForBesideAPasskeyWhereTheServerKnowsOne() async throws {
        let phone = PasskeyPhone()
        let passkey = try phone.holdPasskey()
        var options = phone.requestOptions
        options.allowCredentials = [
            .init(id: passkey.id, transports: [.usb, .smartCard]), .init(id: Data([2]), transports: [.internal]),
        ]
        let attempt = phone.begin(.sheet, options)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        #expect(sheet.assertion != nil)
        let key = try #require(sheet.first(ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest.self))
        #expect(key.allowedCredentials.map(\.transports) == [[.usb], [.usb, .nfc, .bluetooth]])
        sheet.approve(key)
        let response = try await attempt.value.get()
        #expect(try phone.accepts(response, for: options) && response.attachment == .crossPlatform)
    }

    @Test func passkeysThatAreOnSecurityKeysAloneAreNotLookedForElsewhere() async throws {
        let phone = PasskeyPhone()
        var options = phone.requestOptions
        options.allowCredentials = [.init(id: Data([1]), transports: [.nfc])]
        let attempt = phone.begin(.sheet, options)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        #expect(sheet.assertion == nil && sheet.controller.authorizationRequests.count == 1)
        attempt.cancel()
        _ = await attempt.value
        for mediation in [SignInMethod.Kind.immediate, .conditional] {
            #expect(await phone.begin(mediation, options).value.code == .unsupportedProvider)
        }
    }

    @Test func hintOffersASecurityKeyAndSuggestionsDoNot() async throws {
        let phone = PasskeyPhone()
        var options = phone.requestOptions
        options.hints = [.securityKey]
        let attempt = phone.begin(.sheet, options)
        #expect(await AppleDevice.Passkeys.nextRequest().controller.authorizationRequests.count == 2)
        attempt.cancel()
        _ = await attempt.value
        let suggestions = phone.begin(.conditional, options)
        #expect(await AppleDevice.Passkeys.nextRequest().controller.authorizationRequests.count == 1)
        suggestions.cancel()
        _ = await suggestions.value
    }

    @Test func newPasskeyIsMadeOnASecurityKey() async throws {
        let phone = PasskeyPhone(EmulatedAuthenticator(EmulatedAuthenticator.Traits()))
        var options = phone.creationOptions
        options.authenticatorSelection = .init(attachment: .crossPlatform, residentKey: .required)
        options.algorithms = [.edDSA, .es256]
        options.excludeCredentials = [.init(id: Data([1]), transports: [.ble])]
        let attempt = phone.beginRegistration(.sheet, options)
        let sheet = await AppleDevice.Passkeys.nextRequest()
        #expect(sheet.registration == nil)
        let key = try #require(sheet.first(ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest.self))
        #expect(key.credentialParameters.map(\.algorithm.rawValue) == [-8, -7])
        #expect(key.excludedCredentials.map(\.transports) == [[.bluetooth]])
        #expect(key.residentKeyPreference == .required && key.displayName == "김민지" && key.name == "minji@example.com")
        sheet.approve()
        let response = try await attempt.value.get()
        try phone.register(response, for: options)
        #expect(response.attachment == .crossPlatform && response.transports == [.nfc, .usb])
    }

    @Test(arguments: [
        (AuthenticatorAttachment?.none, [PublicKeyCredentialHint](), [COSEAlgorithm.es256], [true, false]),
        (nil, [.securityKey], [.es256], [true, true]), (.platform, [.securityKey], [.es256], [true, false]),
        (.crossPlatform, [], [.es256], [false, true]), (nil, [], [.rs256], [false, true]),
    ])
    func authenticatorsAreThoseThatTheServerAccepts(
        attachment: AuthenticatorAttachment?, hints: [PublicKeyCredentialHint], algorithms: [COSEAlgorithm],
        expected: [Bool]
    ) throws {
        var options = PasskeyPhone().creationOptions
        (options.authenticatorSelection.attachment, options.hints) = (attachment, hints)
        options.algorithms = algorithms
        let requests = try options.requests(.sheet)
        let isPlatform = requests.contains { $0 is ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest }
        let isKey = requests.contains { $0 is ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest }
        #expect([isPlatform, isKey] == expected)
    }

    @Test func passkeyByAnotherAlgorithmIsNotMadeByThisDevice() async {
        let phone = PasskeyPhone()
        var options = phone.creationOptions
        options.algorithms = [.rs256]
        options.authenticatorSelection.attachment = .platform
        let error = await phone.beginRegistration(.sheet, options).value
        #expect(error.code == .unsupportedProvider)
    }

    // MARK: Answers

    @Test func answerWithoutItsPartsIsInvalid() async {
        let phone = PasskeyPhone()
        for (data, signature) in [(nil, Data([1])), (Data([1]), nil)] {
            let attempt = phone.begin()
            await AppleDevice.Passkeys.nextRequest().succeed(
                with: ASAuthorizationPlatformPublicKeyCredentialAssertion.simulated(
                    credentialID: Data([1]), clientData: Data(), authenticatorData: data, signature: signature,
                    userID: nil))
            #expect(await attempt.value.code == .invalidResponse)
        }
        for object in [nil, Data("no CBOR".utf8)] {
            let attempt = phone.beginRegistration()
            await AppleDevice.Passkeys.nextRequest().succeed(
                with: ASAuthorizationPlatformPublicKeyCredentialRegistration.simulated(
                    credentialID: Data([1]), clientData: Data(), attestationObject: object))
            #expect(await attempt.value.code == .invalidResponse)
        }
    }

    @Test func credentialOfAnotherKindIsInvalid() async {
        let phone = PasskeyPhone()
        let attempt = phone.begin()
        await AppleDevice.Passkeys.nextRequest().succeed(
            with: ASAuthorizationAppleIDCredential.simulated(identityToken: nil))
        #expect(await attempt.value.code == .invalidResponse)
    }

    // MARK: A passkey without a question

    @Test func passwordManagerMakesAPasskeyWithoutAQuestion() async throws {
        let phone = PasskeyPhone()
        let options = phone.creationOptions
        let response = try await phone.beginRegistration(.conditional, options).value.get()
        #expect(AppleDevice.Passkeys.waitingRequests == 0)
        #expect(phone.authenticator.passkeys.map(\.id) == [response.id])
    }

    @Test func passwordManagerThatMakesNoneIsNoError() async {
        let phone = PasskeyPhone()
        AppleDevice.Passkeys.makesPasskeysWithoutAQuestion = false
        let error = await phone.beginRegistration(.conditional).value
        #expect(error.code == .cancelled && phone.authenticator.passkeys.isEmpty)
    }
}
