#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// What an app asks for right after the update that replaces another SDK. Each call joins the adoption, and fails only as that
    /// fails.
    @MainActor
    @Suite struct FirstCallAfterUpdateTests {
        nonisolated static let backends = EmulatedDevice.Backend.allCases

        /// An app that was updated, and whose first request has failed. The next is that of a caller.
        private func offline(_ update: AppUpdate, adopting old: AdoptableSession) async -> EmulatedDevice {
            update.emulator.inject(.status(503), at: update.endpoint, .always)
            let clock = ManualClock()
            let device = update.device(adopting: old, clock: clock)
            await clock.waitForSleepers(count: 1)
            update.emulator.clearFaults()
            return device
        }

        @Test(arguments: backends, SessionCall.allCases)
        func succeedsOnceTheServerHasAnswered(backend: EmulatedDevice.Backend, call: SessionCall) async throws {
            for knowsUser in [true, false] {
                try await withEmulator { emulator in
                    let update = AppUpdate(at: emulator, backend)
                    let old = try await update.oldSession(knowsUser: knowsUser)
                    let gate = EmulatorGate()
                    emulator.inject(.held(until: gate), at: update.endpoint)
                    let device = update.device(adopting: old)
                    async let outcome = call(device.auth)
                    await gate.arrival()
                    #expect((device.auth.user != nil) == knowsUser)
                    gate.open()
                    #expect(await outcome == nil)
                    #expect(device.auth.state.isSignedOut == (call == .deletion))
                    #expect(backend == .firebase || update.requests == 1)
                }
            }
        }

        @Test(arguments: backends, SessionCall.allCases)
        func failsAsTheAdoptionFails(backend: EmulatedDevice.Backend, call: SessionCall) async throws {
            for knowsUser in [true, false] {
                try await withEmulator { emulator in
                    let update = AppUpdate(at: emulator, backend)
                    let old = try await update.oldSession(knowsUser: knowsUser)
                    emulator.inject(.status(503), at: update.endpoint, .always)
                    let device = update.device(adopting: old)
                    #expect(await call(device.auth) == .server)
                    #expect((device.auth.user != nil) == knowsUser)
                    #expect(!device.auth.state.isSignedOut, "It is retried automatically.")
                    emulator.clearFaults()
                    #expect(await call(device.auth) == nil, "A caller does not wait for that.")
                }
            }
        }

        @Test(arguments: backends, SessionCall.allCases)
        func failsWithTheServersRefusal(backend: EmulatedDevice.Backend, call: SessionCall) async throws {
            for knowsUser in [true, false] {
                try await withEmulator { emulator in
                    let update = AppUpdate(at: emulator, backend)
                    let old = try await update.oldSession(knowsUser: knowsUser)
                    let device = await offline(update, adopting: old)
                    for user in emulator.firebase.users { emulator.firebase.disable(user.id) }
                    for user in emulator.server.users { emulator.server.disable(user.id) }
                    #expect(await call(device.auth) == .userDisabled)
                    #expect(device.auth.state == .signedOut(.disabled))
                }
            }
        }

        @Test(arguments: backends, SessionCall.allCases)
        func failsWhereTheTokenIsAnotherUsers(backend: EmulatedDevice.Backend, call: SessionCall) async throws {
            try await withEmulator { emulator in
                let update = AppUpdate(at: emulator, backend)
                var old = try await update.oldSession(knowsUser: true)
                old.user = AuthUser(id: "another user")
                let device = await offline(update, adopting: old)
                #expect(await call(device.auth) == .sessionExpired)
                #expect(device.auth.state == .signedOut(.expired))
            }
        }

        /// An app and its extension after the update: the refresh token is good for one request.
        @Test(arguments: [true, false]) func twoProcessesAdoptOnce(knowsUser: Bool) async throws {
            try await withEmulator { emulator in
                let update = AppUpdate(at: emulator, .server)
                let old = try await update.oldSession(knowsUser: knowsUser)
                let store = MemorySessionStore()
                let (app, widget) = (
                    update.device(adopting: old, store: store),
                    update.device(adopting: old, store: store)
                )
                async let first = app.auth.accessToken()
                async let second = widget.auth.accessToken()
                #expect(try await first == second)
                #expect(update.requests == 1)
            }
        }
    }
#endif
