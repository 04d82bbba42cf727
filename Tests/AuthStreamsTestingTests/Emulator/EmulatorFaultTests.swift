import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@Suite(.limitedParallelization) struct EmulatorFaultTests {
    private static let keys = "https://kauth.kakao.com/.well-known/jwks.json"

    /// The answer of an exchange at Kakao, with a code of its own.
    private static func exchange(_ wire: Wire) async throws -> AuthHTTPResponse {
        let kakao = wire.configuration.kakao
        let page = try await wire.get(
            "https://kauth.kakao.com/oauth/authorize",
            [
                "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "response_type": "code",
                "nonce": "nonce-1",
            ])
        let callback = try await wire.approve(page)
        // Over a connection of its own: on a kept one that dies without a byte, curl sends the request once more.
        return try await Wire(wire.emulator).kakaoTokens(callback["code"])
    }

    @Test func aFaultHappensOnceOrUntilCleared() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            var statuses: [Int] = []
            emulator.inject(.status(503), at: .kakaoKeys)
            for _ in 1...2 { statuses.append(try await wire.get(Self.keys).status) }
            emulator.inject(.status(504), at: "kauth.kakao.com", .always)
            for _ in 1...2 { statuses.append(try await wire.get(Self.keys).status) }
            emulator.clearFaults()
            statuses.append(try await wire.get(Self.keys).status)
            #expect(statuses == [503, 200, 504, 504, 200])
        }
    }

    @Test func aFaultElsewhereChangesNothingHere() async throws {
        try await withEmulator { emulator in
            emulator.inject(.status(503), at: .kakaoToken, .always)
            emulator.inject(.status(503), at: "kapi.kakao.com", .always)
            let answer = try await Wire(emulator).get(Self.keys)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        (EmulatorFault.html, 200, "text/html; charset=utf-8"), (.empty, 200, "application/json"),
        (.malformedJSON, 200, "application/json"),
    ])
    func anAnswerCanBeSomethingElse(fault: EmulatorFault, status: Int, type: String) async throws {
        try await withEmulator { emulator in
            emulator.inject(fault, at: .kakaoKeys)
            let answer = try await Wire(emulator).get(Self.keys)
            #expect(answer.status == status)
            #expect(answer.headers[.contentType] == type)
            #expect(answer.json == nil)
        }
    }

    @Test func anAnswerCanBeTooLarge() async throws {
        try await withEmulator { emulator in
            emulator.inject(.oversized(), at: .kakaoKeys)
            let answer = try await Wire(emulator).get(Self.keys)
            #expect(answer.body.count == 10_000_000)
            #expect(answer.json != nil)
        }
    }

    @Test func aRateLimitSaysHowLongToWait() async throws {
        try await withEmulator { emulator in
            emulator.inject(.rateLimited(retryAfter: .seconds(7)), at: .kakaoKeys)
            let answer = try await Wire(emulator).get(Self.keys)
            #expect(answer.status == 429)
            #expect(answer.retryAfter == .seconds(7))
        }
    }

    @Test(arguments: [EmulatorFault.dropConnection, .truncated(afterBytes: 10)])
    func aLostAnswerIsANetworkErrorAfterTheFact(fault: EmulatorFault) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            emulator.inject(fault, at: .kakaoToken)
            let error = await #expect(throws: AuthError.self) { try await Self.exchange(wire) }
            #expect(error?.code == .network)
            // The server did its part: it issued tokens that no client received.
            #expect(emulator.issuedSecrets.contains { $0.name == "access_token" })
        }
    }

    @Test func aHeldAnswerComesWhenTheGateOpens() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let gate = EmulatorGate()
            emulator.inject(.held(until: gate), at: .kakaoKeys)
            async let answer = wire.get(Self.keys)
            await gate.arrival()
            #expect(emulator.journal.entries.map(\.status) == [nil])
            gate.open()
            let status = try await answer.status
            #expect(status == 200)
            #expect(emulator.journal.entries.map(\.status) == [200])
        }
    }

    @Test func stoppingDropsAHeldAnswer() async throws {
        let emulator = try Emulator.start()
        emulator.inject(.held(until: EmulatorGate()), at: .kakaoKeys)
        let wire = Wire(emulator)
        let answer = Task { try await wire.get(Self.keys) }
        await emulator.journal.waitForRequest(to: .kakaoKeys)
        emulator.stop()
        await #expect(throws: AuthError.self) { try await answer.value }
    }

    @Test(arguments: [
        (EmulatorFault.wrongNonce, "nonce"), (.wrongAudience, "aud"), (.wrongIssuer, "iss"),
    ])
    func aTokenCanLieInOneClaim(fault: EmulatorFault, claim: String) async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let honest = try await Self.exchange(wire).claims("id_token")
            emulator.inject(fault, at: .kakaoToken)
            let spoiled = try await Self.exchange(wire).claims("id_token")
            for name in ["iss", "aud", "sub", "nonce"] {
                #expect((honest[name] == spoiled[name]) == (name != claim), "\(name)")
            }
        }
    }

    @Test func aTokenCanBeExpired() async throws {
        let clock = ManualClock()
        let configuration = EmulatorConfiguration(at: clock)
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            emulator.inject(.expiredToken, at: .kakaoToken)
            let claims = try await Self.exchange(wire).claims("id_token")
            let expiry = try #require(claims["exp"]?.lenientInteger)
            #expect(Double(expiry) <= configuration.clock.date.timeIntervalSince1970 - 3600)
        }
    }

    @Test func theServersClockCanBeWrong() async throws {
        let configuration = EmulatorConfiguration(at: ManualClock())
        try await withEmulator(configuration) { emulator in
            let wire = Wire(emulator)
            emulator.inject(.clockSkew(.seconds(-900)), at: .kakaoToken)
            let answer = try await Self.exchange(wire)
            let now = Int64(configuration.clock.date.timeIntervalSince1970)
            #expect(try answer.claims("id_token")["iat"] == .integer(now - 900))
            #expect(answer.headers[.date] == "Sun, 15 Jun 2025 14:51:40 GMT")
        }
    }

    @Test func aTokenCanBeUnsigned() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            emulator.inject(.unsignedToken, at: .kakaoToken)
            let answer = try await Self.exchange(wire)
            let token = try #require(answer["id_token"])
            #expect(JSONWebToken(Secret(token))?.header["alg"] == "none")
            #expect(token.hasSuffix("."))
        }
    }

    @Test(
        arguments: [
            ("kauth.kakao.com/oauth/token", "KOE010", 401, "invalid_client"),
            ("appleid.apple.com/auth/token", "invalid_client", 400, "invalid_client"),
            ("oauth2.googleapis.com/token", "invalid_client", 401, "invalid_client"),
            ("nid.naver.com/oauth2.0/token", "server_error", 200, "server_error"),
        ] as [(EmulatorEndpoint, String, Int, String)])
    func anErrorComesInTheServicesDialect(
        endpoint: EmulatorEndpoint, code: String, status: Int, error: String
    ) async throws {
        try await withEmulator { emulator in
            emulator.inject(.error(code), at: endpoint)
            let answer = try await Wire(emulator).post("https://\(endpoint)", [:])
            #expect(answer.status == status)
            #expect(answer["error"] == error)
        }
    }

    @Test func anErrorOfKapiHasItsNumberAndStatus() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            emulator.inject(.error("-402"), at: .kakaoUser)
            let answer = try await wire.get("https://kapi.kakao.com/v2/user/me", bearer: "any")
            #expect(answer.status == 403)
            #expect(answer.json?["code"] == -402)
            #expect(answer.json?["required_scopes"]?.array?.isEmpty == false)
        }
    }

    @Test func anErrorAtAnAuthorizationPageGoesToTheAppUnlessTheServiceOnlyShowsIt() async throws {
        try await withEmulator { emulator in
            let wire = Wire(emulator)
            let kakao = emulator.configuration.kakao
            let request: [String: String?] = [
                "client_id": kakao.nativeAppKey, "redirect_uri": kakao.nativeRedirectURI, "response_type": "code",
                "state": "state-1",
            ]
            emulator.inject(.error("consent_required"), at: .kakaoAuthorize)
            let callback = try Callback(try await wire.get("https://kauth.kakao.com/oauth/authorize", request))
            #expect(callback["error"] == "consent_required")
            #expect(callback["state"] == "state-1")
            emulator.inject(.error("KOE005"), at: .kakaoAuthorize)
            #expect(try await wire.get("https://kauth.kakao.com/oauth/authorize", request).isDeadEnd)
        }
    }
}
