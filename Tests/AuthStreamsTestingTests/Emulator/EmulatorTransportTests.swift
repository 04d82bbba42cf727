import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@Suite(.limitedParallelization) struct EmulatorTransportTests {
    private static let keys = "https://kauth.kakao.com/.well-known/jwks.json"

    private static func request(_ emulator: Emulator, _ url: String = keys) -> AuthHTTPRequest {
        AuthHTTPRequest(.get, emulator.url(for: url))
    }

    private func code(
        _ transport: EmulatorTransport, _ request: AuthHTTPRequest
    ) async -> AuthError.Code? {
        do throws(AuthError) { _ = try await transport.send(request) } catch { return error.code }
        return nil
    }

    /// Method, address, content type, body.
    static let requests: [(AuthHTTPRequest.Method, String, String?, String?)] = [
        (.get, keys, nil, nil),
        (.get, "https://unknown.example/", nil, nil),
        (.get, "https://kauth.kakao.com/oauth/token", nil, nil),
        (.get, "https://kauth.kakao.com/oauth/authorize?client_id=%EA%B9%80+b&state=%2B", nil, nil),
        (.post, "https://kauth.kakao.com/oauth/token", FormCoding.contentType, "grant_type=refresh_token&client_id=1"),
        (.post, "https://api.pulseboard.example/auth/sign-in", "application/json", #"{"provider":"google.com"}"#),
        (AuthHTTPRequest.Method(rawValue: "HEAD"), keys, nil, nil),
    ]

    @Test(arguments: requests.indices) func answersAreThoseOfTheNetwork(index: Int) async throws {
        let (method, url, type, body) = Self.requests[index]
        // The clock stands still, so both answers have one date.
        try await withEmulator(EmulatorConfiguration(at: ManualClock())) { emulator in
            var request = AuthHTTPRequest(method, emulator.url(for: url), body: body.map { Data($0.utf8) })
            request.headers[.contentType] = type
            let far = try await URLSessionTransport.untimed().send(request)
            let near = try await EmulatorTransport.untimed(to: emulator).send(request)
            #expect(near.status == far.status)
            #expect(near.body == far.body)
            let framing: Set<HeaderName> = ["connection", "content-length"]
            #expect(near.headers == far.headers.filter { !framing.contains($0.key) })
            let entries = emulator.journal.entries.map { "\($0.method) \($0.host) \($0.path) \($0.status ?? 0)" }
            #expect(entries.count == 2 && entries[0] == entries[1])
        }
    }

    static let faults: [(EmulatorFault, AuthError.Code?)] = [
        (.dropConnection, .network), (.truncated(afterBytes: 3), .network), (.oversized(), .invalidResponse),
        (.status(503), nil),
    ]

    @Test(arguments: faults.indices) func faultsApply(index: Int) async throws {
        let (fault, expected) = Self.faults[index]
        try await withEmulator { emulator in
            emulator.inject(fault, at: .kakaoKeys)
            #expect(await code(EmulatorTransport.untimed(to: emulator), Self.request(emulator)) == expected)
        }
    }

    @Test func aHeldAnswerEndsWithTheTaskTheTimeLimitOrTheEmulator() async throws {
        let clock = ManualClock()
        let emulator = try Emulator.start(EmulatorConfiguration(at: clock))
        let transport = EmulatorTransport(to: emulator, clock: clock.authClock(startingAt: .now))
        let request = Self.request(emulator)
        let ends: [(AuthError.Code, (Task<AuthError.Code?, Never>) async -> Void)] = [
            (.cancelled, { $0.cancel() }),
            (
                .timedOut,
                { _ in
                    await clock.waitForSleepers(count: 1)
                    clock.advance(by: request.timeout)
                }
            ),
            (.network, { _ in emulator.stop() }),
        ]
        for (expected, end) in ends {
            let gate = EmulatorGate()
            emulator.inject(.held(until: gate), at: .kakaoKeys)
            let attempt = Task { await code(transport, request) }
            await gate.arrival()
            await end(attempt)
            #expect(await attempt.value == expected)
        }
        #expect(await code(transport, request) == .network)
    }

    @Test func requestsToOtherAddressesAreNotSent() async throws {
        try await withEmulator { emulator in
            let transport = EmulatorTransport.untimed(to: emulator)
            for url in [Self.keys, "http://127.0.0.1:1/kauth.kakao.com/"] {
                let elsewhere = try #require(URL(string: url))
                #expect(await code(transport, AuthHTTPRequest(.get, elsewhere)) == .network)
            }
            var late = Self.request(emulator)
            late.timeout = .zero
            #expect(await code(transport, late) == .timedOut)
            var split = Self.request(emulator)
            split.headers[.accept] = "a\r\nauthorization: b"
            #expect(await code(transport, split) == .misconfigured)
            #expect(emulator.journal.entries.isEmpty)
        }
    }
}
