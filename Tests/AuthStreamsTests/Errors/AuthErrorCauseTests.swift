import AuthStreams
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct AuthErrorCauseTests {
    private enum Numbered: Error {
        case first
        case second(token: String)
    }

    private struct Document: Decodable {
        struct User: Decodable { var localId: String }
        var users: [User]
    }

    @Test func urlErrorKeepsDomainCodeAndTheURLWithoutItsQuery() throws {
        let url = try #require(URL(string: "https://me:pw@id.example:8443/token/v1?code=abc#frag"))
        let cause = AuthError.Cause(scrubbing: URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url]))
        #expect(cause.domain == NSURLErrorDomain && cause.code == -1001)
        #expect(cause.url == "https://id.example:8443/token/v1")
        #expect(cause.description == "NSURLErrorDomain -1001 https://id.example:8443/token/v1")
    }

    @Test func enumKeepsItsCaseAndNothingItCarries() {
        let cause = AuthError.Cause(scrubbing: Numbered.second(token: "abc"))
        #expect(cause.domain.hasSuffix("Numbered") && cause.url == nil && cause.codingPath == nil)
        #expect(cause.code != AuthError.Cause(scrubbing: Numbered.first).code)
        #expect(cause == AuthError.Cause(scrubbing: Numbered.second(token: "xyz")))
    }

    @Test(arguments: [
        (#"{"users": [{"localId": 5}]}"#, "users.0.localId"),
        (#"{"users": [{"localId": "a"}, {}]}"#, "users.1.localId"),
        (#"{"users": null}"#, "users"), (#"{}"#, "users"), ("<html>", ""),
    ])
    func decodingErrorKeepsThePlaceAndNothingThatStoodThere(json: String, path: String) throws {
        let error = try #require(
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Document.self, from: Data(json.utf8))
            })
        #expect(AuthError.Cause(scrubbing: error).codingPath == path)
    }

    @Test(arguments: [
        ("https://id.example/a/b?x=1#y", "https://id.example/a/b"), ("https://id.example", "https://id.example"),
        ("http://127.0.0.1:8080/?code=c", "http://127.0.0.1:8080/"), ("kakaoabc://oauth?code=c", "kakaoabc://oauth"),
        ("com.example.app:/callback?code=c", "com.example.app:/callback"),
        ("com.example.app:code=c", "com.example.app:"),
        ("data:text/html,secret", "data:"), ("/relative?code=c", "/relative"), ("code=c", ""),
    ])
    func scrubbedURLIsSchemeHostAndPath(url: String, scrubbed: String) throws {
        #expect(AuthError.scrubbed(try #require(URL(string: url))) == scrubbed)
    }
}
