#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Adoptions that asking again does not help, or whose first request cannot be sent yet.
    @MainActor
    @Suite struct DelayedAdoptionTests {
        nonisolated static let backends = EmulatedDevice.Backend.allCases

        /// The third such answer ends the retries, and the launch screen. The next caller asks again, and so does the next launch.
        @Test(arguments: backends, [(true, true), (true, false), (false, true), (false, false)])
        func invalidResponseIsRetriedTwice(
            backend: EmulatedDevice.Backend, _ circumstances: (knowsUser: Bool, nextLaunch: Bool)
        ) async throws {
            let (knowsUser, nextLaunch) = circumstances
            try await withEmulator { emulator in
                let update = AppUpdate(at: emulator, backend)
                let old = try await update.oldSession(knowsUser: knowsUser)
                emulator.inject(.malformedJSON, at: update.endpoint, .always)
                let (clock, store) = (ManualClock(), MemorySessionStore())
                let device = update.device(adopting: old, store: store, clock: clock)
                await clock.waitForSleepers(count: 1)
                clock.advanceToNextSleeper()
                await clock.waitForSleepers(count: 1)
                #expect(device.auth.user != nil || device.auth.state == .restoring(.adopting))
                #expect(await SessionCall.token(device.auth) == .invalidResponse)
                #expect(device.auth.manager.read { $0.refreshDue } == nil, "No request is sent without a caller.")
                #expect(device.auth.user != nil || device.auth.state == .signedOut(nil))
                #expect((device.auth.user != nil) == knowsUser)
                #expect(update.requests == 3)
                emulator.clearFaults()
                if nextLaunch {
                    let next = update.device(store: store) { nil }
                    _ = await next.auth.states.prefix { state in
                        state.user.map { state == .signedIn($0, .verified) } ?? false
                    }
                } else {
                    #expect(await SessionCall.token(device.auth) == nil)
                    #expect(device.auth.user != nil)
                }
            }
        }

        /// An app whose repository adopts nothing is told so, and the session stays for the version that does.
        @Test(arguments: SessionCall.allCases, [true, false])
        func repositoryThatAdoptsNothing(call: SessionCall, knowsUser: Bool) async throws {
            try await withEmulator { emulator in
                let update = AppUpdate(at: emulator, .server)
                let old = try await update.oldSession(knowsUser: knowsUser)
                let (store, server) = (MemorySessionStore(), ServerRepository.emulated(at: emulator.baseURL))
                do {
                    let auth = AuthService(
                        repository: AdoptingNothing(base: server),
                        providers: [ScriptedProvider(.kakao), ScriptedProvider(.google)], store: store,
                        callbacks: CallbackRouter(), adoption: SessionAdoption(find: { old }))
                    #expect(await call(auth) == .unsupportedProvider)
                    #expect((auth.user != nil) == knowsUser)
                    #expect(knowsUser || auth.state == .signedOut(nil))
                    #expect(update.requests == 0)
                }
                let device = update.device(store: store) { nil }
                #expect(await SessionCall.token(device.auth) == nil)
            }
        }

        private struct AdoptingNothing: AuthRepository {
            let base: ServerRepository

            func accepts(_ provider: ProviderID) -> Bool { base.accepts(provider) }

            func signIn(with credential: Credential) async throws(AuthError) -> AuthSession {
                try await base.signIn(with: credential)
            }

            func refresh(_ session: AuthSession) async throws(AuthError) -> AuthSession {
                try await base.refresh(session)
            }
            func signOut(_ session: AuthSession) async throws(AuthError) { try await base.signOut(session) }
            func deleteAccount(_ session: AuthSession) async throws(AuthError) { try await base.deleteAccount(session) }

            func link(_ credential: Credential, to session: AuthSession) async throws(AuthError) -> AuthSession {
                try await base.link(credential, to: session)
            }

            func reauthenticate(
                _ session: AuthSession, with credential: Credential
            ) async throws(AuthError) -> AuthSession {
                try await base.reauthenticate(session, with: credential)
            }
        }

        /// A token that works once is not sent before the record says so. One that works again needs no mark.
        @Test(arguments: backends, [true, false])
        func recordThatCannotBeWritten(backend: EmulatedDevice.Backend, knowsUser: Bool) async throws {
            try await withEmulator { emulator in
                let update = AppUpdate(at: emulator, backend)
                let old = try await update.oldSession(knowsUser: knowsUser)
                let store = FaultySessionStore()
                store.fail(.write)
                let device = update.device(adopting: old, store: store)
                let outcome = await SessionCall.token(device.auth)
                switch backend {
                case .firebase: #expect(outcome == nil)
                case .server:
                    #expect(outcome == .storage)
                    #expect(update.requests == 0)
                    #expect((device.auth.user != nil) == knowsUser)
                    #expect(!device.auth.state.isSignedOut)
                }
                store.heal()
                #expect(await SessionCall.token(device.auth) == nil)
                #expect(device.auth.user != nil)
                #expect(backend == .firebase || update.requests == 1)
            }
        }

        /// The other SDK's storage is locked until the device is unlocked. The call waits for that.
        @Test(arguments: backends, SessionCall.allCases)
        func storageOfTheOtherSDKIsLocked(backend: EmulatedDevice.Backend, call: SessionCall) async throws {
            try await withEmulator { emulator in
                let update = AppUpdate(at: emulator, backend)
                let old = try await update.oldSession(knowsUser: false)
                let (isLocked, clock) = (Lock(true), ManualClock())
                let device = update.device(clock: clock) {
                    if isLocked.withLock({ $0 }) { throw AuthError(.storageLocked, "The device is locked.") }
                    return old
                }
                async let outcome = call(device.auth)
                // The launch and the call.
                await clock.waitForSleepers(count: 2)
                #expect(device.auth.state == .restoring(.waitingForUnlock))
                isLocked.withLock { $0 = false }
                clock.advanceToNextSleeper()
                #expect(await outcome == nil)
            }
        }
    }
#endif
