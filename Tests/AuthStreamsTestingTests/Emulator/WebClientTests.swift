import AuthStreams
import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// What a client in a browser needs, or one that knows the emulator by another of its names.
@Suite(.limitedParallelization) struct WebClientTests {
    private static let site = ("Origin", "https://site.example")

    /// An answer as it came over the network, with the names of its fields in lower case.
    private struct Answer {
        let status: Int
        let fields: [String: String]
        let body: String

        init(
            to method: String, _ path: String, _ fields: [(String, String)] = [], from emulator: Emulator,
            at address: LoopbackAddress = .ipv4, as name: String? = nil
        ) async throws {
            let port = UInt16(try #require(emulator.baseURL.port))
            let head = [("Host", "\(name ?? address.host):\(port)"), ("Connection", "close")] + fields
            let text = try await RawClient.exchange(
                "\(method) \(path) HTTP/1.1\r\n" + head.map { "\($0): \($1)\r\n" }.joined() + "\r\n", at: address,
                port: port)
            let end = try #require(text.range(of: "\r\n\r\n"))
            let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
            status = try #require(Int(lines[0].split(separator: " ")[1]))
            let named = lines.dropFirst().map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
            }
            self.fields = Dictionary(named, uniquingKeysWith: { "\($0), \($1)" })
            body = String(text[end.upperBound...])
        }
    }

    /// Also where production refuses it.
    @Test func preflightIsNoRequestOfTheApp() async throws {
        try await withEmulator { emulator in
            emulator.inject(.status(503), at: .naverToken)
            let asked = [Self.site, ("Access-Control-Request-Method", "POST")]
            let answer = try await Answer(to: "OPTIONS", "/nid.naver.com/oauth2.0/token", asked, from: emulator)
            #expect(answer.status == 204 && answer.fields["access-control-allow-origin"] == nil)
            #expect(emulator.journal.entries.isEmpty)
            let first = try await Answer(to: "POST", "/nid.naver.com/oauth2.0/token", from: emulator)
            #expect(first.status == 503)
        }
    }

    @Test func preflightIsAnsweredAndTakesNoFault() async throws {
        try await withEmulator { emulator in
            emulator.inject(.status(503), at: .kakaoToken)
            let asked = [
                Self.site, ("Access-Control-Request-Method", "POST"),
                ("Access-Control-Request-Headers", "authorization, x-client-version"),
                ("Access-Control-Request-Private-Network", "true"),
            ]
            let answer = try await Answer(to: "OPTIONS", "/kauth.kakao.com/oauth/token", asked, from: emulator)
            #expect(answer.status == 204)
            #expect(answer.fields["access-control-allow-origin"] == "*")
            #expect(answer.fields["access-control-allow-methods"] == "POST")
            #expect(answer.fields["access-control-allow-headers"] == "authorization, x-client-version")
            #expect(answer.fields["access-control-allow-private-network"] == "true")
            #expect(emulator.journal.entries.isEmpty)
            let first = try await Answer(to: "POST", "/kauth.kakao.com/oauth/token", [Self.site], from: emulator)
            #expect(first.status == 503)
            #expect(first.fields["access-control-allow-origin"] == "*", "A script is told of an error, too.")
        }
    }

    /// Path, and whether a script of another origin may read the answer there.
    private static let addresses: [(String, Bool)] = [
        ("/kauth.kakao.com/.well-known/jwks.json", true),
        ("/www.googleapis.com/oauth2/v3/certs", true),
        ("/identitytoolkit.googleapis.com/v1/accounts:lookup", true),
        ("/api.example/auth/sign-in", true),
        ("/kauth.kakao.com/oauth/authorize?client_id=none", false),
        ("/appleid.apple.com/auth/token", false),
        ("/nid.naver.com/oauth2.0/token", false),
        ("/openapi.naver.com/v1/nid/me", false),
        ("/oauth2.googleapis.com/revoke", false),
        ("/app.example/apple", false),
        ("/", false),
    ]

