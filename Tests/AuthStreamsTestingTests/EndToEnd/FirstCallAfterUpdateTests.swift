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

        /// A call that needs the session.
        enum Call: String, CaseIterable, Sendable {
            case token, reauthentication, link, deletion

            @MainActor
            func callAsFunction(_ auth: AuthService) async -> AuthError.Code? {
                switch self {
                case .token:
                    do throws(AuthError) { _ = try await auth.accessToken() } catch { return error.code }
                    return nil
                case .reauthentication: return await auth.reauthenticate().result.failure?.code
                case .link: return await auth.link(with: .google).result.failure?.code
                case .deletion: return await auth.deleteAccount().result.failure?.code
                }
            }
        }

        private func endpoint(_ backend: EmulatedDevice.Backend) -> EmulatorEndpoint {
            backend == .firebase ? .secureToken : .serverRefresh
        }

        /// How often a refresh token was sent.
        private func requests(_ emulator: Emulator, _ backend: EmulatedDevice.Backend) -> Int {
            emulator.journal.entries.count { "\($0.host)\($0.path)" == endpoint(backend).description }
        }

        /// The session that an earlier version of the app stored.
        private func oldSession(
            _ backend: EmulatedDevice.Backend, _ emulator: Emulator, knowsUser: Bool
        ) async throws -> AdoptableSession {
            let store = MemorySessionStore()
            let device = EmulatedDevice(at: emulator.baseURL, backend: backend, store: store)
            let user = try await device.auth.signIn(with: .kakao).value.user
            let token = try #require(try await store.session()?.refreshToken)
            return AdoptableSession(refreshToken: token, user: knowsUser ? AuthUser(id: user.id) : nil)
        }

        /// An app that was updated, and its clock, which stands still.
        private func updated(
            _ backend: EmulatedDevice.Backend, _ emulator: Emulator, adopting old: AdoptableSession,
            store: MemorySessionStore = MemorySessionStore(), clock: ManualClock = ManualClock()
        ) -> EmulatedDevice {
            EmulatedDevice(
                at: emulator.baseURL, backend: backend, store: store, clock: clock.authClock(startingAt: Date()),
                adoption: SessionAdoption(find: { old }))
        }

        /// An app that was updated, and whose first request has failed. The next is that of a caller.
        private func offline(
            _ backend: EmulatedDevice.Backend, _ emulator: Emulator, adopting old: AdoptableSession
        ) async -> EmulatedDevice {
            emulator.inject(.status(503), at: endpoint(backend), .always)
            let clock = ManualClock()
            let device = updated(backend, emulator, adopting: old, clock: clock)
            await clock.waitForSleepers(count: 1)
            emulator.clearFaults()
            return device
        }

        @Test(arguments: backends, Call.allCases)
        func succeedsOnceTheServerHasAnswered(backend: EmulatedDevice.Backend, call: Call) async throws {
            for knowsUser in [true, false] {
                try await withEmulator { emulator in
                    let old = try await oldSession(backend, emulator, knowsUser: knowsUser)
                    let gate = EmulatorGate()
                    emulator.inject(.held(until: gate), at: endpoint(backend))
                    let device = updated(backend, emulator, adopting: old)
                    async let outcome = call(device.auth)
                    await gate.arrival()
                    #expect((device.auth.user != nil) == knowsUser)
                    gate.open()
                    #expect(await outcome == nil)
                    #expect(device.auth.state.isSignedOut == (call == .deletion))
                    #expect(backend == .firebase || requests(emulator, backend) == 1)
                }
            }
        }

        @Test(arguments: backends, Call.allCases)
        func failsAsTheAdoptionFails(backend: EmulatedDevice.Backend, call: Call) async throws {
            for knowsUser in [true, false] {
                try await withEmulator { emulator in
                    let old = try await oldSession(backend, emulator, knowsUser: knowsUser)
                    emulator.inject(.status(503), at: endpoint(backend), .always)
                    let device = updated(backend, emulator, adopting: old)
                    #expect(await call(device.auth) == .server)
                    #expect((device.auth.user != nil) == knowsUser)
                    #expect(!device.auth.state.isSignedOut, "It is retried automatically.")
                    emulator.clearFaults()
                    #expect(await call(device.auth) == nil, "A caller does not wait for that.")
                }
            }
        }

        @Test(arguments: backends, Call.allCases)
        func failsWithTheServersRefusal(backend: EmulatedDevice.Backend, call: Call) async throws {
            for knowsUser in [true, false] {
                try await withEmulator { emulator in
                    let old = try await oldSession(backend, emulator, knowsUser: knowsUser)
                    let device = await offline(backend, emulator, adopting: old)
                    for user in emulator.firebase.users { emulator.firebase.disable(user.id) }
                    for user in emulator.server.users { emulator.server.disable(user.id) }
                    #expect(await call(device.auth) == .userDisabled)
                    #expect(device.auth.state == .signedOut(.disabled))
                }
            }
        }

        @Test(arguments: backends, Call.allCases)
        func failsWhereTheTokenIsAnotherUsers(backend: EmulatedDevice.Backend, call: Call) async throws {
            try await withEmulator { emulator in
                var old = try await oldSession(backend, emulator, knowsUser: true)
                old.user = AuthUser(id: "another user")
                let device = await offline(backend, emulator, adopting: old)
                #expect(await call(device.auth) == .sessionExpired)
                #expect(device.auth.state == .signedOut(.expired))
            }
        }

        /// An app and its extension after the update: the refresh token is good for one request.
        @Test(arguments: [true, false]) func twoProcessesAdoptOnce(knowsUser: Bool) async throws {
            try await withEmulator { emulator in
                let old = try await oldSession(.server, emulator, knowsUser: knowsUser)
                let store = MemorySessionStore()
                let (app, widget) = (
                    updated(.server, emulator, adopting: old, store: store),
                    updated(.server, emulator, adopting: old, store: store)
                )
                async let first = app.auth.accessToken()
                async let second = widget.auth.accessToken()
                #expect(try await first == second)
                #expect(requests(emulator, .server) == 1)
            }
        }
    }
#endif
