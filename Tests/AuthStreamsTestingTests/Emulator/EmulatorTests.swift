import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@Suite(.limitedParallelization) struct EmulatorTests {
    private static let discovery = "https://kauth.kakao.com/.well-known/openid-configuration"

    @Test func itServesWhileTheScopeLastsAndNotAfter() async throws {
        let emulator = try await withEmulator { emulator in
            let answer = try await Wire(emulator).get(Self.discovery)
            #expect(answer.status == 200)
            return emulator
        }
        // The port may be that of another test's emulator now.
        let request = AuthHTTPRequest(.get, emulator.url(for: Self.discovery))
        _ = try? await URLSessionTransport.untimed().send(request)
        #expect(emulator.journal.entries.count == 1)
    }

    @Test func theScopesValueAndErrorArePassedOn() async throws {
        struct Oops: Error {}
        #expect(try await withEmulator { _ in 42 } == 42)
        await #expect(throws: Oops.self) { try await withEmulator { _ in throw Oops() } }
    }

    @Test func aTakenPortIsAnErrorAndNotASilentOther() throws {
        let first = try Emulator.start()
        defer { first.stop() }
        let port = try #require(first.baseURL.port.flatMap(UInt16.init(exactly:)))
        #expect(throws: (any Error).self) { try Emulator.start(port: port) }
    }

    @Test func lettingGoOfItStopsIt() async throws {
        var emulator: Emulator? = try Emulator.start(port: .unsharedPort())
        weak let released = emulator
        let url = try #require(emulator?.url(for: Self.discovery))
        #expect(try await URLSessionTransport.untimed().send(AuthHTTPRequest(.get, url)).status == 200)
        emulator = nil
        #expect(released == nil)
        let transport = URLSessionTransport.untimed()
        await #expect(throws: AuthError.self) { try await transport.send(AuthHTTPRequest(.get, url)) }
    }

    @Test func twoEmulatorsKnowNothingOfEachOther() async throws {
        try await withEmulator { one in
            try await withEmulator { other in
                _ = try await Wire(one).get(Self.discovery)
                #expect(one.journal.entries.count == 1)
                #expect(other.journal.entries.isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("https://appleid.apple.com", "/.well-known/openid-configuration"),
        ("https://accounts.google.com", "/.well-known/openid-configuration"),
        ("https://kauth.kakao.com", "/.well-known/openid-configuration"),
    ])
    func everyEndpointOfADiscoveryIsServedHere(issuer: String, path: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let document = try #require(try await wire.get(issuer + path).json?.object)
            #expect(document["issuer"]?.string == emulator.url(for: issuer).absoluteString)
            for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
                let endpoint = try #require(document[name]?.string)
                #expect(endpoint.hasPrefix(emulator.baseURL.absoluteString + "/"))
                #expect(try await wire.get(endpoint).status != 404, "\(name)")
            }
            let keys = try await wire.get(try #require(document["jwks_uri"]?.string))
            #expect(keys.json?["keys"]?.array?.first?["kty"] == "RSA")
        }
    }

    @Test func theFrontPageNamesTheServices() async throws {
        try await withEmulator { emulator in
            let page = try await Wire(emulator).get(emulator.baseURL.absoluteString)
            for host in ["appleid.apple.com", "accounts.google.com", "kauth.kakao.com", "nid.naver.com"] {
                #expect(page.text.contains(host))
            }
        }
    }

    @Test(arguments: ["https://unknown.example/", "https://kauth.kakao.com/oauth/nothing"])
    func anUnknownAddressIsA404(url: String) async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).get(url)
            #expect(answer.status == 404)
        }
    }

    @Test func aTokenEndpointTakesNoGet() async throws {
        try await withEmulator { emulator in
            let answer = try await Wire(emulator).get("https://kauth.kakao.com/oauth/token")
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "POST")
        }
    }

    @Test func randomBytesDoNotStopIt() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            var generator = SystemRandomNumberGenerator()
            let endpoints = [
                "https://appleid.apple.com/auth/token", "https://oauth2.googleapis.com/token",
                "https://kauth.kakao.com/oauth/token", "https://nid.naver.com/oauth2.0/token",
                "https://kauth.kakao.com/emulator/consent", "https://talk-apps.kakao.com/emulator/code",
                "https://nid.naver.com/emulator/app-code", "https://apple-relay.example/callback",
                "https://kapi.kakao.com/v2/user/me",
            ]
            for endpoint in endpoints {
                for _ in 0..<5 {
                    let noise = String(
                        decoding: (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }, as: UTF8.self)
                    let names = [
                        "client_id", "client_secret", "grant_type", "code", "ticket", "decision", "user", "error",
                        "callback_scheme", "redirect_uri", "property_keys", noise,
                    ]
                    let form = Dictionary(uniqueKeysWithValues: Set(names).map { ($0, Optional(noise)) })
                    let answer = try await wire.post(endpoint, form, bearer: "noise")
                    #expect(answer.status < 500)
                }
            }
            #expect(try await wire.get(Self.discovery).status == 200)
        }
    }
}
