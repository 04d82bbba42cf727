#if os(macOS) || os(Linux)
    import AuthStreams
    import AuthStreamsTesting
    import Foundation
    import TestSupport
    import Testing

    /// Changes and ends of an account, from a tap to both back ends and the providers behind them.
    @MainActor
    @Suite struct AccountTests {
        nonisolated static let providers: [ProviderID] = [.apple, .google, .kakao, .naver]

        /// What ends the app's access at the provider, as the provider hears it.
        private func revocations(_ emulator: Emulator, _ provider: ProviderID) -> [EmulatorJournal.Entry] {
            emulator.journal.entries.filter { entry in
                guard entry.status == 200 else { return false }
                return switch provider {
                case .apple: entry.host == "appleid.apple.com" && entry.path == "/auth/revoke"
                case .google: entry.host == "oauth2.googleapis.com" && entry.path == "/revoke"
                case .kakao: entry.path == "/v1/user/unlink"
                default: entry.host == "nid.naver.com" && entry.path == "/oauth2.0/token"
                }
            }
        }

        private func users(_ emulator: Emulator, _ backend: EmulatedDevice.Backend) -> [String] {
            switch backend {
            case .firebase: emulator.firebase.users.map(\.id)
            case .server: emulator.server.users.map(\.id)
            }
        }

        // MARK: Deleting

        @Test(arguments: EmulatedDevice.Backend.allCases, providers)
        func deletingRevokesAtTheProviderAndEndsTheAccount(
            backend: EmulatedDevice.Backend, provider: ProviderID
        ) async throws {
            try await withEmulator { emulator in
                let store = MemorySessionStore()
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend, store: store)
                let user = try await device.auth.signIn(with: provider).value.user
                #expect(users(emulator, backend) == [user.id])
                let before = revocations(emulator, provider).count
                try await device.auth.deleteAccount().value
                #expect(revocations(emulator, provider).count > before)
                #expect(users(emulator, backend).isEmpty)
                #expect(device.auth.state == .signedOut(.deleted))
                #expect(try await store.session() == nil)
                #expect(try await store.note(.deletion) == nil)
                // A user who signs in now begins anew. A function may give them the identifier that they had.
                let next = try await device.auth.signIn(with: provider).value.user
                #expect(users(emulator, backend) == [next.id])
                #expect(await device.auth.pendingDeletion == nil)
            }
        }

        @Test(arguments: EmulatedDevice.Backend.allCases)
        func lostAnswerToTheDeletionIsAskedForAgainAndThenDone(backend: EmulatedDevice.Backend) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                _ = try await device.auth.signIn(with: .kakao).value
                emulator.inject(.dropConnection, at: backend == .firebase ? .accountDeletion : .serverAccount)
                #expect(await device.auth.deleteAccount().result.failure?.code == .network)
                #expect(device.auth.user != nil)
                #expect(await device.auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: true))
                let asked = device.apps.visits[.kakaoTalk]
                try await device.auth.deleteAccount().value
                #expect(device.apps.visits[.kakaoTalk] == asked, "Not asked again.")
                #expect(device.auth.state == .signedOut(.deleted))
                #expect(users(emulator, backend).isEmpty)
            }
        }

        /// Sends each DELETE twice and returns the second answer, as Apple's `URLSession` may do by itself (QA1941).
        private struct RepeatingTransport: AuthHTTPTransport {
            let network = URLSessionTransport.untimed()

            func send(_ request: AuthHTTPRequest) async throws(AuthError) -> AuthHTTPResponse {
                if request.method == .delete { _ = try await network.send(request) }
                return try await network.send(request)
            }
        }

        @Test func whatTheSystemDeletesTwiceIsDeleted() async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(
                    at: emulator.baseURL, backend: .server, transport: RepeatingTransport())
                _ = try await device.auth.signIn(with: .google).value
                _ = try await device.auth.link(with: .kakao).value
                let user = try await device.auth.unlink(.kakao).value
                #expect(user.providers.map(\.id) == [.google])
                try await device.auth.deleteAccount().value
                #expect(device.auth.state == .signedOut(.deleted))
                #expect(await device.auth.pendingDeletion == nil)
                #expect(emulator.server.users.isEmpty)
                #expect(emulator.journal.entries.count { $0.method == "DELETE" } == 4)
            }
        }

        @Test(arguments: EmulatedDevice.Backend.allCases)
        func turningBackAtTheProviderLeavesTheAccount(backend: EmulatedDevice.Backend) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let user = try await device.auth.signIn(with: .kakao).value.user
                device.apps.kakaoTalk = .cancel
                #expect(await device.auth.deleteAccount().result.failure?.code == .cancelled)
                #expect(device.auth.user == user)
                #expect(users(emulator, backend) == [user.id])
                #expect(await device.auth.pendingDeletion == nil)
            }
        }

        // MARK: Linking

        @Test(arguments: EmulatedDevice.Backend.allCases)
        func anonymousUserKeepsTheIdentifierWhenLinked(backend: EmulatedDevice.Backend) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let guest = try await device.auth.signInAnonymously().value.user
                #expect(guest.isAnonymous)
                for (index, provider) in Self.providers.enumerated() {
                    let user = try await device.auth.link(with: provider).value
                    #expect(user.id == guest.id)
                    #expect(!user.isAnonymous)
                    #expect(user.providers.count == index + 1)
                }
                #expect(users(emulator, backend) == [guest.id])
                for provider in Self.providers.dropLast() {
                    let user = try await device.auth.unlink(provider).value
                    #expect(!user.providers.contains { $0.id == provider })
                }
                #expect(await device.auth.unlink(.naver).result.failure?.code == .lastProvider)
                try await device.auth.signOut()
                #expect(try await device.auth.signIn(with: .naver).value.user.id == guest.id)
            }
        }

        @Test(arguments: EmulatedDevice.Backend.allCases)
        func identityOfAnotherUserIsAConflictFromWhichOneGoesOn(backend: EmulatedDevice.Backend) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let other = try await device.auth.signIn(with: .google).value.user
                try await device.auth.signOut()
                let guest = try await device.auth.signInAnonymously().value.user
                let error = await device.auth.link(with: .google).result.failure
                #expect(error?.code == .credentialInUse)
                #expect(device.auth.user == guest)
                let credential = try #require(error?.conflict?.credential)
                #expect(try await device.auth.signIn(credential: credential).value.user.id == other.id)
            }
        }

        @Test(arguments: EmulatedDevice.Backend.allCases, providers)
        func personProvesOnceMoreThatItIsThem(
            backend: EmulatedDevice.Backend, provider: ProviderID
        ) async throws {
            try await withEmulator { emulator in
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let user = try await device.auth.signIn(with: provider).value.user
                #expect(try await device.auth.reauthenticate().value.id == user.id)
                #expect(device.auth.user?.id == user.id)
                #expect(users(emulator, backend) == [user.id])
                _ = try await device.auth.accessToken(forceRefresh: true)
            }
        }

        // MARK: What the server ends

        enum End: CaseIterable { case disabled, deleted, revoked }

        @Test(arguments: EmulatedDevice.Backend.allCases, End.allCases)
        func whatTheServerEndsIsShownOnce(backend: EmulatedDevice.Backend, end: End) async throws {
            try await withEmulator { emulator in
                let store = MemorySessionStore()
                let device = EmulatedDevice(at: emulator.baseURL, backend: backend, store: store)
                let user = try await device.auth.signIn(with: .kakao).value.user
                var states = device.auth.states.makeAsyncIterator()
                _ = await states.next()
                switch (backend, end) {
                case (.firebase, .disabled): emulator.firebase.disable(user.id)
                case (.firebase, .deleted): emulator.firebase.delete(user.id)
                case (.firebase, .revoked): emulator.firebase.revokeRefreshTokens(of: user.id)
                case (.server, .disabled): emulator.server.disable(user.id)
                case (.server, .deleted): emulator.server.delete(user.id)
                case (.server, .revoked): emulator.server.revokeSessions(of: user.id)
                }
                for _ in 0..<2 { _ = try? await device.auth.accessToken(forceRefresh: true) }
                let reason = await states.next()
                switch (backend, end) {
                case (_, .disabled): #expect(reason == .signedOut(.disabled))
                case (_, .deleted): #expect(reason == .signedOut(.deleted))
                case (.server, .revoked): #expect(reason == .signedOut(.revoked))
                case (.firebase, .revoked): #expect(reason == .signedOut(.expired) || reason == .signedOut(.revoked))
                }
                #expect(try await store.session() == nil)
                // And nothing else until they sign in again, which only a disabled user cannot.
                let again = await device.auth.signIn(with: .kakao).result
                #expect(await states.next() == .signingIn(.kakao, .presenting))
                #expect((again.failure?.code == .userDisabled) == (end == .disabled))
            }
        }

        @Test(arguments: EmulatedDevice.Backend.allCases)
        func signingOutEverywhereEndsTheSessionOfAnotherDevice(backend: EmulatedDevice.Backend) async throws {
            try await withEmulator { emulator in
                let ours = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let theirs = EmulatedDevice(at: emulator.baseURL, backend: backend)
                let user = try await ours.auth.signIn(with: .google).value.user
                #expect(try await theirs.auth.signIn(with: .google).value.user.id == user.id)
                try await ours.auth.signOut(everywhere: true)
                #expect(ours.auth.state == .signedOut(.user))
                _ = try? await theirs.auth.accessToken(forceRefresh: true)
                #expect(theirs.auth.user == nil)
            }
        }
    }
#endif
