import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The session of another SDK is adopted at the first launch, without signing anyone out.
@Suite struct AdoptionAtLaunchTests: AdoptionSuite {
    let store = FaultySessionStore()
    let clock = ManualClock()

    @Test(arguments: [nameless, adas]) func noUserIsSignedOutByTheChange(adoptable: AdoptableSession) async throws {
        let auth = service(server(.success(Self.ada))) { adoptable }
        let seen = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
        #expect(!seen.contains { $0.isSignedOut })
        #expect(try await kept() == .established(Self.ada))
    }

    @Test func withoutANetworkAtFirstLaunchAKnownUserIsSignedInAllTheSame() async throws {
        let repository = server(failure(.network), failure(.server), .success(Self.ada))
        let auth = service(repository) { Self.adas }
        let offline = await auth.states.prefix { if case .signedIn(_, .offline) = $0 { true } else { false } }
        #expect(offline.suffix(2).allSatisfy { $0.user == Self.ada.user } && offline.last?.user == Self.ada.user)
        #expect(try await kept() == .adoptable(Self.adas))
        for _ in 0..<2 {
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
        }
        let seen = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
        #expect(seen.allSatisfy { $0.user == Self.ada.user })
        #expect(repository.calls == [.adopt, .adopt, .adopt])
    }

    @Test func withoutANetworkAtFirstLaunchTheNextLaunchGoesOn() async throws {
        do {
            let auth = service(server(failure(.network))) { Self.nameless }
            await clock.waitForSleepers(count: 1)
            #expect(auth.state == .restoring(.adopting))
        }
        // The other SDK's copy is gone by now.
        let auth = service(server(.success(Self.ada)), find: nil)
        let seen = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
        #expect(!seen.contains(.signedOut(nil)))
    }

    /// The first request may have used the token up. The second did not arrive, which does not change that.
    @Test func failedRepeatLeavesTheMarkForTheNextLaunch() async throws {
        do {
            let auth = service(server(failure(.timedOut), .failure(RefreshScene.offline))) { Self.adas }
            for _ in 0..<2 {
                await clock.waitForSleepers(count: 1)
                clock.advanceToNextSleeper()
            }
            await clock.waitForSleepers(count: 1)
            #expect(auth.user == Self.ada.user)
        }
        let auth = service(server(failure(.sessionExpired)), find: nil)
        let seen = await auth.states.prefix { $0.isSignedOut }
        #expect(seen.last == .signedOut(.refreshInterrupted))
    }

    @Test func outageBeginsWithTheFirstFailure() async throws {
        let auth = service(server(failure(.network))) { Self.adas }
        for _ in 0..<3 {
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
        }
        await clock.waitForSleepers(count: 1)
        #expect(auth.state == .signedIn(Self.ada.user, .offline(since: Date(timeIntervalSince1970: 1_000_000))))
    }

    @Test func accountThatIsGoneIsNotTheLastSignInAnyMore() async throws {
        await LastSignIns(manager: SessionManager(store: store)).note(SignInMethod(.kakao), of: Self.ada.user.id)
        let auth = service(server(failure(.userNotFound))) { Self.adas }
        let seen = await auth.states.prefix { $0.isSignedOut }
        #expect(seen.last == .signedOut(.deleted))
        #expect(try await store.note(.lastSignIn) == nil)
    }

    /// A proxy may have answered, or the server's form is another one.
    @Test func answerThatIsNotUnderstoodIsAskedForThreeTimes() async throws {
        let no = failure(.invalidResponse)
        let repository = server(no, no, no, no, .success(Self.ada))
        let auth = service(repository)
        let pauses = endingPauses()
        defer { pauses.cancel() }
        let error = await outcome(of: auth.adopt(refreshToken: Secret("old token")))?.error
        #expect(error?.code == .invalidResponse)
        #expect(repository.calls == [.adopt, .adopt, .adopt])
    }

    /// The launch screen shows until it is known who is signed in.
    @Test func unknownUserWaitsForAMinuteAtMost() async throws {
        let busy = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(90))
        let auth = service(server(failure(.server), failure(.server), .failure(busy), failure(.server))) {
            Self.nameless
        }
        var waits: [Duration] = []
        for _ in 0..<12 {
            await clock.waitForSleepers(count: 1)
            waits.append(try #require(clock.advanceToNextSleeper()))
        }
        #expect(waits[2] == .seconds(90))
        waits.remove(at: 2)
        #expect(waits.allSatisfy { $0 <= .seconds(60) } && waits.suffix(3).allSatisfy { $0 == .seconds(60) })
        #expect(auth.state == .restoring(.adopting))
    }

