import AuthStreams
import AuthStreamsTesting
import TestSupport
import Testing

@testable import AuthStreamsOAuth

/// Apple's page and a relay by real HTTP against the emulator.
@MainActor
@Suite(.limitedParallelization, .enabled(if: Signatures.isAvailable, "This system verifies no signatures."))
struct AppleEndToEndTests {
    @Test func signInGivesATokenACodeAndTheFirstTimeProfile() async throws {
        try await EmulatedPhone.run { phone in
            let apple = try phone.apple()
            let first = try await phone.credential(apple)
            let claims = try #require(first.idToken.flatMap { JSONWebToken($0) }).claims
            #expect(claims["nonce"]?.string == first.rawNonce.map(AppleNonce.hashed))
            #expect(claims["sub"]?.string == first.userID && first.authorizationCode != nil)
            #expect(first.profile?.name?.givenName != nil)
            #expect(phone.steps.steps == [.presenting, .exchanging])

            let second = try await phone.credential(apple)
            #expect(second.userID == first.userID && second.profile == nil)
        }
    }

    @Test func cancelOnThePageIsThePersonsOwn() async throws {
        try await EmulatedPhone.run { phone in
            phone.browser.answers = [.deny]
            let error = try await phone.failure(try phone.apple())
            #expect(error.code == .cancelled && error.serverCode == "user_cancelled_authorize")
        }
    }
}
