import AuthStreams
import Foundation
import TestSupport
import Testing

@testable import AuthStreamsOAuth
@testable import AuthStreamsTesting

/// The emulated issuer's checks of proofs, over the wire (RFC 9449 section 4.3).
@Suite(.limitedParallelization, .enabled(if: Signatures.isAvailable)) struct IssuerProofTests {
    private static let realm = "https://id.pulseboard.example/realms/main/protocol/openid-connect"
    private static let page: [String: String?] = [
        "client_id": "pulseboard-app", "response_type": "code", "redirect_uri": "com.example.pulseboard:/callback",
        "scope": "openid", "state": "state-1", "code_challenge": Pair.challenge, "code_challenge_method": "S256",
    ]

    private let clock = ManualClock()

    private func configuration(nonces: Bool = false) -> EmulatorConfiguration {
        var configuration = EmulatorConfiguration(at: clock)
        (configuration.issuer.dpop, configuration.issuer.demandsDPoPNonces) = (.required, nonces)
        return configuration
    }

    /// A client with a key.
    private struct Client {
        let wire: Wire
        let key: DPoPKey
        let emulator: Emulator

        init(_ emulator: Emulator) throws {
            (wire, key, self.emulator) = (Wire(emulator), try DPoPKey.make(), emulator)
        }

        /// A good proof for an endpoint, with changes.
        func proof(
            _ method: String = "POST", _ name: String = "token", by key: DPoPKey? = nil,
            _ change: (inout DPoPProof) -> Void = { _ in }
        ) throws -> String {
            let url = emulator.url(for: "\(IssuerProofTests.realm)/\(name)")
            var proof = DPoPProof(method: method, url: url, date: emulator.configuration.clock.date)
            change(&proof)
            return try proof.signed(by: key ?? self.key)
        }

        func code(boundTo thumbprint: String? = nil) async throws -> String {
            let page = try await wire.get(
                "\(IssuerProofTests.realm)/auth", IssuerProofTests.page.with(["dpop_jkt": thumbprint]))
            return try #require(try await wire.approve(page)["code"])
        }

        func redeem(_ code: String, _ proof: String?) async throws -> AuthHTTPResponse {
            try await token(
                [
                    "grant_type": "authorization_code", "code": code, "code_verifier": Pair.verifier,
                    "redirect_uri": "com.example.pulseboard:/callback",
                ], proof)
        }

        func token(_ form: KeyValuePairs<String, String>, _ proof: String?) async throws -> AuthHTTPResponse {
            let fields = [("client_id", "pulseboard-app")] + form.map { ($0.key, $0.value) }
            var request = AuthHTTPRequest(
                .post, emulator.url(for: "\(IssuerProofTests.realm)/token"),
                headers: [.contentType: FormCoding.contentType], body: Data(FormCoding.encode(fields).utf8))
            request.headers[.dpop] = proof
            return try await EmulatorTransport.untimed(to: emulator).send(request)
        }

        func userInfo(_ token: String, scheme: String = "DPoP", _ proof: String?) async throws -> AuthHTTPResponse {
            var request = AuthHTTPRequest(
                .get, emulator.url(for: "\(IssuerProofTests.realm)/userinfo"),
                headers: [.authorization: "\(scheme) \(token)"])
            request.headers[.dpop] = proof
            return try await EmulatorTransport.untimed(to: emulator).send(request)
        }
    }

    private func error(_ response: AuthHTTPResponse) -> String? { response.json?["error"]?.string }

    @Test func goodProofBindsTheTokens() async throws {
        try await withEmulator(configuration()) { emulator in
            let client = try Client(emulator)
            let tokens = try await client.redeem(try await client.code(), try client.proof())
            #expect(tokens.status == 200 && tokens.json?["token_type"] == "DPoP")
            let refreshed = try await client.token(
                ["grant_type": "refresh_token", "refresh_token": try #require(tokens.json?["refresh_token"]?.string)],
                try client.proof())
            let access = try #require(refreshed.json?["access_token"]?.string)
            let proof = try client.proof("GET", "userinfo") { $0.accessToken = Secret(access) }
            #expect(try await client.userInfo(access, proof).status == 200)
        }
    }

    @Test func badProofIsRefusedAndUsesUpNothing() async throws {
        try await withEmulator(configuration()) { emulator in
            let client = try Client(emulator)
            let code = try await client.code()
            let good = try client.proof()
            let cut = good.dropLast(20) + "AAAAAAAAAAAAAAAAAAAA"
            let proofs = [
                nil, "text", String(cut), try client.proof("GET"), try client.proof("POST", "userinfo"),
                try client.proof { $0.accessToken = Secret("access") },
                try client.proof { $0 = .init(method: $0.method, url: $0.url, date: $0.date.addingTimeInterval(-61)) },
                try client.proof { $0 = .init(method: $0.method, url: $0.url, date: $0.date.addingTimeInterval(61)) },
                try client.proof { $0.id = "short" },
            ]
            for proof in proofs {
                let answer = try await client.redeem(code, proof)
                #expect(answer.status == 400 && error(answer) == "invalid_dpop_proof")
            }
            #expect(try await client.redeem(code, good).status == 200)
        }
    }

    @Test func proofIsUsedOnce() async throws {
        try await withEmulator(configuration()) { emulator in
            let client = try Client(emulator)
            let proof = try client.proof()
            #expect(try await client.redeem(try await client.code(), proof).status == 200)
            #expect(error(try await client.redeem(try await client.code(), proof)) == "invalid_dpop_proof")
        }
    }

    @Test func codeAndTokensNeedTheirKey() async throws {
        try await withEmulator(configuration()) { emulator in
            let client = try Client(emulator)
            let other = try DPoPKey.make()
            let code = try await client.code(boundTo: client.key.thumbprint)
            #expect(error(try await client.redeem(code, try client.proof(by: other))) == "invalid_grant")
            let tokens = try await client.redeem(code, try client.proof())
            let refresh = try #require(tokens.json?["refresh_token"]?.string)
            let form: KeyValuePairs = ["grant_type": "refresh_token", "refresh_token": refresh]
            #expect(error(try await client.token(form, try client.proof(by: other))) == "invalid_grant")
            #expect(error(try await client.token(form, nil)) == "invalid_dpop_proof")
            #expect(try await client.token(form, try client.proof()).status == 200)
        }
    }

    @Test func boundAccessTokenNeedsItsProof() async throws {
        try await withEmulator(configuration()) { emulator in
            let client = try Client(emulator)
            let tokens = try await client.redeem(try await client.code(), try client.proof())
            let access = try #require(tokens.json?["access_token"]?.string)
            let bound: (inout DPoPProof) -> Void = { $0.accessToken = Secret(access) }
            let rows = [
                ("Bearer", nil), ("Bearer", try client.proof("GET", "userinfo", bound)), ("DPoP", nil),
                ("DPoP", try client.proof("GET", "userinfo")),
                ("DPoP", try client.proof("GET", "userinfo", by: DPoPKey.make(), bound)),
                ("DPoP", try client.proof("GET", "userinfo") { $0.accessToken = Secret("another") }),
            ]
            for (scheme, proof) in rows {
                let answer = try await client.userInfo(access, scheme: scheme, proof)
                #expect(answer.status == 401 && answer.headers["www-authenticate"]?.hasPrefix(scheme) == true)
            }
            #expect(try await client.userInfo(access, try client.proof("GET", "userinfo", bound)).status == 200)
        }
    }

    @Test func nonceIsDemandedWhereItIsConfigured() async throws {
        try await withEmulator(configuration(nonces: true)) { emulator in
            let client = try Client(emulator)
            let code = try await client.code()
            let refusal = try await client.redeem(code, try client.proof())
            #expect(refusal.status == 400 && error(refusal) == "use_dpop_nonce")
            let first = try #require(refusal.headers["dpop-nonce"])
            emulator.issuer.rotateDPoPNonce()
            let second = try await client.redeem(code, try client.proof { $0.nonce = first })
            #expect(error(second) == "use_dpop_nonce")
            let nonce = try #require(second.headers["dpop-nonce"])
            #expect(nonce != first)
            let tokens = try await client.redeem(code, try client.proof { $0.nonce = nonce })
            #expect(tokens.status == 200 && tokens.headers["dpop-nonce"] == nonce)
            let access = try #require(tokens.json?["access_token"]?.string)
            let answer = try await client.userInfo(
                access, try client.proof("GET", "userinfo") { $0.accessToken = Secret(access) })
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"]?.contains(#"DPoP error="use_dpop_nonce""#) == true)
        }
    }
}
