import AuthStreams
import AuthStreamsTesting
import Testing

@testable import AuthStreamsOAuth

/// After a flow nothing of it is left: no service, no device, no browser, no listener.
@MainActor
@Suite struct LifetimeTests {
    nonisolated static let providers: [ProviderID] = [.apple, .google, .kakao, .naver]

    @Test(arguments: providers) func nothingIsLeftAfterASignIn(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            var device: EmulatedDevice? = EmulatedDevice(at: emulator.baseURL)
            _ = try await device?.auth.signIn(with: provider).value
            await device?.browser.waitUntilSettled()
            weak let (gone, service) = (device, device?.auth)
            weak let (browser, apps) = (device?.browser, device?.apps)
            device = nil
            #expect(gone == nil)
            #expect(service == nil)
            #expect(browser == nil)
            #expect(apps == nil)
        }
    }

    @Test(arguments: providers) func nothingIsLeftAfterACancelledSignIn(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            var device: EmulatedDevice? = EmulatedDevice(at: emulator.baseURL)
            device?.browser.answers = [.ignore]
            device?.apps.kakaoTalk = .stay
            device?.apps.naver = .stay
            weak let service = device?.auth
            guard let stream = device?.auth.signIn(with: provider),
                var states = device?.auth.states.makeAsyncIterator()
            else { return }
            let attempt = Task { await stream.result }
            while let state = await states.next() {
                if case .signingIn(_, let step) = state, step == .waitingForOtherApp || provider == .apple { break }
                if case .signingIn = state, provider == .google { break }
            }
            attempt.cancel()
            _ = await attempt.value
            device = nil
            #expect(service == nil)
        }
    }
}
