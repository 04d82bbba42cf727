import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import AuthenticationServices
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsApple

/// What each error of the system means for a passkey.
@MainActor
@Suite(.appleDevice) struct PasskeyErrorTests {
    typealias Request = AuthorizationErrors.Request

    private static func system(_ code: Int, _ reason: String? = nil) -> NSError {
        NSError(
            domain: ASAuthorizationErrorDomain, code: code,
            userInfo: reason.map { [NSLocalizedFailureReasonErrorKey: $0] } ?? [:])
    }

    nonisolated private static let signIns: [Request] = [
        .assertion(.sheet), .assertion(.immediate), .assertion(.conditional),
    ]
    nonisolated private static let registrations: [Request] = [.registration(.sheet), .registration(.conditional)]

    @Test(arguments: [
        (1000, AuthError.Code.unexpected), (1001, .cancelled), (1002, .invalidResponse), (1003, .unexpected),
        (1004, .misconfigured), (1005, .presentationUnavailable), (1006, .unexpected), (1007, .unexpected),
        (1008, .unexpected), (1009, .accountExists), (1010, .unsupportedProvider), (1011, .unexpected),
    ])
    func errorOfASignInHasAMeaning(code: Int, expected: AuthError.Code) {
        for request in Self.signIns where request != .assertion(.immediate) || ![1001, 1005].contains(code) {
            let error = AuthorizationErrors.error(for: Self.system(code), of: request)
            #expect(error.code == expected && error.cause?.code == code, "\(request)")
            #expect(error.isUserCancellation == (code == 1001) && !error.explanation.isEmpty)
        }
    }

    @Test(arguments: [1001, 1005]) func immediateQuestionWithoutAPasskeyIsQuiet(code: Int) {
        let error = AuthorizationErrors.error(for: Self.system(code), of: .assertion(.immediate))
        #expect(error.code == .noPasskey && error.isUserCancellation)
    }

    @Test(arguments: [
        (1000, AuthError.Code.unexpected), (1001, .cancelled), (1002, .invalidResponse), (1003, .unexpected),
        (1005, .presentationUnavailable), (1006, .passkeyExists), (1009, .accountExists), (1010, .unsupportedProvider),
    ])
    func errorOfARegistrationHasAMeaning(code: Int, expected: AuthError.Code) {
        for request in Self.registrations {
            #expect(AuthorizationErrors.error(for: Self.system(code), of: request).code == expected)
        }
    }

    @Test(arguments: signIns + registrations) func missingAssociationIsAMistakeOfTheApp(request: Request) {
        for reason in [
            "Application with identifier A1.com.example.app is not associated with domain example.com",
            "Unable to verify webcredentials association of A1.com.example.app with domain example.com. Please try again.",
        ] {
            let error = AuthorizationErrors.error(for: Self.system(1004, reason), of: request)
            #expect(error.code == .misconfigured && !error.isUserCancellation)
            for word in ["webcredentials", "rp.id", "app-site-association.cdn-apple.com"] {
                #expect(error.explanation.contains(word))
            }
        }
    }

    @Test func failureWithoutAReasonNamesBothCauses() {
        let error = AuthorizationErrors.error(for: Self.system(1004), of: .assertion(.sheet))
        for word in ["webcredentials", "iCloud Keychain", "passcode"] { #expect(error.explanation.contains(word)) }
        // A password manager that makes none is no mistake of the app.
        #expect(
            AuthorizationErrors.error(for: Self.system(1004), of: .registration(.conditional)).code == .cancelled)
    }

    @Test func reasonOfAFailureDecides() {
        let busy = Self.system(1004, "Request already in progress for specified application identifier.")
        #expect(AuthorizationErrors.error(for: busy, of: .assertion(.sheet)).code == .presentationUnavailable)
        let off = Self.system(1004, "Cannot create a passkey. iCloud Keychain is off.")
        let error = AuthorizationErrors.error(for: off, of: .registration(.sheet))
        #expect(error.code == .unsupportedProvider && error.explanation.contains("passcode"))
    }

    @Test func deviceWithoutAPasscodeSaysWhatToDo() {
        let error = AuthorizationErrors.error(for: Self.system(1010), of: .registration(.sheet))
        for word in ["passcode", "iCloud Keychain"] { #expect(error.explanation.contains(word)) }
    }

    @Test func accountByAppleIsNamed() {
        let error = AuthorizationErrors.error(for: Self.system(1009), of: .registration(.sheet))
        #expect(error.explanation.contains("signIn(with: .apple)"))
    }

    /// The table of Sign in with Apple is another.
    @Test(arguments: [1006, 1007, 1008, 1009, 1010]) func passkeyErrorOfAnAppleSheetIsUnexpected(code: Int) {
        #expect(AuthorizationErrors.error(for: Self.system(code), of: .appleID).code == .unexpected)
    }

    @Test func appWithoutTheAssociatedDomainIsTold() async {
        let phone = PasskeyPhone()
        AppleDevice.Passkeys.associatedDomains = ["example.org"]
        for mediation in [SignInMethod.Kind.sheet, .immediate, .conditional] {
            #expect(await phone.begin(mediation).value.code == .misconfigured)
        }
        for mediation in [SignInMethod.Kind.sheet, .conditional] {
            #expect(await phone.beginRegistration(mediation).value.code == .misconfigured)
        }
    }

    @Test func excludedPasskeyIsThereAlready() async throws {
        let phone = PasskeyPhone()
        var options = phone.creationOptions
        options.excludeCredentials = [try phone.holdPasskey().descriptor]
        let attempt = phone.beginRegistration(.sheet, options)
        await AppleDevice.Passkeys.nextRequest().approve()
        #expect(await attempt.value.code == .passkeyExists)
        #expect(phone.authenticator.passkeys.count == 1)
    }

    @Test func appWithoutAWindowIsToldSo() async {
        let phone = PasskeyPhone()
        AppleDevice.App.disconnect(phone.scene)
        #expect(await phone.begin().value.code == .presentationUnavailable)
    }
}
