import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// For any answer of a server, the attempt ends with a typed error, and nothing of it stays.
@MainActor
@Suite struct BadAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let provider: ProviderID
        let endpoint: EmulatorEndpoint
        let fault: EmulatorFault
        let code: AuthError.Code
        let name: String
        var testDescription: String { "\(name) from \(endpoint)" }
    }

    /// Every endpoint that a client talks to, with a provider whose chain does.
    nonisolated static let endpoints: [(ProviderID, EmulatorEndpoint)] = [
        (.apple, .appleKeys), (.google, .googleToken), (.google, .googleKeys), (.kakao, .kakaoToken),
        (.kakao, .kakaoKeys), (.kakao, .socialLogin), (.kakao, .signInWithCustomToken), (.naver, .socialLogin),
        (.apple, .signInWithIdP), (.google, .signInWithIdP), (.google, .accountLookup), (.naver, .accountLookup),
    ]

    nonisolated static let faults: [(String, EmulatorFault, AuthError.Code)] = [
        ("a web page", .html, .invalidResponse),
        ("an empty body", .empty, .invalidResponse),
        ("broken JSON", .malformedJSON, .invalidResponse),
        ("10 MB", .oversized(), .invalidResponse),
        ("503", .status(503), .server),
        ("429", .rateLimited(retryAfter: .seconds(7)), .rateLimited),
        ("a cut connection", .dropConnection, .network),
        ("a truncated body", .truncated(afterBytes: 1), .network),
    ]

    nonisolated static let rows = endpoints.flatMap { provider, endpoint in
        faults.map { Row(provider: provider, endpoint: endpoint, fault: $0.1, code: $0.2, name: $0.0) }
    }

    @Test(arguments: TestVolume.part(0, of: 3, rows)) func aBadAnswerEndsTheAttemptWithATypedError(row: Row)
        async throws
    {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            // The repeated requests need not wait for each other here.
            let device = EmulatedDevice(at: emulator.baseURL, store: store, clock: .withoutPauses)
            emulator.inject(row.fault, at: row.endpoint, .always)
            let error = await device.auth.signIn(with: row.provider).result.failure
            #expect(error?.code == row.code)
            #expect(error?.provider == row.provider)
            if row.code == .rateLimited { #expect(error?.retryAfter == .seconds(7)) }
            var states = device.auth.states.makeAsyncIterator()
            while await states.next() == .restoring(.reading) {}
            #expect(device.auth.state == .signedOut(nil))
            let stored = try await store.session()
            #expect(stored == nil)
            // The next attempt finds everything in order.
            emulator.clearFaults()
            #expect(await device.auth.signIn(with: row.provider).result.failure == nil)
        }
    }

    nonisolated static let badTokens: [(ProviderID, EmulatorEndpoint)] = [
        (.google, .googleToken), (.kakao, .kakaoToken),
    ]

    @Test(arguments: badTokens) func aTokenThatBreaksARuleIsRefused(
        provider: ProviderID, endpoint: EmulatorEndpoint
    ) async throws {
        let faults: [(EmulatorFault, AuthError.Code)] = [
            (.wrongNonce, .nonceMismatch), (.wrongAudience, .invalidIDToken), (.wrongIssuer, .issuerMismatch),
            (.expiredToken, .invalidIDToken), (.unsignedToken, .invalidIDToken), (.wrongSignature, .invalidIDToken),
        ]
        try await withEmulator { emulator in
            for (fault, code) in faults {
                let device = EmulatedDevice(at: emulator.baseURL)
                // By the page, which answers once: for a better answer of KakaoTalk the attempt would wait.
                device.apps.installed = []
                emulator.inject(fault, at: endpoint)
                let error = await device.auth.signIn(with: provider).result.failure
                #expect(error?.code == code)
                let hosts = emulator.journal.entries.map(\.host)
                #expect(!hosts.contains("identitytoolkit.googleapis.com"), "The server never saw the token.")
            }
        }
    }
}
