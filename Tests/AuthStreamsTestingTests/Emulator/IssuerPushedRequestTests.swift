import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsTesting

/// The emulated issuer's endpoint for pushed requests, over the wire (RFC 9126).
@Suite(.limitedParallelization) struct IssuerPushedRequestTests {
    private static let realm = "https://id.pulseboard.example/realms/main"
    private static let page = realm + "/protocol/openid-connect/auth"
    private static let endpoint = realm + "/protocol/openid-connect/ext/par/request"
    private static let request: [String: String?] = [
        "client_id": "pulseboard-app", "response_type": "code", "redirect_uri": "com.example.pulseboard:/callback",
        "scope": "openid email", "state": "state-1", "nonce": "nonce-1", "code_challenge": Pair.challenge,
        "code_challenge_method": "S256",
    ]

    private let clock = ManualClock()

    private func configuration(
        _ pushedRequests: EmulatorConfiguration.Issuer.PushedRequests = .supported
    ) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(at: clock)
        configuration.issuer.pushedRequests = pushedRequests
        return configuration
    }

    private static func push(_ wire: Wire, _ changes: [String: String?] = [:]) async throws -> AuthHTTPResponse {
        try await wire.post(endpoint, request.with(changes))
    }

    private static func open(
        _ uri: String?, _ wire: Wire, clientID: String = "pulseboard-app"
    ) async throws -> AuthHTTPResponse {
        try await wire.get(page, ["client_id": clientID, "request_uri": uri])
    }

    @Test func pageOfAPushedRequestAnswersAsOneWithParametersDoes() async throws {
        try await withEmulator(configuration()) { emulator in
            let wire = Wire(emulator)
            let answer = try await Self.push(wire)
            #expect(answer.status == 201 && answer.json?["expires_in"] == 60)
            #expect(answer.headers["Cache-Control"] == "no-store")
            let uri = try #require(answer["request_uri"])
            #expect(uri.hasPrefix("urn:ietf:params:oauth:request_uri:"))
            let callback = try await wire.approve(try await Self.open(uri, wire))
            #expect(callback.target == "com.example.pulseboard:/callback" && callback["state"] == "state-1")
            let tokens = try await wire.post(
                Self.realm + "/protocol/openid-connect/token",
                [
                    "grant_type": "authorization_code", "client_id": "pulseboard-app", "code": callback["code"],
                    "redirect_uri": callback.target, "code_verifier": Pair.verifier,
                ])
            #expect(try tokens.claims("id_token")["nonce"] == "nonce-1")
        }
    }

    @Test func requestURIOpensThePageOnce() async throws {
        try await withEmulator(configuration()) { emulator in
            let wire = Wire(emulator)
            let uris = [try await Self.push(wire)["request_uri"], try await Self.push(wire)["request_uri"]]
            #expect(uris[0] != uris[1])
            for uri in uris { #expect(try await Self.open(uri, wire).status == 200) }
            for uri in uris { #expect(try await Self.open(uri, wire).isDeadEnd) }
        }
    }

    @Test func requestURIThatIsNotValidOpensNoPage() async throws {
        try await withEmulator(configuration()) { emulator in
            let wire = Wire(emulator)
            #expect(try await Self.open("urn:ietf:params:oauth:request_uri:unknown", wire).isDeadEnd)
            let others = try await Self.push(wire)["request_uri"]
            #expect(try await Self.open(others, wire, clientID: "another-app").isDeadEnd)
            #expect(try await Self.open(others, wire).status == 200, "The client's own attempt is not disturbed.")
            let late = try await Self.push(wire)["request_uri"]
            clock.advance(by: .seconds(60))
            #expect(try await Self.open(late, wire).isDeadEnd)
        }
    }

    @Test(
        arguments: [
            (["client_id": "another-app"], 401, "invalid_client"),
            (["client_secret": "a secret of a public client"], 401, "invalid_client"),
            (["request_uri": "urn:ietf:params:oauth:request_uri:other"], 400, "invalid_request"),
            (["redirect_uri": "com.example.other:/callback"], 400, "invalid_request"),
            (["redirect_uri": nil], 400, "invalid_request"), (["code_challenge": nil], 400, "invalid_request"),
            (["response_type": "token"], 400, "unsupported_response_type"),
        ] as [([String: String?], Int, String)])
    func requestThatThePageWouldRefuseIsRefused(
        changes: [String: String?], status: Int, error: String
    ) async throws {
        try await withEmulator(configuration()) { emulator in
            let answer = try await Self.push(Wire(emulator), changes)
            #expect(answer.status == status && answer["error"] == error && answer["request_uri"] == nil)
        }
    }

    @Test func clientWithASecretProvesWhoItIs() async throws {
        var configuration = configuration()
        configuration.issuer.authentication = .basic(secret: "a:secret")
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            let pairs: [(String?, Int)] = [
                (nil, 401), ("pulseboard-app:another", 401), ("pulseboard-app:a:secret", 201),
                ("pulseboard-app:a%3Asecret", 201), ("another-app:a%3Asecret", 401),
            ]
            for (pair, status) in pairs {
                let field = pair.map { "Basic \(Data($0.utf8).base64EncodedString())" }
                let answer = try await wire.post(
                    Self.endpoint, Self.request, headers: field.map { [.authorization: $0] } ?? [:])
                #expect(answer.status == status, "\(pair ?? "none")")
                let mismatch = Refusal(try #require(emulator.router.journal.exchanges.last))?.mismatches.first
                #expect((mismatch == nil) == (status == 201))
                let found = mismatch.map { "\($0.sent ?? "") \($0.expected)" }
                if pair == nil { #expect(found == #"none ["client_secret_basic"]"#) }
                if pair == "pulseboard-app:another" { #expect(found == #"an… (7) ["a:secret"]"#) }
                if pair == "another-app:a%3Asecret" { #expect(found == #"another-app ["pulseboard-app"]"#) }
            }
        }
    }

    /// RFC 9126 section 5.
    @Test(
        arguments: [(.unsupported, nil, true), (.supported, false, true), (.required, true, false)]
            as [(EmulatorConfiguration.Issuer.PushedRequests, Bool?, Bool)])
    func metadataSayWhetherRequestsArePushed(
        support: EmulatorConfiguration.Issuer.PushedRequests, isRequired: Bool?, hasPageWithParameters: Bool
    ) async throws {
        try await withEmulator(configuration(support)) { emulator in
            let wire = Wire(emulator)
            let metadata = try #require(try await wire.get(Self.realm + "/.well-known/openid-configuration").json)
            let url = metadata["pushed_authorization_request_endpoint"]?.string
            #expect(url == (isRequired == nil ? nil : emulator.url(for: Self.endpoint).absoluteString))
            #expect(metadata["require_pushed_authorization_requests"] == isRequired.map { .bool($0) })
            #expect(try await Self.push(wire).status == (isRequired == nil ? 404 : 201))
            let page = try await wire.get(Self.page, Self.request)
            if hasPageWithParameters {
                #expect(page.status == 200)
            } else {
                #expect(try Callback(page)["error"] == "invalid_request")
            }
        }
    }
}
