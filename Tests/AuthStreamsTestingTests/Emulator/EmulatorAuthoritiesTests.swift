import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@Suite(.limitedParallelization) struct EmulatorAuthoritiesTests {
    private static func status(
        _ method: AuthHTTPRequest.Method, _ url: URL, _ headers: [HeaderName: String]
    ) async throws -> Int {
        let body = method == .post ? Data("user=1001&decision=approve".utf8) : nil
        let headers = headers.merging([.contentType: FormCoding.contentType]) { first, _ in first }
        return try await URLSessionTransport.untimed().send(AuthHTTPRequest(method, url, headers: headers, body: body))
            .status
    }

    @Test func requestForAnotherHostIsMisdirected() async throws {
        var configuration = EmulatorConfiguration()
        configuration.allowedHosts = ["Emulator.test:9100"]
        try await withEmulator(configuration) { emulator in
            let port = try #require(emulator.baseURL.port)
            let keys = emulator.url(for: "https://kauth.kakao.com/.well-known/jwks.json")
            for host in ["127.0.0.1:\(port)", "LOCALHOST:\(port)", "[::1]:\(port)", "emulator.TEST:9100"] {
                #expect(try await Self.status(.get, keys, ["host": host]) == 200, "\(host)")
            }
            let known = emulator.journal.entries.count
            for host in [
                "rebound.example:\(port)", "127.0.0.1:1", "127.0.0.1", "emulator.test", "127.0.0.1.example:\(port)",
            ] {
                for url in [keys, emulator.baseURL] {
                    #expect(try await Self.status(.get, url, ["host": host]) == 421, "\(host)")
                }
            }
            #expect(emulator.journal.entries.count == known)
        }
    }

    /// What a tunnel that takes https passes on. Under the emulator's own names there is no https.
    @Test func tunnelSaysThatItTakesHTTPS() async throws {
        var configuration = EmulatorConfiguration()
        configuration.allowedHosts = ["bookshelf.tunnel.example"]
        try await withEmulator(configuration) { emulator in
            let url = emulator.url(for: "https://kauth.kakao.com/.well-known/openid-configuration")
            let local = "127.0.0.1:\(emulator.baseURL.port ?? 0)"
            for (host, scheme, base) in [
                ("bookshelf.tunnel.example", "https", "https://bookshelf.tunnel.example"),
                ("bookshelf.tunnel.example", "http", "http://bookshelf.tunnel.example"),
                (local, "https", "http://\(local)"),
            ] {
                let request = AuthHTTPRequest(.get, url, headers: ["host": host, "x-forwarded-proto": scheme])
                let answer = try await URLSessionTransport.untimed().send(request)
                #expect(AuthJSON(json: answer.body)?["issuer"] == .string("\(base)/kauth.kakao.com"))
            }
            // The redirect URI of an app's server behind the same tunnel.
            let kakao = configuration.kakao
            let query = FormCoding.encode([
                ("client_id", kakao.restAPIKey), ("response_type", "code"),
                ("redirect_uri", "https://bookshelf.tunnel.example/app.example/kakao"),
            ])
            let page = emulator.url(for: "https://kauth.kakao.com/oauth/authorize?\(query)")
            #expect(try await Self.status(.get, page, ["host": "bookshelf.tunnel.example"]) == 200)
        }
    }

    /// Method and address of what only the emulator's own pages, and programs, may use.
    static let own: [(AuthHTTPRequest.Method, String)] = [
        (.get, "/"), (.get, "/emulator/control/appName"), (.post, "/kauth.kakao.com/emulator/consent"),
        (.post, "/talk-apps.kakao.com/emulator/code"),
        (.get, "/appleid.apple.com/emulator/account"), (.post, "/appleid.apple.com/emulator/account"),
        (.post, "/appleid.apple.com/emulator/sheet"), (.post, "/app.example/apple"),
    ]
    static let open: [(AuthHTTPRequest.Method, String)] = [
        (.post, "/kauth.kakao.com/oauth/token"), (.get, "/kauth.kakao.com/oauth/authorize"),
        (.post, "/securetoken.googleapis.com/v1/token"),
        (.post, "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp"),
        (.post, "/apple-relay.example/callback"), (.get, "/kauth.kakao.com/.well-known/jwks.json"),
    ]

    @Test func pagesOfOtherSitesHaveAccessToProductionsEndpointsAlone() async throws {
        try await withEmulator { emulator in
            let port = try #require(emulator.baseURL.port)
            for (isOwn, endpoints) in [(true, Self.own), (false, Self.open)] {
                for (method, path) in endpoints {
                    let url = try #require(URL(string: emulator.baseURL.absoluteString + path))
                    let status = try await Self.status(method, url, [:])
                    for origin in ["http://127.0.0.1:\(port)", "http://LOCALHOST:\(port)", "https://[::1]:\(port)"] {
                        #expect(try await Self.status(method, url, ["origin": origin]) == status, "\(path) \(origin)")
                    }
                    for origin in [
                        "http://site.example", "null", "http://127.0.0.1:1", "http://127.0.0.1", "127.0.0.1:\(port)",
                    ] {
                        let expected = isOwn ? 403 : status
                        #expect(try await Self.status(method, url, ["origin": origin]) == expected, "\(path) \(origin)")
                    }
                }
            }
        }
    }
}
