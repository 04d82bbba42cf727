import AuthStreams
import AuthStreamsOAuth
import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

/// Which attempts of an earlier process are resumed, and which are not.
@MainActor
@Suite(.limitedParallelization) struct ResumedAttemptTests {
    /// Another process signs somebody else in.
    private func signInAnotherUser(at emulator: Emulator, in store: MemorySessionStore) async throws -> AuthUser {
        let theirs = MemorySessionStore()
        let other = EmulatedDevice(at: emulator.baseURL, backend: .server, store: theirs)
        let user = try await other.auth.signIn(with: .naver).value.user
        try await store.write(try #require(await theirs.read(.session).data), for: .session)
        return user
    }

    @Test func linkIsResumedForItsUserAlone() async throws {
        for isTheirs in [true, false] {
            try await withEmulator { emulator in
                let store = MemorySessionStore()
                let device = EmulatedDevice(at: emulator.baseURL, backend: .server, store: store)
                let user = try await device.auth.signIn(with: .google).value.user
                let first = Launch(at: emulator.baseURL, store)
                _ = await signedInUser(of: first.auth)
                let attempt = Task { for await _ in first.auth.link(with: .kakao) {} }
                defer { attempt.cancel() }
                let callback = try await answer(to: first.pages.first())

                // The first launch lives on, so it must not see what the second one does.
                let left = try await copy(of: store)
                if !isTheirs {
                    _ = try await signInAnotherUser(at: emulator, in: left)
                }
                let second = Launch(at: emulator.baseURL, left)
                let present = await signedInUser(of: second.auth)
                var events = second.auth.events.makeAsyncIterator()
                #expect(second.auth.handle(callback))
                let end = await event(.changeSucceeded, .changeFailed, .attemptAbandoned, in: &events)
                if isTheirs {
                    #expect(end?.kind == .changeSucceeded && end?.attempt?.operation == .link)
                    #expect(second.auth.user?.id == user.id)
                    #expect(second.auth.user?.providers.map(\.id).contains(.kakao) == true)
                } else {
                    #expect(
                        end?.kind == .attemptAbandoned && end?.failure?.code == .abandoned && end?.provider == .kakao)
                    #expect(second.auth.user == present && present?.id != user.id)
                }
                #expect(try await left.note(.attempt) == nil)
            }
        }
    }

