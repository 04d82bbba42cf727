#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// The whole chain with an app's own server at its end.
    @MainActor
    @Suite struct ServerEndToEndTests {
        nonisolated static let providers: [ProviderID] = [.apple, .google, .kakao, .naver]

        /// A provider's token goes to the server and is never stored on the device.
        @Test(arguments: providers) func theFourProvidersSignInAndLeaveNothingOfTheirsOnTheDevice(
            provider: ProviderID
        ) async throws {
            try await withTemporaryFolder { folder in
                try await withEmulator { emulator in
                    let device = EmulatedDevice(
                        at: emulator.baseURL, backend: .server, store: FileSessionStore(folder: folder))
                    let user = try await device.auth.signIn(with: provider).value.user
                    #expect(user.id == "user-1")
                    #expect(user.providers.map(\.id) == [provider])
                    #expect(user.displayName?.contains("민지") == true)
                    #expect(device.auth.state == .signedIn(user, .verified))
                    let fromTheApp = emulator.journal.entries.filter { $0.caller == .app }
                    #expect(fromTheApp.last?.description.hasSuffix("api.pulseboard.example/auth/sign-in 200") == true)

                    let stored = try everyByte(below: folder)
                    let secrets = emulator.issuedSecrets
                    #expect(secrets.count(where: \.isProviderSecret) >= 3)
                    for secret in secrets {
                        let isStored = stored.contains(secret.value.reveal())
                        #expect(!(isStored && secret.isProviderSecret), "\(secret)")
                    }
                    // The search finds what is there: the session's own tokens.
                    let own = secrets.filter { $0.host == "api.pulseboard.example" && !$0.isProviderSecret }
                    #expect(Set(own.map(\.name)) == ["accessToken", "refreshToken"])
                    for secret in own { #expect(stored.contains(secret.value.reveal()), "\(secret)") }
                }
            }
        }

        private func everyByte(below folder: URL) throws -> String {
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            return files.compactMap { try? Data(contentsOf: folder.appending(path: $0)) }
                .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        }

        nonisolated static let faults: [(EmulatorFault, AuthError.Code)] = [
            (.html, .invalidResponse), (.empty, .invalidResponse), (.malformedJSON, .invalidResponse),
            (.oversized(), .invalidResponse), (.status(401), .invalidCredential), (.status(403), .invalidResponse),
            (.status(404), .misconfigured), (.status(503), .server),
            (.rateLimited(retryAfter: .seconds(7)), .rateLimited), (.dropConnection, .network),
            (.truncated(afterBytes: 1), .network), (.error("account-exists"), .accountExists),
            (.error("user-disabled"), .userDisabled), (.error("409"), .accountExists),
            (.error("second-factor-required"), .secondFactorRequired),
        ]

        @Test(arguments: faults.indices) func aBadAnswerEndsTheAttemptWithATypedError(index: Int) async throws {
            let (fault, code) = Self.faults[index]
            try await withEmulator { emulator in
                let store = MemorySessionStore()
                // The repeated requests need not wait for each other here.
                let device = EmulatedDevice(
                    at: emulator.baseURL, backend: .server, store: store, clock: .withoutPauses)
                // By the page, whose answer is bound: for a better answer of the Naver app the attempt would wait.
                device.apps.installed = []
                emulator.inject(fault, at: .serverSignIn, .always)
                let error = await device.auth.signIn(with: .naver).result.failure
                #expect(error?.code == code)
                #expect(error?.provider == .naver)
                if code == .rateLimited { #expect(error?.retryAfter == .seconds(7)) }
                var states = device.auth.states.makeAsyncIterator()
                while await states.next() == .restoring(.reading) {}
                #expect(device.auth.state == .signedOut(nil))
                let stored = try await store.session()
                #expect(stored == nil)
                emulator.clearFaults()
                #expect(await device.auth.signIn(with: .naver).result.failure == nil)
            }
        }

        @Test func signingOutEndsTheSessionAtTheServer() async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: .server)
                let user = try await device.auth.signIn(with: .kakao).value.user
                #expect(emulator.server.sessionCount(of: user.id) == 1)
                try await device.auth.signOut()
                #expect(emulator.server.sessionCount(of: user.id) == 0)
            }
        }
    }
#endif
