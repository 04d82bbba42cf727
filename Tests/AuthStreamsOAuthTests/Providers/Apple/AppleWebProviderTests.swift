import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// Sign-ins that end well. Their tokens come through the browser, so the system must verify signatures.
@Suite(.enabled(if: Signatures.isAvailable, "This system verifies no signatures."))
struct AppleWebProviderTests {
    @Test func signInHandsOverTokenCodeNonceAndProfile() async throws {
        var apple = AppleFixture()
        apple.user = #"{"name":{"firstName":"길동","lastName":"홍"},"email":"me@example.com"}"#
        let transport = apple.transport
        let credential = try await apple.signIn(transport: transport)

        #expect(credential.provider == .apple && credential.userID == "1001")
        #expect(credential.rawNonce == apple.secrets.nonce && credential.idToken != nil)
        #expect(
            credential.authorizationCode
                == Credential.AuthorizationCode(code: Secret("secret-code"), redirectURI: apple.relayURL))
        #expect(
            credential.profile
                == Credential.Profile(givenName: "길동", familyName: "홍", email: "me@example.com"))
        #expect(apple.recorder.steps == [.presenting, .exchanging])
        #expect(transport.requests.map(\.url.absoluteString) == ["https://appleid.apple.com/auth/keys"])
    }

    @Test(arguments: ["not JSON", "[]", #"{"name":7}"#, #"{"name":{"firstName":""}}"#, "{", "", "null"])
    func brokenProfileLosesNoSignIn(user: String) async throws {
        let credential = try await AppleFixture(user: user).signIn()
        #expect(credential.userID == "1001" && credential.profile == nil)
    }

    @Test func audienceMayBeAnArray() async throws {
        #expect(try await AppleFixture(claims: ["aud": ["com.example.web"]]).signIn().userID == "1001")
    }

    @Test func flagsMayBeBooleansToo() async throws {
        let claims: [String: JSONValue] = ["email_verified": true, "is_private_email": "false"]
        #expect(try await AppleFixture(claims: claims).signIn().userID == "1001")
    }

    @Test func tokenSignedByAnotherIsRefused() async {
        let apple = AppleFixture()
        let transport = ScriptedTransport { _ in
            var stranger = SignedTokens.rsaKey.object ?? [:]
            stranger["n"] = .string("A" + (stranger["n"]?.string ?? "").dropFirst())
            return try SignedTokens.keys([.object(stranger)])
        }
        let error = await #expect(throws: AuthError.self) { try await apple.signIn(transport: transport) }
        #expect(error?.code == .invalidIDToken)
    }
}
