import AuthStreams
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// A profile that Apple sends once is not lost, even if the process that received it dies.
@Suite(.limitedParallelization) struct FirstProfileTests {
    @Test func aProcessThatIsKilledBeforeTheServerHasTheProfileLosesNothing() async throws {
        try await withTemporaryFolder { folder in
            try await withEmulator { emulator in
                let gate = EmulatorGate()
                emulator.inject(.held(until: gate), at: .signInWithIdP)
                let first = try probeApp(emulator.baseURL, folder)
                await gate.arrival()
                first.kill()
                _ = await first.status()
                #expect(first.wasKilled)
                gate.open()

                let store = FileSessionStore(folder: folder)
                let kept = try #require(try await store.note(.profiles))
                #expect(String(decoding: kept, as: UTF8.self).contains("민지"))
                #expect(try await store.session() == nil)

                let second = try probeApp(emulator.baseURL, folder)
                #expect(await second.status() == 0)
                #expect(try await store.note(.profiles) == nil, "The server has it now.")
                #expect(try await store.session() != nil)
            }
        }
    }

    @MainActor
    @Test func aProfileIsKeptBeforeApplesKeysAreFetched() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let device = EmulatedDevice(at: emulator.baseURL, store: store)
            emulator.inject(.status(503), at: .appleKeys)

            let error = await device.auth.signIn(with: .apple).result.failure

            #expect(error?.code == .server)
            let kept = try #require(try await store.note(.profiles))
            #expect(String(decoding: kept, as: UTF8.self).contains("민지"))

            _ = try await device.auth.signIn(with: .apple).value
            let left = try await store.note(.profiles)
            #expect(left == nil, "The server has it now.")
        }
    }

    @MainActor
    @Test(arguments: [-259_200.0, 259_200]) func aProfileIsKeptWhereTheClockOfTheDeviceIsWrong(error: TimeInterval)
        async throws
    {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let clock = AuthClock(ContinuousClock(), now: { Date().addingTimeInterval(error) })
            let device = EmulatedDevice(at: emulator.baseURL, store: store, clock: clock)
            let refusal = await device.auth.signIn(with: .apple).result.failure
            #expect(refusal?.code == .invalidIDToken)
            let kept = try #require(try await store.note(.profiles))
            #expect(String(decoding: kept, as: UTF8.self).contains("민지"))

            let corrected = EmulatedDevice(at: emulator.baseURL, store: store)
            _ = try await corrected.auth.signIn(with: .apple).value
            let left = try await store.note(.profiles)
            #expect(left == nil, "The server has it now.")
        }
    }

    /// Kakao and Google answer a token request, whose date says when it is.
    @MainActor
    @Test(arguments: [ProviderID.google, .kakao]) func aWrongClockCostsNoSignInWhereTheServerTellsTheTime(
        provider: ProviderID
    ) async throws {
        try await withEmulator { emulator in
            let clock = AuthClock(ContinuousClock(), now: { Date().addingTimeInterval(-259_200) })
            let device = EmulatedDevice(at: emulator.baseURL, clock: clock)
            let session = try await device.auth.signIn(with: provider).value
            #expect(device.auth.state == .signedIn(session.user, .verified))
        }
    }
}
