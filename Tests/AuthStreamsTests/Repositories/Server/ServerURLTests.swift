import AuthStreams
import Foundation
import Testing

/// The URL of an endpoint: the base URL, the path and its query, as they are written.
@Suite struct ServerURLTests {
    private typealias Fixture = ServerFixture

    /// The repository of a server that refreshes there.
    private func repository(
        _ base: String, _ path: String, _ transport: AnsweringTransport
    ) throws -> ServerRepository {
        var contract = ServerContract()
        contract.refresh.path = path
        return Fixture.repository(transport, at: try #require(URL(string: base)), contract)
    }

    @Test(arguments: [
        ("https://x.example/v1", "auth/login", "https://x.example/v1/auth/login"),
        ("https://x.example/v1/", "/auth/login", "https://x.example/v1/auth/login"),
        ("https://x.example", "auth/login", "https://x.example/auth/login"),
        ("https://x.example/", "/auth/login", "https://x.example/auth/login"),
        ("https://x.example:8443/a%20b", "auth", "https://x.example:8443/a%20b/auth"),
        ("https://x.example/v1", "auth/login/", "https://x.example/v1/auth/login/"),
        ("https://x.example/v1", "auth//login", "https://x.example/v1/auth//login"),
        ("https://x.example", "//auth", "https://x.example//auth"),
        ("https://x.example/v1", "login?client=ios", "https://x.example/v1/login?client=ios"),
        ("https://x.example/v1", "login/?client=ios&b=a+b", "https://x.example/v1/login/?client=ios&b=a+b"),
        ("https://x.example/v1", "login?", "https://x.example/v1/login?"),
        ("https://x.example/v1", "login?a=/?b", "https://x.example/v1/login?a=/?b"),
        ("https://x.example/v1?key=1", "login", "https://x.example/v1/login?key=1"),
        ("https://x.example/v1/?key=1", "login/?a=%26", "https://x.example/v1/login/?key=1&a=%26"),
        ("https://x.example?key=1", "login?", "https://x.example/login?key=1"),
        ("https://x.example/v1", "a%2Fb/c%3f", "https://x.example/v1/a%2Fb/c%3f"),
        ("https://x.example/v1", "a b/로그인", "https://x.example/v1/a%20b/%EB%A1%9C%EA%B7%B8%EC%9D%B8"),
        ("https://x.example/v1", "a?b=로 c", "https://x.example/v1/a?b=%EB%A1%9C%20c"),
        ("https://x.example/v1", "accounts:refresh;v=1", "https://x.example/v1/accounts:refresh;v=1"),
        ("https://x.example/v1", #"a[0]\b"c""#, "https://x.example/v1/a%5B0%5D%5Cb%22c%22"),
        ("https://x.example/v1", ".well-known/a..b/...", "https://x.example/v1/.well-known/a..b/..."),
        ("https://x.example/v1", "a?next=../b", "https://x.example/v1/a?next=../b"),
        ("https://x.example/v1", "a?\u{301}b", "https://x.example/v1/a?%CC%81b"),
        ("http://[::1]:8080/v1", "a/", "http://[::1]:8080/v1/a/"),
    ])
    func pathAndQueryAreSentAsTheyAreWritten(base: String, path: String, url: String) async throws {
        let transport = AnsweringTransport([Fixture.signedIn])
        _ = try await repository(base, path, transport).refresh(Fixture.session)
        #expect(transport.requests.map(\.url.absoluteString) == [url])
    }

    @Test(arguments: [
        ("https://x.example/v1#a", "login", "base URL", "'#'"),
        ("https://x.example/../v1", "login", "base URL", "'..'"),
        ("https://x.example/v1/%2e%2E/", "login", "base URL", "'..'"),
        ("https://x.example/v1", "login#a", "'login'", "'#'"),
        ("https://x.example/v1", "login?key=S3CRET#a", "'login'", "'#'"),
        ("https://x.example/v1", "../login", "'../login'", "'..'"),
        ("https://x.example/v1", "a/./login", "'a/./login'", "'.'"),
        ("https://x.example/v1", "a/..", "'a/..'", "'..'"),
        ("https://x.example/v1", "a/%2e%2e/login", "'a/%2e%2e/login'", "'..'"),
        ("https://x.example/v1", "a/.%2E?key=S3CRET", "'a/.%2E'", "'..'"),
        ("https://x.example/v1", "https://y.example/S3CRET", "path", "whole URL"),
        ("https://x.example/v1", "HTTP://y.example", "path", "whole URL"),
        ("https://x.example/v1", "100%", "'100%'", "'%'"), ("https://x.example/v1", "a%2/b", "'a%2/b'", "'%'"),
        ("https://x.example/v1", "a%zz", "'a%zz'", "'%'"),
        ("https://x.example/v1", "a?key=S3CRET%", "'a'", "'%'"),
    ])
    func whatWouldNotArriveAsItIsWrittenIsNotSent(
        base: String, path: String, part: String, what: String
    ) async throws {
        let repository = try repository(base, path, AnsweringTransport([]))
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.refresh(Fixture.session)
        }
        #expect(error.code == .misconfigured)
        #expect(error.explanation.contains(part) && error.explanation.contains(what))
        // A query may have a key.
        #expect(!error.explanation.contains("S3CRET"))
    }

    @Test(arguments: [
        ("auth/{provider}/login/", "kakao", "auth/kakao/login/"),
        ("login?provider={provider}", "kakao", "login?provider=kakao"),
        ("{provider}?p={provider}", "a b", "a%20b?p=a%20b"), ("a/{provider}", "x/../y", "a/x%2F..%2Fy"),
        ("a?p={provider}&b=1", "x&p=y+z#?", "a?p=x%26p%3Dy%2Bz%23%3F&b=1"), ("a/{provider}", "%2e%2e", "a/%252e%252e"),
        ("a/{provider}", "카카오", "a/%EC%B9%B4%EC%B9%B4%EC%98%A4"), ("a/v1-{provider}/b", "x.y_z~", "a/v1-x.y_z~/b"),
        ("a/{provider}", "{provider}", "a/%7Bprovider%7D"),
    ])
    func aProvidersNameIsOneComponentOrOneValue(path: String, name: String, sent: String) async throws {
        var contract = ServerContract()
        contract.signIn.path = path
        contract.providerNames = [.google: name]
        let transport = AnsweringTransport([Fixture.signedIn])
        _ = try await Fixture.repository(transport, contract).signIn(with: Fixture.credential)
        #expect(transport.requests.map(\.url.absoluteString) == ["https://api.example.com/v1/\(sent)"])
        #expect(transport.requests.first?.json?["provider"] == nil)
    }

    @Test(arguments: ["a/{provider}.", "a/.{provider}"]) func aNameMakesNoDotSegment(path: String) async throws {
        var contract = ServerContract()
        contract.signIn.path = path
        contract.providerNames = [.google: "."]
        let repository = Fixture.repository(AnsweringTransport([]), contract)
        let error = try await serverFailure { () throws(AuthError) in
            try await repository.signIn(with: Fixture.credential)
        }
        #expect(error.code == .unsupportedProvider)
    }
}
