import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLRequestTests {
    private let url = URL(literal: "https://api.example.com/notes?page=2")

    @Test func aRequestInFoundationsWordsIsTakenOverWhole() async throws {
        var plain = URLRequest(url: url)
        plain.httpMethod = "PATCH"
        plain.httpBody = Data("x".utf8)
        plain.timeoutInterval = 2.5
        plain.setValue("application/json", forHTTPHeaderField: "Accept")
        let api = TokenGuard(taking: "t1")
        let client = AuthorizedClient(APIAccess(to: [url], over: api), bearers: ScriptedBearers())
        #expect(try await client.data(for: AuthHTTPRequest(plain)).status == 200)
        let sent = try #require(api.requests.first)
        #expect(sent.method == .patch && sent.url == url && sent.body == Data("x".utf8))
        #expect(sent.timeout == .milliseconds(2500))
        #expect(sent.headers == [.accept: "application/json", .authorization: "Bearer t1"])
    }

    /// As much as an app's server may return, and not only as much as a provider does.
    @Test(arguments: [nil, 512]) func responseMayBeLarge(limit: Int?) async throws {
        let api = TokenGuard(taking: "kakao:1-1")
        let auth = AuthService(
            repository: CountingRepository(nil), providers: [ScriptedProvider(.kakao, userID: "1")],
            store: MemorySessionStore(), callbacks: CallbackRouter(), api: APIAccess(to: [url], over: api))
        _ = try await auth.signIn(with: .kakao).value
        if let limit {
            _ = try await auth.data(for: URLRequest(url: url), maximumResponseBytes: limit)
        } else {
            _ = try await auth.data(for: URLRequest(url: url))
        }
        #expect(api.requests.map(\.maximumResponseBytes) == [limit ?? 64 << 20])
    }

    @Test func aStreamForABodyIsRefused() {
        var plain = URLRequest(url: url)
        plain.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect(throws: AuthError.self) { try AuthHTTPRequest(plain) }
    }

    @Test(arguments: [
        (TimeInterval.infinity, Int64(Int32.max)), (1e300, Int64(Int32.max)), (.nan, 60), (-1, 60), (0, 60),
        (-.infinity, 60),
    ])
    func whatIsNoTimeLimitIsFoundationsOwn(interval: TimeInterval, seconds: Int64) throws {
        var plain = URLRequest(url: url)
        plain.timeoutInterval = interval
        #expect(try AuthHTTPRequest(plain).timeout == .seconds(seconds))
    }
}
