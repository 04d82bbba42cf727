import AuthenticationServices
import Foundation
import TestSupport
import Testing

/// The passkeys of the simulated device, which other tests rest on.
@Suite(.appleDevice) @MainActor struct PasskeysTests {
    /// A delegate that writes down what it is told.
    private final class Delegate: NSObject, ASAuthorizationControllerDelegate {
        var credentials: [any ASAuthorizationCredential] = []
        var errors: [NSError] = []
        let calls = Calls()

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            credentials.append(authorization.credential)
            calls.add()
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            errors.append(error as NSError)
            calls.add()
        }
    }

    /// A device with one passkey, or none.
    private final class Passkeys: SimulatedPasskeys {
        var isThere = true

        func hasPasskey(for request: ASAuthorizationPlatformPublicKeyCredentialAssertionRequest) -> Bool { isThere }

        func assertion(for request: ASAuthorizationRequest) throws -> any ASAuthorizationCredential {
            ASAuthorizationPlatformPublicKeyCredentialAssertion.simulated(
                credentialID: Data([1]), clientData: Data(), authenticatorData: Data(), signature: Data(), userID: nil)
        }

        func registration(for request: ASAuthorizationRequest) throws -> any ASAuthorizationCredential {
            throw ASAuthorizationError(.matchedExcludedCredential)
        }
    }

    private let delegate = Delegate()
    private let passkeys = Passkeys()
    private let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: "example.com")

    init() {
        AppleDevice.Passkeys.passkeys = passkeys
        AppleDevice.Passkeys.associatedDomains = ["example.com"]
    }

    private func controller(_ request: ASAuthorizationRequest? = nil) -> ASAuthorizationController {
        let request = request ?? provider.createCredentialAssertionRequest(challenge: Data(count: 16))
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = delegate
        return controller
    }

    private var registration: ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        provider.createCredentialRegistrationRequest(challenge: Data(count: 16), name: "a", userID: Data([1]))
    }

    @Test func approvedRequestIsAnswered() async {
        let controller = controller()
        controller.performRequests()
        let request = await AppleDevice.Passkeys.nextRequest()
        #expect(request.style == .modal && request.assertion?.challenge == Data(count: 16))
        request.approve()
        _ = await delegate.calls.next()
        #expect(delegate.credentials.count == 1 && AppleDevice.Passkeys.underWay == nil)
    }

    @Test func errorOfThePasskeysIsTheSystems() async {
        let controller = controller(registration)
        controller.performRequests()
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = await delegate.calls.next()
        #expect(delegate.errors.map(\.code) == [1006])
    }

    @Test func domainMustBeAssociated() async {
        AppleDevice.Passkeys.associatedDomains = ["example.org"]
        let controller = controller()
        controller.performRequests()
        _ = await delegate.calls.next()
        let reason = delegate.errors.first?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        #expect(delegate.errors.map(\.code) == [1004] && reason?.contains("not associated with domain") == true)
    }

    @Test func secondRequestIsRefusedWhileOneIsUnderWay() async {
        let (first, second) = (controller(), controller())
        first.performAutoFillAssistedRequests()
        #expect(await AppleDevice.Passkeys.nextRequest().style == .autoFill)
        second.performRequests()
        _ = await delegate.calls.next()
        let reason = delegate.errors.first?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        #expect(delegate.errors.map(\.code) == [1004] && reason?.contains("already in progress") == true)
        #expect(AppleDevice.Passkeys.refused == [second])
        first.cancel()
        _ = await delegate.calls.next()
        #expect(delegate.errors.map(\.code) == [1004, 1001] && AppleDevice.Passkeys.cancelled == [first])
        second.performRequests()
        await AppleDevice.Passkeys.nextRequest().approve()
        _ = await delegate.calls.next()
        #expect(delegate.credentials.count == 1)
    }

    @Test func cancelMayBeWithoutACall() async {
        AppleDevice.Passkeys.cancelCallsDelegate = false
        let controller = controller()
        controller.performRequests()
        let request = await AppleDevice.Passkeys.nextRequest()
        controller.cancel()
        request.approve()
        _ = await delegate.calls.next()
        #expect(delegate.errors.isEmpty && delegate.credentials.count == 1)
    }

    @Test func immediateRequestNeedsAPasskey() async {
        let (first, second) = (controller(), controller())
        first.performRequests(options: .preferImmediatelyAvailableCredentials)
        #expect(await AppleDevice.Passkeys.nextRequest().style == .immediate)
        first.cancel()
        _ = await delegate.calls.next()
        passkeys.isThere = false
        second.performRequests(options: .preferImmediatelyAvailableCredentials)
        _ = await delegate.calls.next()
        #expect(delegate.errors.map(\.code) == [1001, 1001] && AppleDevice.Passkeys.waitingRequests == 0)
    }

    @Test func suggestionsAreOfPasskeysToSignInWith() async {
        let controller = controller(registration)
        controller.performAutoFillAssistedRequests()
        _ = await delegate.calls.next()
        #expect(delegate.errors.map(\.code) == [1004])
    }

    @Test func conditionalRegistrationAsksNoQuestion() async {
        let request = registration
        request.requestStyle = .conditional
        let controller = controller(request)
        AppleDevice.Passkeys.makesPasskeysWithoutAQuestion = false
        controller.performRequests()
        _ = await delegate.calls.next()
        #expect(delegate.errors.map(\.code) == [1001] && AppleDevice.Passkeys.waitingRequests == 0)
    }

    @Test func rawValuesAreApples() {
        #expect(ASAuthorizationPublicKeyCredentialAttachment.crossPlatform.rawValue == 1)
        #expect(ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest.RequestStyle.conditional.rawValue == 1)
        #expect(ASCOSEAlgorithmIdentifier.ES256.rawValue == -7)
    }
}
