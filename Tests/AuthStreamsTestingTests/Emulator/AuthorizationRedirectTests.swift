import Testing

@testable import AuthStreamsTesting

@Suite struct AuthorizationRedirectTests {
    @Test(arguments: [
        ("http://127.0.0.1/callback", "/callback"), ("http://127.0.0.1:1/callback?a=b", "/callback?a=b"),
        ("http://[::1]:65535", ""),
    ])
    func aLoopbackURIHasAnyPort(uri: String, path: String) {
        #expect(AuthorizationRedirect.loopbackPath(uri) == path)
    }

    @Test(arguments: [
        "https://127.0.0.1/", "http://localhost/", "http://127.0.0.1.evil.example/", "http://127.0.0.1@evil.example/",
        "http://127.0.0.1:80@evil.example/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/", "http://127.0.0.1:/",
        "http://127.0.0.1/#fragment", "http://127.0.0.10/", "",
    ])
    func everythingElseIsNoLoopbackURI(uri: String) {
        #expect(AuthorizationRedirect.loopbackPath(uri) == nil)
    }

    @Test func parametersAreAddedToWhatIsThere() {
        #expect(AuthorizationRedirect.adding([("code", "a b"), ("state", nil)], to: "app://x") == "app://x?code=a%20b")
        #expect(AuthorizationRedirect.adding([("code", "1")], to: "app://x?y=2") == "app://x?y=2&code=1")
        #expect(AuthorizationRedirect.adding([("code", "1")], to: "app://x", separator: "#") == "app://x#code=1")
    }
}
