import AuthStreams
import AuthStreamsOAuth
import Foundation
import Testing

@Suite struct AuthorizationRequestTests {
    private let redirectURI = URL(literal: "com.example.app:/back")

    private func request(_ endpoint: StaticString = "https://a.example/authorize") -> AuthorizationRequest {
        AuthorizationRequest(endpoint: URL(literal: endpoint), clientID: "app", state: Secret("st+te"))
    }

    @Test func everythingIsEncodedStrictly() {
        var request = request()
        request.set("scope", "openid e-mail")
        #expect(
            request.url(redirectURI: redirectURI).absoluteString
                == "https://a.example/authorize?client_id=app&response_type=code&state=st%2Bte"
                + "&scope=openid%20e-mail&redirect_uri=com.example.app%3A%2Fback")
    }

    @Test func noParameterIsRepeated() {
        var request = request()
        request.set("prompt", "login")
        request.set("prompt", "consent")
        request.set("redirect_uri", "https://elsewhere.example")
        request.set("login_hint", "")
        let query = request.url(redirectURI: redirectURI).query() ?? ""
        let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
        #expect(names == ["client_id", "response_type", "state", "prompt", "redirect_uri"])
        #expect(query.contains("prompt=consent") && !query.contains("elsewhere"))
    }

    @Test func queryOfTheEndpointStays() {
        let url = request("https://a.example/authorize?tenant=1").url(redirectURI: redirectURI).absoluteString
        #expect(url.hasPrefix("https://a.example/authorize?tenant=1&client_id=app&"))
    }

    @Test func challengeGoesOutAndTheVerifierStays() {
        var request = request()
        let key = AuthorizationSecrets().proofKey
        request.challenge(with: key)
        let url = request.url(redirectURI: redirectURI).absoluteString
        #expect(url.contains("code_challenge=\(key.challenge)&code_challenge_method=S256"))
        #expect(!url.contains(key.verifier.reveal()))
    }
}