    @Test func scriptsReadWhatProductionShowsThem() async throws {
        try await withEmulator { emulator in
            for (path, isReadable) in Self.addresses {
                let answer = try await Answer(to: "GET", path, [Self.site], from: emulator)
                #expect((answer.fields["access-control-allow-origin"] == "*") == isReadable, "\(path)")
                let preflight = [Self.site, ("Access-Control-Request-Method", "GET")]
                let allowed = try await Answer(to: "OPTIONS", path, preflight, from: emulator)
                // That of a page may be sent, and not read.
                let isPage = path.contains("/authorize")
                #expect(
                    (allowed.fields["access-control-allow-origin"] == "*") == (isReadable || isPage), "\(path)")
            }
        }
    }

    @Test func headIsGetWithoutABody() async throws {
        try await withEmulator { emulator in
            let path = "/accounts.google.com/.well-known/openid-configuration"
            let get = try await Answer(to: "GET", path, from: emulator)
            let head = try await Answer(to: "HEAD", path, from: emulator)
            #expect(get.status == 200 && !get.body.isEmpty)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.fields["content-length"] == get.fields["content-length"])
            #expect(emulator.journal.entries.map(\.method) == ["GET", "HEAD"])
            let token = try await Answer(to: "HEAD", "/oauth2.googleapis.com/token", from: emulator)
            #expect(token.status == 405 && token.fields["allow"] == "POST")
            let keys = try await Answer(to: "POST", "/kauth.kakao.com/.well-known/jwks.json", from: emulator)
            #expect(keys.status == 405 && keys.fields["allow"] == "GET, HEAD")
        }
    }

    @Test func unknownAddressIsJSONUnlessABrowserShowsIt() async throws {
        try await withEmulator { emulator in
            for path in ["/kapi.kakao.com/v9/nothing", "/elsewhere.example/", "/nothing"] {
                let script = try await Answer(to: "GET", path, [("Accept", "*/*")], from: emulator)
                #expect(script.status == 404 && script.fields["content-type"] == "application/problem+json", "\(path)")
                #expect(AuthJSON(json: Data(script.body.utf8))?.object?["status"] == 404, "\(path)")
                let page = try await Answer(
                    to: "GET", path, [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")], from: emulator)
                #expect(page.status == 404 && page.fields["content-type"]?.hasPrefix("text/html") == true, "\(path)")
            }
        }
    }

    // MARK: Names

    private static let hasIPv6 = (try? LoopbackServer.start(at: .ipv6) { _ in .html("") }) != nil

    @Test func issuerHasTheNameByWhichItIsAskedFor() async throws {
        var configuration = EmulatorConfiguration()
        configuration.allowedHosts = ["emulator.test:9100"]
        try await withEmulator(configuration) { emulator in
            let port = UInt16(try #require(emulator.baseURL.port))
            let path = "/accounts.google.com/.well-known/openid-configuration"
            func issuer(_ fields: [(String, String)]) async throws -> String? {
                let request = try #require(
                    LoopbackRequest(method: "GET", target: path, headers: fields, body: Data()))
                return AuthJSON(json: await emulator.router.respond(to: request).body)?.object?["issuer"]?.string
            }
            for host in ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)", "emulator.test:9100"] {
                #expect(try await issuer([("Host", host)]) == "http://\(host)/accounts.google.com")
            }
            #expect(try await issuer([]) == "http://127.0.0.1:\(port)/accounts.google.com")
        }
    }

    @Test(.enabled(if: hasIPv6, "This machine has no IPv6.")) func listensAtBothAddresses() async throws {
        try await withEmulator { emulator in
            for address in [LoopbackAddress.ipv4, .ipv6] {
                let answer = try await Answer(
                    to: "GET", "/kauth.kakao.com/.well-known/jwks.json", from: emulator, at: address)
                #expect(answer.status == 200)
            }
            // A port that is taken at one of them is taken.
            let port = UInt16(try #require(emulator.baseURL.port))
            #expect(throws: LoopbackServerError.portInUse(port)) {
                try LoopbackServer.startAtEachAddress(port: port) { _ in .html("") }
            }
        }
        let other = try LoopbackServer.start(at: .ipv6) { _ in .html("") }
        #expect(throws: LoopbackServerError.portInUse(other.port)) {
            try LoopbackServer.startAtEachAddress(port: other.port) { _ in .html("") }
        }
    }

    /// The page, the token and what the server checks name the emulator as the app does.
    @MainActor
    @Test(arguments: [ProviderID.apple, .google, .kakao, .naver])
    func personSignsInAtAnotherName(_ provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let port = try #require(emulator.baseURL.port)
            let base = try #require(URL(string: "http://localhost:\(port)"))
            let device = EmulatedDevice(at: base, backend: .server)
            let user = try await device.auth.signIn(with: provider).value.user
            #expect(user.providers.map(\.id) == [provider])
        }
    }

    /// A back end in a container may know the emulator by another name than the app.
    @Test func tokenCountsUnderEachName() {
        var configuration = EmulatorConfiguration()
        configuration.allowedHosts = ["Emulator.test:9100"]
        let authorities = EmulatorAuthorities(port: 9099, configuration)
        for name in ["127.0.0.1:9099", "localhost:9099", "[::1]:9099", "emulator.test:9100"] {
            #expect(authorities.serve("https://kauth.kakao.com", at: "http://\(name)/kauth.kakao.com"))
        }
        for url in [
            "https://kauth.kakao.com", "http://127.0.0.1:9098/kauth.kakao.com",
            "http://other.test:9099/kauth.kakao.com",
            "http://localhost:9099/kauth.kakao.com/", "https://localhost:9099/kauth.kakao.com",
        ] {
            #expect(!authorities.serve("https://kauth.kakao.com", at: url), "\(url)")
        }
    }
}
