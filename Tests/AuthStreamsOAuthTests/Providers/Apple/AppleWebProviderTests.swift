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
                == Credential.Profile(name: PersonName(givenName: "길동", familyName: "홍"), email: "me@example.com"))
        #expect(apple.recorder.steps == [.presenting, .exchanging])
        #expect(transport.requests.map(\.url.absoluteString) == ["https://appleid.apple.com/auth/keys"])
    }

    @Test(arguments: ["not JSON", "[]", #"{"name":7}"#, #"{"name":{"firstName":" "}}"#, "{", "", "null"])
    func brokenProfileLosesNoSignIn(user: String) async throws {
        let credential = try await AppleFixture(user: user).signIn()
        #expect(credential.userID == "1001" && credential.profile == nil)
    }

    @Test func audienceMayBeAnArray() async throws {
        #expect(try await AppleFixture(claims: ["aud": ["com.example.web"]]).signIn().userID == "1001")
    }

    @Test(
        arguments: [
            (["is_private_email": "true"], true), (["is_private_email": true, "email_verified": true], true),
            (["is_private_email": "false"], false), (["is_private_email": false], false),
            // Apple's own relay is one, whatever is said of it.
            (["email": "x7k2m9@privaterelay.appleid.com"], true), (["email": "X7@PrivateRelay.AppleID.com"], true),
            (["email": "x7@privaterelay.appleid.com", "is_private_email": "false"], true),
            (["email": "x7@private.icloud.com"], true), (["email": "x7@icloud.com"], nil),
            // Unknown is not 'no'.
            ([:], nil), (["email": .null], nil), (["is_private_email": 2], nil), (["is_private_email": "?"], nil),
            (["email": "x7@privaterelay.appleid.com.example"], nil), (["email": "privaterelay.appleid.com"], nil),
        ] as [([String: AuthJSON], Bool?)])
    func whetherTheAddressIsARelayIsToldByTheToken(claims: [String: AuthJSON], isPrivate: Bool?) async throws {
        let credential = try await AppleFixture(claims: claims).signIn()
        #expect(credential.userID == "1001" && credential.isPrivateEmail == isPrivate)
    }

    @Test func theAddressBesideTheTokenProvesNoRelay() async throws {
        let user = #"{"email":"x7k2m9@privaterelay.appleid.com"}"#
        #expect(try await AppleFixture(user: user).signIn().isPrivateEmail == nil)
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