    @Test func theAdoptableSessionIsAskedForOnlyWhileTheStoreIsEmpty() async throws {
        let asked = Lock(0)
        let ask: @Sendable () async throws -> AdoptableSession? = {
            asked.withLock { $0 += 1 }
            return Self.nameless
        }
        try await store.write(SessionRecord(Self.ada).data(), for: .session)
        let auth = service(server(.success(Self.ada)), find: ask)
        _ = await auth.states.prefix { $0.user != nil }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func aSignOutIsNotUndoneByTheCopyThatTheOtherSDKStillHas() async throws {
        do {
            let auth = service(server(.success(Self.ada))) { Self.nameless }
            _ = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
            try await auth.signOut()
        }
        let repository = server(.success(Self.ada))
        let auth = service(repository) { Self.nameless }
        let seen = await auth.states.prefix { $0.isSignedOut }
        #expect(seen.last == .signedOut(nil))
        #expect(repository.calls.isEmpty)
    }

    @Test func whatIsLockedIsNotEmpty() async throws {
        let isLocked = Lock(true)
        store.lock()
        let auth = service(server(.success(Self.ada))) {
            if isLocked.withLock({ $0 }) { throw AuthError(.storageLocked, "Scripted.") }
            return Self.nameless
        }
        _ = await auth.states.prefix { $0 == .restoring(.waitingForUnlock) }
        isLocked.withLock { $0 = false }
        store.unlock()
        let seen = await auth.states.prefix { $0.user != nil }
        #expect(!seen.contains { $0.isSignedOut })
    }

    @Test func whatIsLockedElsewhereIsAskedForAgainNowAndThen() async throws {
        let locks = Lock(4)
        let auth = service(server(.success(Self.ada))) {
            let isLocked = locks.withLock { left in
                left -= 1
                return left >= 0
            }
            if isLocked { throw AuthError(.storageLocked, "Scripted.") }
            return Self.nameless
        }
        // The store itself is not locked, so waiting for it does not help.
        for seconds in [1, 2, 3] {
            await clock.waitForSleepers(count: 1)
            #expect(auth.state == .restoring(.waitingForUnlock))
            #expect(clock.advanceToNextSleeper() == .seconds(seconds))
        }
        #expect(await auth.states.prefix { $0.user != nil }.last?.user == Self.ada.user)
    }

    @Test func malformedAdoptableSessionIsReportedAndNotSent() async throws {
        let manager = SessionManager(
            store: store, adoption: SessionAdoption(find: { AdoptableSession(refreshToken: Secret(" ")) }))
        var events = manager.events.makeAsyncIterator()
        _ = try await manager.restore()
        #expect(
            await events.next()?.withoutExplanation == AuthEvent(.adoptionRefused, failure: .init(.invalidCredential)))
        #expect(manager.state == .signedOut(nil))
        #expect(manager.read({ $0.active }) == nil)
        #expect(try await store.session() == nil)
    }

    @Test func signOutWhileTheAdoptableSessionIsAskedForIsNotUndoneByTheNextLaunch() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        do {
            let auth = service(server(.success(Self.ada))) {
                asked.resolve(())
                _ = await answer.value()
                return Self.nameless
            }
            _ = await asked.value()
            try await auth.signOut()
            answer.resolve(())
        }
        let repository = server(.success(Self.ada))
        let auth = service(repository) { Self.nameless }
        #expect(await noUserComesBack(to: auth))
        #expect(repository.calls.isEmpty)
    }

    @Test func aSignOutIsNotUndoneWhereALaunchDiedBeforeItNotedTheAdoption() async throws {
        try await store.write(SessionRecord(Self.nameless).data(), for: .session)
        do {
            let auth = service(server(.success(Self.ada))) { Self.nameless }
            _ = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .verified) }
            try await auth.signOut()
        }
        let auth = service(server(.success(Self.ada))) { Self.nameless }
        #expect(await noUserComesBack(to: auth))
    }

    @Test func signOutOfAnotherUserBringsNoUserBack() async throws {
        do {
            let auth = service(server(.success(Self.ada))) { throw AuthError(.storage, "Scripted.") }
            _ = await auth.states.prefix { $0 == .signedOut(nil) }
            _ = try await auth.signIn(with: .kakao).value
            try await auth.signOut()
        }
        let auth = service(server(.success(Self.ada))) { Self.nameless }
        #expect(await noUserComesBack(to: auth))
    }

    @Test func aSignOutThatCannotBeNotedForgetsTheSession() async throws {
        // A session of before there was anything to note.
        try await store.write(SessionRecord(Self.ada).data(), for: .session)
        let auth = service(server(.success(Self.ada))) { Self.nameless }
        _ = await auth.states.prefix { $0 == .signedIn(Self.ada.user, .cached) }
        store.fail(.write)
        try await auth.signOut()
        #expect(try await store.session() == nil)
        store.heal()
        #expect(await noUserComesBack(to: service(server(.success(Self.ada))) { Self.nameless }))
    }

    private func noUserComesBack(to auth: AuthService) async -> Bool {
        await auth.states.prefix { state in
            switch state {
            case .signedOut, .signedIn, .restoring(.adopting): true
            default: false
            }
        }.last == .signedOut(nil)
    }

    @Test func cancellationThatFindThrowsIsAFailure() async throws {
        let auth = service(server(.success(Self.ada))) { throw CancellationError() }
        let seen = await auth.states.prefix { $0.isSignedOut }
        #expect(seen.last == .signedOut(nil))
    }
}
