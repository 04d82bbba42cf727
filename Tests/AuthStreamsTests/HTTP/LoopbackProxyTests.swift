import Foundation
import Testing

@testable import AuthStreams

@Suite struct LoopbackProxyTests {
    @Test(
        arguments: [
            ([:], nil), (["http_proxy": "http://p:1"], "http_proxy"), (["all_proxy": "http://p:1"], "all_proxy"),
            (["ALL_PROXY": "http://p:1"], "ALL_PROXY"), (["HTTP_PROXY": "http://p:1"], nil), (["http_proxy": ""], nil),
            (["https_proxy": "http://p:1"], nil),
            (["http_proxy": "http://p:1", "no_proxy": "*"], nil),
            (["http_proxy": "http://p:1", "no_proxy": "a.example, 127.0.0.1"], nil),
            (["http_proxy": "http://p:1", "NO_PROXY": "127.0.0.1,localhost"], nil),
            (["http_proxy": "http://p:1", "no_proxy": "localhost"], "http_proxy"),
            (["http_proxy": "http://p:1", "no_proxy": "", "NO_PROXY": "127.0.0.1"], "http_proxy"),
            (["http_proxy": "http://p:1", "no_proxy": "127.0.0.0/8"], "http_proxy"),
            (["http_proxy": "http://p:1", "no_proxy": "7.0.0.1"], "http_proxy"),
        ] as [([String: String], String?)])
    func plainHTTPForThisMachineWouldGoToAProxy(environment: [String: String], variable: String?) {
        let url = URL(literal: "http://127.0.0.1:8080/token")
        #expect(LoopbackProxy.variable(leadingAway: url, in: environment) == variable)
    }

    @Test(
        arguments: [
            ("http://127.0.0.1/", true), ("http://localhost:1/", true), ("HTTP://LOCALHOST/", true),
            ("http://[::1]/", true),
            ("https://127.0.0.1/", false), ("http://example.com/", false), ("http://127.0.0.1.example.com/", false),
        ])
    func onlyPlainHTTPForThisMachineIsMeant(url: String, isMeant: Bool) throws {
        let url = try #require(URL(string: url))
        #expect((LoopbackProxy.variable(leadingAway: url, in: ["http_proxy": "http://p:1"]) != nil) == isMeant)
    }

    @Test func theErrorNamesTheVariableAndTheWayOut() {
        let error = AuthError.leavesThisMachine(by: "http_proxy")
        #expect(error.code == .misconfigured)
        #expect(
            error.explanation.contains("http_proxy") && error.explanation.contains("no_proxy=127.0.0.1,localhost,::1"))
    }
}
