import AuthStreams
import Foundation
import Testing

@testable import AuthStreamsOAuth

@Suite struct AppleWebFailureTests {
    private func failure(
        _ apple: AppleFixture, agent: ScriptedAgent? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> AuthError? {
        let error = await #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
            try await apple.signIn(agent: agent)
        }
        if let error { expectNoLeak(of: apple.hidden, in: error, sourceLocation: sourceLocation) }
        #expect(error?.provider == .apple, sourceLocation: sourceLocation)
        return error
    }

    @Test func pageIsAskedForAPostToTheRelayWithTheHashedNonce() async throws {
        let apple = AppleFixture(fields: { ["error": "user_cancelled_authorize", "state": $0] })
        let agent = apple.agent
        let error = await failure(apple, agent: agent)
        #expect(error?.code == .cancelled && error?.isUserCancellation == true && error?.step == .presenting)
        #expect(
            await agent.pages == [
                [
                    "client_id": "com.example.web", "response_type": "code id_token", "response_mode": "form_post",
                    "scope": "name email", "redirect_uri": "https://server.example/apple",
                    "state": apple.secrets.state.reveal(), "nonce": apple.hashedNonce,
                ]
            ])
    }

    @Test func nonceIsHashedAsAppleHasIt() {
        // FIPS 180-2 appendix B.1.
        #expect(
            AppleNonce.hashed(Secret("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test(arguments: [
        ("http://server.example/apple", "com.example.app:/apple"), ("com.example.app:/relay", "com.example.app:/apple"),
        ("https://server.example/apple#x", "com.example.app:/apple"), ("https://s.example/", "http://app.example/back"),
        ("https://s.example/", "/apple"),
    ])
    func addressesThatLeakAreRefusedBeforeAnythingIsShown(relay: String, callback: String) async throws {
        let apple = AppleFixture(
            relayURL: try #require(URL(string: relay)), callbackURL: try #require(URL(string: callback)))
        let agent = apple.agent
        #expect(await failure(apple, agent: agent)?.code == .misconfigured)
        #expect(await agent.pages.isEmpty)
    }

    @Test func plainRelayIsForThisMachineAlone() async {
        var apple = AppleFixture(fields: { ["error": "user_cancelled_authorize", "state": $0] })
        apple.relayURL = URL(literal: "http://127.0.0.1:9099/relay")
        #expect(await failure(apple)?.code == .cancelled)
    }

    @Test func answerOfAnotherAttemptIsRefused() async {
        let apple = AppleFixture(fields: { _ in ["code": "secret-code", "id_token": "a.b.c", "state": "other"] })
        #expect(await failure(apple)?.code == .stateMismatch)
    }

    @Test func relayThatDropsAFieldIsExplained() async {
        let apple = AppleFixture(fields: { ["code": "secret-code", "state": $0] })
        let error = await failure(apple)
        #expect(error?.code == .invalidResponse && error?.explanation.contains("relay") == true)
        #expect(await failure(AppleFixture(fields: { ["id_token": "a", "state": $0] }))?.code == .invalidResponse)
    }

    @Test(
        arguments: [
            (["nonce": "of another attempt"], .nonceMismatch), (["nonce": .null], .nonceMismatch),
            (["iss": "https://account.apple.com"], .issuerMismatch), (["aud": "com.example.app"], .invalidIDToken),
            (["aud": ["com.example.web", "other"], "azp": "com.example.web"], .invalidIDToken),
            (["exp": 1_799_999_000, "iat": 1_799_990_000], .invalidIDToken), (["c_hash": "other"], .invalidIDToken),
            (["c_hash": .null], .invalidIDToken),
        ] as [([String: AuthJSON], AuthError.Code)])
    func tokenOfAnotherIsRefused(claims: [String: AuthJSON], code: AuthError.Code) async {
        let error = await failure(AppleFixture(claims: claims))
        #expect(error?.code == code && error?.step == .exchanging)
    }

    @Test func rawNonceInTheTokenIsRefused() async {
        var apple = AppleFixture()
        apple.claims = ["nonce": .string(apple.secrets.nonce.reveal())]
        #expect(await failure(apple)?.code == .nonceMismatch)
    }

    @Test func tokenThroughTheBrowserIsNotTrustedUnverified() async {
        let error = await failure(AppleFixture(canVerify: false))
        #expect(error?.code == .misconfigured && error?.explanation.contains("libcrypto") == true)
    }

    @Test(
        arguments: [
            (#"{"name":{"firstName":"A","lastName":"B"},"email":"e"}"#, "A", "B", "e"),
            (#"{"name":{"firstName":"A"}}"#, "A", nil, nil), (#"{"email":"e","name":null}"#, nil, nil, "e"),
            (#"{"name":{"firstName":7,"lastName":" 홍\u0000\n"},"email":""}"#, nil, "홍", nil),
        ] as [(String, String?, String?, String?)])
    func profileIsWhateverCanBeRead(json: String, given: String?, family: String?, email: String?) {
        #expect(
            AppleProfile.parse(json)
                == Credential.Profile(name: PersonName(givenName: given, familyName: family), email: email))
    }

    @Test func emulatorDiffersByBaseAlone() {
        let endpoints = AppleWebProvider.Endpoints.emulator(at: URL(literal: "http://127.0.0.1:9099"))
        #expect(endpoints.issuer == "http://127.0.0.1:9099/appleid.apple.com")
        #expect(endpoints.authorization.absoluteString == "http://127.0.0.1:9099/appleid.apple.com/auth/authorize")
        #expect(endpoints.keys.absoluteString == "http://127.0.0.1:9099/appleid.apple.com/auth/keys")
    }
}
