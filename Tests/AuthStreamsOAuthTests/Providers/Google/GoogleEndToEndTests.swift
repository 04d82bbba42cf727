import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import TestSupport
import Testing

/// Google by real HTTP against the emulator, which is as strict as Google.
@MainActor
@Suite(.limitedParallelization) struct GoogleEndToEndTests {
    @Test(arguments: [GoogleProvider.Redirect.loopback, .reversedClientID])
    func signInGivesAnIDTokenThatIsBoundToTheAttempt(redirect: GoogleProvider.Redirect) async throws {
        try await EmulatedPhone.run { phone in
            let credential = try await phone.credential(phone.google(redirect))
            let claims = try #require(credential.idToken.flatMap { JSONWebToken($0) }).claims
            #expect(claims["nonce"]?.string == credential.rawNonce?.reveal())
            #expect(claims["sub"]?.string == credential.userID && credential.accessToken != nil)
            #expect(phone.steps.steps == [.presenting, .exchanging])
        }
    }

    @Test func refusalOnThePageIsTold() async throws {
        try await EmulatedPhone.run { phone in
            phone.browser.answers = [.deny]
            let error = try await phone.failure(phone.google(.loopback))
            #expect(error.code == .accessDenied)
        }
    }

    @Test(
        arguments: [
            (.wrongNonce, .nonceMismatch), (.wrongAudience, .invalidIDToken), (.wrongIssuer, .issuerMismatch),
            (.expiredToken, .invalidIDToken), (.unsignedToken, .invalidIDToken), (.wrongSignature, .invalidIDToken),
        ] as [(EmulatorFault, AuthError.Code)])
    func badTokenIsRefused(fault: EmulatorFault, code: AuthError.Code) async throws {
        try await EmulatedPhone.run { phone in
            guard phone.emulator.signsTokens else { return }
            phone.emulator.inject(fault, at: "oauth2.googleapis.com/token")
            let error = try await phone.failure(phone.google(.loopback))
            #expect(error.code == code)
        }
    }
}