    /// Anyone can make a URL of the app's scheme.
    @Test func forgedAnswerLeavesTheAttempt() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .kakao, Launch(at: emulator.baseURL, store))
            defer { attempt.cancel() }
            let second = Launch(at: emulator.baseURL, store)
            let key = EmulatorConfiguration().kakao.nativeAppKey
            let state = try #require(
                URLComponents(url: callback, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "state" }?
                    .value)
            for query in ["code=x", "code=x&state=y", "code=x&state=", "code=x&state=\(state)&state=\(state)"] {
                var events = second.auth.events.makeAsyncIterator()
                #expect(second.auth.handle(try #require(URL(string: "kakao\(key)://oauth?\(query)"))))
                let outcome = await event(.callbackIgnored, .signInStarted, in: &events)
                #expect(outcome?.kind == .callbackIgnored)
            }
            #expect(!second.auth.handle(URL(literal: "pulseboard://settings")), "The app's own.")
            #expect(second.auth.handle(callback))
            #expect(await signedInUser(of: second.auth) != nil)
        }
    }

    @Test(arguments: [(-601, false), (60, false), (-590, true)])
    func attemptIsResumedForTenMinutes(offset: TimeInterval, isResumed: Bool) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (time, now) = (ManualClock(), Date())
            // Begun at that time; one in the future is of a clock that was set back since.
            let begin = time.authClock(startingAt: now.addingTimeInterval(offset))
            let (callback, attempt) = try await interruptedSignIn(
                with: .naver, Launch(at: emulator.baseURL, store, clock: begin))
            defer { attempt.cancel() }
            let second = Launch(at: emulator.baseURL, store, clock: time.authClock(startingAt: now))
            var events = second.auth.events.makeAsyncIterator()
            #expect(second.auth.handle(callback))
            let end = await event(.signInSucceeded, .signInFailed, .attemptAbandoned, in: &events)
            #expect(end?.kind == (isResumed ? .signInSucceeded : .attemptAbandoned))
            #expect(try await store.note(.attempt) == nil, "It is used once.")
        }
    }

    /// The answers of KakaoTalk and the Naver app repeat no `state`, so any app can make them up.
    @Test(arguments: [ProviderID.kakao, .naver]) func attemptInAnAppIsNotResumed(provider: ProviderID) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let first = Launch(at: emulator.baseURL, store, withApps: true)
            let attempt = Task { for await _ in first.auth.signIn(with: provider, using: .app) {} }
            defer { attempt.cancel() }
            _ = try await first.pages.first()
            let left = try await copy(of: store)
            let stored = String(decoding: try #require(await left.note(.attempt)), as: UTF8.self)
            #expect(!stored.contains("state") && !stored.contains("verifier") && !stored.contains("nonce"))

            let second = Launch(at: emulator.baseURL, left, withApps: true)
            var events = second.auth.events.makeAsyncIterator()
            let apps = EmulatorConfiguration()
            let scheme =
                provider == .kakao
                ? "kakao\(apps.kakao.nativeAppKey)://oauth" : "\(apps.naver.urlScheme)://thirdPartyLoginResult"
            #expect(second.auth.handle(try #require(URL(string: "\(scheme)?code=made-up"))))
            let end = await event(.attemptAbandoned, .callbackIgnored, .signInStarted, in: &events)
            #expect(end?.kind == .attemptAbandoned && end?.provider == provider, "The person learns of it.")
            #expect(try await left.note(.attempt) == nil)
        }
    }

    /// An attempt that ends in its own process leaves nothing.
    @Test func endedAttemptIsForgotten() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let first = Launch(at: emulator.baseURL, store)
            let (_, attempt) = try await interruptedSignIn(with: .google, first)
            #expect(try await store.note(.attempt) != nil)
            attempt.cancel()
            await attempt.value
            #expect(try await store.note(.attempt) == nil)
        }
    }

    @Test func lockedStoreDelaysTheResumption() async throws {
        try await withEmulator { emulator in
            let store = FaultySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .apple, Launch(at: emulator.baseURL, store))
            defer { attempt.cancel() }
            store.lock()
            let second = Launch(at: emulator.baseURL, store)
            #expect(second.auth.handle(callback))
            for await state in second.auth.states where state == .restoring(.waitingForUnlock) { break }
            store.unlock()
            #expect(await signedInUser(of: second.auth) != nil)
        }
    }

    /// What a page that was left open would undo.
    @Test(arguments: ["sign-in", "sign-out"]) func laterDecisionEndsTheAttempt(decision: String) async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .google, Launch(at: emulator.baseURL, store))
            let left = try await copy(of: store)
            attempt.cancel()
            let second = EmulatedDevice(at: emulator.baseURL, backend: .server, store: left)
            if decision == "sign-in" {
                _ = try await second.auth.signIn(with: .kakao).value
            } else {
                try await second.auth.signOut()
            }
            #expect(try await left.note(.attempt) == nil)
            let third = Launch(at: emulator.baseURL, left)
            var events = third.auth.events.makeAsyncIterator()
            #expect(third.auth.handle(callback))
            let end = await event(.callbackIgnored, .signInStarted, .attemptAbandoned, in: &events)
            #expect(end?.kind == .callbackIgnored)
        }
    }

    /// The session of another process is newer than the attempt.
    @Test func signInDoesNotReplaceAUserWhoCameSince() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .google, Launch(at: emulator.baseURL, store))
            defer { attempt.cancel() }
            let left = try await copy(of: store)
            let user = try await signInAnotherUser(at: emulator, in: left)
            let second = Launch(at: emulator.baseURL, left)
            var events = second.auth.events.makeAsyncIterator()
            #expect(second.auth.handle(callback))
            let end = await event(.signInStarted, .attemptAbandoned, in: &events)
            #expect(end?.kind == .attemptAbandoned)
            #expect(second.auth.user?.id == user.id)
        }
    }

    /// A deletion is asked for again: its page must not become a link or a proof.
    @Test func deletionIsNotStored() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let device = EmulatedDevice(at: emulator.baseURL, backend: .server, store: store)
            _ = try await device.auth.signIn(with: .kakao).value
            let first = Launch(at: emulator.baseURL, store)
            _ = await signedInUser(of: first.auth)
            let deletion = Task { for await _ in first.auth.deleteAccount() {} }
            defer { deletion.cancel() }
            _ = try await first.pages.first()
            #expect(try await store.note(.attempt) == nil)
        }
    }

    @Test func secretsAreRemovedAfterTenMinutes() async throws {
        try await withEmulator { emulator in
            let store = MemorySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .google, Launch(at: emulator.baseURL, store))
            let left = try await copy(of: store)
            attempt.cancel()
            let clock = ManualClock()
            let second = Launch(at: emulator.baseURL, left, clock: clock.authClock(startingAt: Date()))
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(602))
            var stored = "verifier"
            try await wait(for: "the verifier to be removed") {
                stored = String(decoding: try #require(await left.note(.attempt)), as: UTF8.self)
                return !stored.contains("verifier")
            }
            #expect(!stored.contains("state") && !stored.contains("nonce"))
            var events = second.auth.events.makeAsyncIterator()
            #expect(second.auth.handle(callback))
            let end = await event(.signInStarted, .callbackIgnored, .attemptAbandoned, in: &events)
            #expect(end?.kind == .attemptAbandoned, "The person learns of it.")
        }
    }

    @Test func storeThatFailsIsAskedAgain() async throws {
        try await withEmulator { emulator in
            let store = FaultySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .apple, Launch(at: emulator.baseURL, store))
            defer { attempt.cancel() }
            let second = Launch(at: emulator.baseURL, store)
            for await state in second.auth.states where state == .signedOut(nil) { break }
            var events = second.auth.events.makeAsyncIterator()
            store.fail(.read)
            #expect(second.auth.handle(callback))
            let failure = await event(.storageFailed, in: &events)
            #expect(failure?.failure?.code == .storage)
            store.heal()
            #expect(await signedInUser(of: second.auth) != nil)
        }
    }

    /// One waits for the store, one waits after it, and of those only the newest.
    @Test func displacedURLIsReported() async throws {
        try await withEmulator { emulator in
            let store = FaultySessionStore()
            store.lock()
            let launch = Launch(at: emulator.baseURL, store)
            var events = launch.auth.events.makeAsyncIterator()
            let key = EmulatorConfiguration().kakao.nativeAppKey
            let urls = try (0..<3).map { try #require(URL(string: "kakao\(key)://oauth?code=\($0)&state=x")) }
            for url in urls { #expect(launch.auth.handle(url)) }
            _ = await event(.callbackIgnored, in: &events)
            store.unlock()
            _ = await event(.callbackIgnored, in: &events)
        }
    }

    /// A service that is released before the store was read leaves the attempt for the next launch.
    @Test func releasedServiceLeavesTheAttempt() async throws {
        try await withEmulator { emulator in
            let store = FaultySessionStore()
            let (callback, attempt) = try await interruptedSignIn(
                with: .google, Launch(at: emulator.baseURL, store))
            defer { attempt.cancel() }
            store.lock()
            var second: Launch? = Launch(at: emulator.baseURL, store)
            for await state in try #require(second).auth.states where state == .restoring(.waitingForUnlock) { break }
            #expect(second?.auth.handle(callback) == true)
            weak var released: AuthService?
            released = second?.auth
            second = nil
            #expect(released == nil, "What waits for the unlock does not keep it.")
            store.unlock()
            let third = Launch(at: emulator.baseURL, store)
            var events = third.auth.events.makeAsyncIterator()
            #expect(third.auth.handle(callback))
            #expect(await event(.signInSucceeded, .callbackIgnored, in: &events)?.kind == .signInSucceeded)
        }
    }
}
