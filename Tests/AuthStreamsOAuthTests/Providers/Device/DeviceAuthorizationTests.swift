import AuthStreams
import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreamsOAuth

/// The device authorization request and its answer (RFC 8628 sections 3.1 and 3.2).
@Suite struct DeviceAuthorizationTests {
    @Test func requestAsksForTheScopesAndShowsTheCode() async throws {
        var fixture = DeviceFixture()
        fixture.scopes = ["read:user", "repo"]
        fixture.parameters = ["audience": "https://api.example", "empty": ""]
        let transport = fixture.transport()
        var request = fixture.request
        request.extraScopes = ["gist", "repo"]
        _ = try await fixture.signIn(transport, request)
        #expect(
            transport.forms == [
                ["client_id": "app", "scope": "read:user repo gist", "audience": "https://api.example"],
                [
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "app",
                    "device_code": "secret-device-code",
                ],
            ])
        // GitHub answers with a form unless it is asked for JSON.
        #expect(transport.requests.allSatisfy { $0.headers[.accept] == "application/json" && $0.method == .post })
        let code = UserCode(
            code: "WDJB-MJHT", verificationURI: URL(literal: "https://id.example/device"),
            verificationURIComplete: URL(literal: "https://id.example/device?user_code=WDJB-MJHT"),
            expiresIn: .seconds(900))
        #expect(fixture.shown.withLock { $0 } == [code])
    }

    /// Google's spelling, without the address that has the code in it.
    @Test func verificationURLIsTaken() async throws {
        var fixture = DeviceFixture()
        fixture.codes = [
            "verification_uri": .null, "verification_uri_complete": .null,
            "verification_url": "https://www.google.com/device", "expires_in": 1800,
        ]
        _ = try await fixture.signIn()
        let shown = try #require(fixture.shown.withLock { $0.first })
        #expect(shown.verificationURI.absoluteString == "https://www.google.com/device")
        #expect(shown.verificationURIComplete == nil && shown.expiresIn == .seconds(1800))
    }

    @Test func serverOnThisMachineMayNameAPageWithoutHTTPS() async throws {
        var fixture = DeviceFixture()
        fixture.metadata.deviceAuthorizationEndpoint = URL(literal: "http://127.0.0.1:8080/device")
        fixture.codes = ["verification_uri": "http://127.0.0.1:8080/enter", "verification_uri_complete": .null]
        _ = try await fixture.signIn()
        #expect(fixture.shown.withLock { $0.first?.verificationURI.port } == 8080)
    }

    @Test(
        arguments: [
            ("device_code", .null), ("device_code", ""), ("device_code", 7), ("device_code", "a\nb"),
            ("user_code", .null), ("user_code", ""), ("user_code", " "), ("user_code", ["WDJB"]),
            ("user_code", .string(String(repeating: "A", count: 65))),
            ("verification_uri", .null), ("verification_uri", ""), ("verification_uri", 7),
            ("verification_uri", "http://id.example/device"), ("verification_uri", "http://127.0.0.1/device"),
            ("verification_uri", "https://id.example@evil.example/"), ("verification_uri", "javascript:alert(1)"),
            ("verification_uri", "/device"),
            ("expires_in", .null), ("expires_in", 0), ("expires_in", -1), ("expires_in", 86_401),
            ("expires_in", .number(1e300)), ("expires_in", "soon"), ("interval", -1), ("interval", 3601),
            ("interval", .number(1e300)), ("interval", "often"), ("interval", []),
        ] as [(String, AuthJSON)])
    func answerThatCannotBeUsedNamesTheMember(name: String, value: AuthJSON) async throws {
        var fixture = DeviceFixture()
        fixture.codes = [name: value]
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .invalidResponse && error.explanation.contains(name))
        #expect(fixture.shown.withLock { $0.isEmpty } && fixture.seconds.isEmpty)
        expectNoLeak(of: ["secret-device-code", "WDJB-MJHT"], in: error)
    }

    /// The person can do without it.
    @Test(
        arguments: [
            "http://id.example/device", "https://me:pw@id.example/", "javascript:alert(1)", "/device", "", 7, [],
        ] as [AuthJSON])
    func pageWithTheCodeThatCannotBeUsedIsNotShown(value: AuthJSON) async throws {
        var fixture = DeviceFixture()
        fixture.codes = ["verification_uri_complete": value]
        let warnings = Lock([AuthError]())
        var request = fixture.request
        request.onWarning = { error in warnings.withLock { $0.append(error) } }
        _ = try await fixture.signIn(nil, request)
        let shown = try #require(fixture.shown.withLock { $0.first })
        #expect(shown.code == "WDJB-MJHT" && shown.verificationURIComplete == nil)
        let warning = try #require(warnings.withLock { $0.first })
        #expect(warning.code == .invalidResponse && warning.explanation.contains("verification_uri_complete"))
        #expect(warning.provider == "tv" && warning.step == .presenting)
    }

    @Test(arguments: ["", "<html>", "[]", #"{"device_code":"#])
    func answerThatIsNoObjectNamesTheEndpoint(body: String) async throws {
        var fixture = DeviceFixture()
        fixture.refusal = .text(body)
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .invalidResponse && error.explanation.contains("device authorization endpoint"))
    }

    /// The person was not asked, so no refusal looks like theirs.
    @Test(
        arguments: [
            (400, #"{"error":"invalid_client"}"#, .misconfigured, "invalid_client"),
            (400, #"{"error":"unauthorized_client"}"#, .misconfigured, "unauthorized_client"),
            (400, #"{"error":"invalid_scope"}"#, .misconfigured, "invalid_scope"),
            (403, #"{"error":"access_denied"}"#, .misconfigured, "access_denied"),
            (400, #"{"error":"device_flow_disabled"}"#, .misconfigured, "device_flow_disabled"),
            (403, #"{"error_code":"rate_limit_exceeded"}"#, .rateLimited, "rate_limit_exceeded"),
            (429, "", .rateLimited, nil), (503, "", .server, nil), (404, "", .invalidResponse, nil),
        ] as [(Int, String, AuthError.Code, String?)])
    func refusedRequestShowsNoCode(status: Int, body: String, code: AuthError.Code, word: String?) async throws {
        var fixture = DeviceFixture()
        fixture.refusal = .text(body, status: status)
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == code && error.serverCode == word && error.step == .presenting)
        #expect(fixture.shown.withLock { $0.isEmpty } && fixture.seconds.isEmpty)
    }

    @Test func serverWithoutTheEndpointIsNamed() async throws {
        var fixture = DeviceFixture()
        fixture.metadata.deviceAuthorizationEndpoint = nil
        let error = try #require(await #expect(throws: AuthError.self) { try await fixture.signIn() })
        #expect(error.code == .misconfigured && error.explanation.contains("device_authorization_endpoint"))
    }

    @Test(
        arguments: [
            (.basic(Secret("s3cret")), nil, "Basic YXBwOnMzY3JldA=="), (.post(Secret("s3cret")), "s3cret", nil),
        ] as [(ClientAuthentication, String?, String?)])
    func clientProvesWhoItIsToBothEndpoints(
        authentication: ClientAuthentication, secret: String?, field: String?
    ) async throws {
        var fixture = DeviceFixture()
        fixture.authentication = authentication
        let transport = fixture.transport()
        _ = try await fixture.signIn(transport)
        #expect(transport.forms.map { $0["client_secret"] } == [secret, secret])
        #expect(transport.requests.map { $0.headers[.authorization] } == [field, field])
        // Section 3.1: the device authorization request names the client in any case.
        #expect(transport.forms.first?["client_id"] == "app")
    }

    /// RFC 7523 section 3: a token is accepted once.
    @Test func clientSignsATokenForEachRequest() async throws {
        let requests = Lock<[URL]>([])
        var fixture = DeviceFixture()
        fixture.authentication = .privateKeyJWT { request in
            let count = requests.withLock {
                $0.append(request.endpoint)
                return $0.count
            }
            return Secret("assertion-\(count)")
        }
        fixture.answers = [.error("authorization_pending"), .tokens]
        let transport = fixture.transport()
        _ = try await fixture.signIn(transport)
        #expect(transport.forms.map { $0["client_assertion"] } == ["assertion-1", "assertion-2", "assertion-3"])
        #expect(requests.withLock { $0.map { $0.path() } } == ["/device", "/token", "/token"])
    }
}
