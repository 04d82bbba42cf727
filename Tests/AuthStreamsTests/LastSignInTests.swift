import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The method of the last sign-in on the device, which buttons show with a badge.
@Suite struct LastSignInTests {
    private let store = FaultySessionStore()

    private func service(
        _ providers: [any AuthProvider] = [ScriptedProvider(.kakao, methodKinds: [.app, .web])],
        _ repository: any AuthRepository = ScriptedRepository(), clock: AuthClock = .system
    ) -> AuthService {
        AuthService(
            repository: repository, providers: providers, store: store, callbacks: CallbackRouter(), clock: clock)
    }

    /// A service whose first reading has begun. One that begins later repeats a write that failed.
    private func readService(
        _ repository: any AuthRepository = ScriptedRepository(), clock: AuthClock
    ) async -> AuthService {
        let reading = store.hold(.read, of: .notes)
        let service = service([ScriptedProvider(.kakao, methodKinds: [.app, .web])], repository, clock: clock)
        await reading.reached()
        reading.release()
        return service
    }

    /// Waits until the service has read that value.
    private func wait(for method: SignInMethod?, of auth: AuthService) async {
        for await last in auth.lastSignIns where last == method { return }
    }

    @Test func signInTellsTheProviderAndTheNamedKind() async throws {
        let auth = service()
        #expect(auth.lastSignIn == nil)
        _ = try await auth.signIn(with: .kakao, using: .web).value
        #expect(auth.lastSignIn == SignInMethod(.kakao, using: .web))
    }

    @Test func providerThatChoosesAmongSeveralKindsNamesNone() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.lastSignIn == SignInMethod(.kakao))
    }

    @Test func onlyKindOfAProviderNeedsNoName() async throws {
        let auth = service([ScriptedProvider(.apple, methodKinds: [.sheet])])
        _ = try await auth.signIn(with: .apple).value
        #expect(auth.lastSignIn == SignInMethod(.apple, using: .sheet))
    }

    @Test func itSurvivesTheSignOutAndTheProcess() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao, using: .app).value
        try await auth.signOut()
        #expect(auth.lastSignIn == SignInMethod(.kakao, using: .app))
        let later = service()
        await wait(for: SignInMethod(.kakao, using: .app), of: later)
        #expect(later.state == .signedOut(nil))
    }

    @Test func failedSignInChangesNothing() async throws {
        let auth = service([ScriptedProvider(.kakao), ScriptedProvider.failing(.naver, with: .cancelled)])
        _ = try await auth.signIn(with: .kakao).value
        _ = await auth.signIn(with: .naver).result
        #expect(auth.lastSignIn?.provider == .kakao)
    }

    @Test func linkedProviderAndAnonymousUserAreNoSignIn() async throws {
        let auth = service([ScriptedProvider(.kakao), ScriptedProvider(.naver)])
        _ = try await auth.signIn(with: .kakao).value
        _ = try await auth.link(with: .naver).value
        try await auth.signOut()
        _ = try await auth.signInAnonymously().value
        #expect(auth.lastSignIn?.provider == .kakao)
    }

    @Test func itGoesWithTheDeletedAccount() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        try await auth.deleteAccount().value
        #expect(auth.lastSignIn == nil)
        #expect(try await store.note(.lastSignIn) == nil)
    }

    @Test func itGoesWithAnAccountThatTheServerNoLongerKnows() async throws {
        var account = ScriptedAccount()
        account.refresh = { _ in throw AuthError(.userNotFound, "The script says so.") }
        let auth = service([ScriptedProvider(.kakao)], ScriptedRepository(account: account))
        _ = try await auth.signIn(with: .kakao).value
        await #expect(throws: AuthError.self) { try await auth.accessToken(forceRefresh: true) }
        await wait(for: nil, of: auth)
        #expect(try await store.note(.lastSignIn) == nil)
    }

    /// A process that finds no session after a restart would never learn that the account is gone.
    @Test func itIsForgottenBeforeTheSessionOfADeletedAccount() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        let hold = store.hold(.write, of: .session)
        let deleting = Task { try await auth.deleteAccount().value }
        await hold.reached()
        #expect(try await store.note(.lastSignIn) == nil)
        hold.release()
        try await deleting.value
    }

    @Test func itGoesWithTheIdentityThatIsUnlinked() async throws {
        let auth = service([ScriptedProvider(.kakao), ScriptedProvider(.naver)])
        _ = try await auth.signIn(with: .kakao).value
        for provider in [ProviderID.kakao, .naver] { _ = try await auth.link(with: provider).value }
        _ = try await auth.unlink(.naver).value
        #expect(auth.lastSignIn?.provider == .kakao)
        _ = try await auth.link(with: .naver).value
        _ = try await auth.unlink(.kakao).value
        #expect(auth.lastSignIn == nil)
        #expect(try await store.note(.lastSignIn) == nil)
    }

    @Test func firstIdentityOfAnAnonymousUserCountsAsASignIn() async throws {
        let auth = service()
        _ = try await auth.signInAnonymously().value
        _ = try await auth.link(with: .kakao, using: .web).value
        #expect(auth.lastSignIn == SignInMethod(.kakao, using: .web))
    }

    /// The anonymous user's account says nothing about the person's other one.
    @Test func itStaysWhenAnotherUsersAccountIsDeleted() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        try await auth.signOut()
        _ = try await auth.signInAnonymously().value
        try await auth.deleteAccount().value
        #expect(auth.lastSignIn?.provider == .kakao)
    }

    @Test func lockedRecordIsReadOnceItIsUnlocked() async throws {
        let earlier = service()
        _ = try await earlier.signIn(with: .kakao).value
        // Without a session, the only wait is the one before the next reading.
        try await earlier.signOut()
        let clock = ManualClock()
        store.fail(.read, of: .notes, with: AuthError(.storageLocked, "The device is locked."))
        let later = service(clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
        await clock.waitForSleepers(count: 1)
        #expect(later.lastSignIn == nil)
        store.heal()
        clock.advance(by: .seconds(60))
        await wait(for: SignInMethod(.kakao), of: later)
    }

    @Test func launchDoesNotWaitForIt() async throws {
        _ = try await service().signIn(with: .kakao).value
        let hold = store.hold(.read, of: .notes)
        let later = service()
        for await state in later.states { if case .signedIn = state { break } }
        #expect(later.lastSignIn == nil)
        hold.release()
        await wait(for: SignInMethod(.kakao), of: later)
    }

    @Test func storeThatFailsIsReadAgain() async throws {
        let earlier = service()
        _ = try await earlier.signIn(with: .kakao).value
        // Without a session, the only wait is the one before the next reading.
        try await earlier.signOut()
        let clock = ManualClock()
        store.fail(.read, of: .notes)
        let later = service(clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
        await clock.waitForSleepers(count: 1)
        #expect(later.lastSignIn == nil)
        store.heal()
        clock.advance(by: .seconds(60))
        await wait(for: SignInMethod(.kakao), of: later)
    }

    @Test func whatTheStoreDidNotTakeIsShownAndWrittenLater() async throws {
        let clock = ManualClock()
        let auth = await readService(clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
        store.fail(.write, of: .notes, times: 2)
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.lastSignIn == SignInMethod(.kakao))
        #expect(try await store.note(.lastSignIn) == nil)
        // Without a session, the only waits are those of the record.
        try await auth.signOut()
        for _ in 0..<2 {
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(60))
        }
        let changes = store.changes(of: .notes)
        if try await store.note(.lastSignIn) == nil { for await _ in changes { break } }
        let later = service()
        await wait(for: SignInMethod(.kakao), of: later)
    }

    /// Two processes share the store, and the first can write only after the second has.
    @Test func writeThatIsLateReplacesNoLaterSignIn() async throws {
        let (waits, date) = (ManualClock(), Lock(Date(timeIntervalSince1970: 0)))
        let clock = AuthClock(waits) { date.withLock { $0 } }
        let first = await readService(clock: clock)
        store.fail(.write, of: .notes, times: 1)
        _ = try await first.signIn(with: .kakao, using: .web).value
        #expect(try await store.note(.lastSignIn) == nil)
        try await first.signOut()
        date.withLock { $0 += 10 }
        _ = try await service(clock: clock).signIn(with: .kakao, using: .app).value
        await wait(for: SignInMethod(.kakao, using: .app), of: first)
        await wait(for: SignInMethod(.kakao, using: .app), of: service(clock: clock))
    }

    @Test func accountThatTheStoreDidNotForgetIsForgottenLater() async throws {
        let clock = ManualClock()
        var account = ScriptedAccount()
        account.deleteAccount = { [store] _ in store.fail(.write, of: .notes) }
        let auth = await readService(
            ScriptedRepository(account: account),
            clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
        _ = try await auth.signIn(with: .kakao).value
        try await auth.deleteAccount().value
        #expect(auth.lastSignIn == nil)
        #expect(try await store.note(.lastSignIn) != nil)
        let changes = store.changes(of: .notes)
        await clock.waitForSleepers(count: 1)
        store.heal()
        clock.advance(by: .seconds(60))
        if try await store.note(.lastSignIn) != nil { for await _ in changes { break } }
        #expect(try await store.note(.lastSignIn) == nil)
    }

    @Test func signInBecomesKnownAlsoIfTheStoreIsLocked() async throws {
        let auth = service()
        for await state in auth.states { if state == .signedOut(nil) { break } }
        store.lock()
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.lastSignIn == SignInMethod(.kakao))
    }

    @Test func callerThatIsCancelledMeanwhileIsStillSignedIn() async throws {
        let auth = service()
        let hold = store.hold(.write, of: .notes)
        let attempt = Task { await auth.signIn(with: .kakao).result }
        await hold.reached()
        attempt.cancel()
        hold.release()
        #expect(try await attempt.value.get().user.id == "kakao:1001")
        #expect(auth.lastSignIn == SignInMethod(.kakao))
    }

    @Test func providerAndKindThatTheServiceLacksAreNotNamed() async throws {
        _ = try await service().signIn(with: .kakao, using: .web).value
        let withoutKind = service([ScriptedProvider(.kakao, methodKinds: [.app])])
        await wait(for: SignInMethod(.kakao), of: withoutKind)
        let withoutProvider = service([ScriptedProvider(.naver), ScriptedProvider(.apple)])
        _ = try await withoutProvider.signIn(with: .naver).value
        await wait(for: SignInMethod(.naver, using: .standard), of: withoutProvider)
        await wait(for: nil, of: withoutKind)
    }

    /// The identifier says who used the device.
    @Test func storeHoldsNoIdentifierOfTheUser() async throws {
        _ = try await service().signIn(with: .kakao).value
        let data = try #require(try await store.note(.lastSignIn))
        #expect(!String(decoding: data, as: UTF8.self).contains("1001"))
    }

    @Test func signInOfAnotherProcessIsFollowed() async throws {
        let here = service()
        _ = try await service().signIn(with: .kakao, using: .web).value
        await wait(for: SignInMethod(.kakao, using: .web), of: here)
    }

    /// It may be one of a newer version of the app.
    @Test func recordThatCannotBeReadIsNoneAndStays() async throws {
        let record = Data(#"{"version":2}"#.utf8)
        try await store.setNote(.lastSignIn, to: record)
        let hold = store.hold(.read, .after, of: .notes)
        let auth = service()
        await hold.reached()
        hold.release()
        _ = try await auth.signInAnonymously().value
        #expect(auth.lastSignIn == nil)
        #expect(try await store.note(.lastSignIn) == record)
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.lastSignIn == SignInMethod(.kakao))
    }

    @Test func readersEndWithTheService() async throws {
        let last = service().lastSignIns
        let seen = Promise<[SignInMethod?]>()
        let reader = Task { seen.resolve(await last.reduce(into: []) { $0.append($1) }) }
        defer { reader.cancel() }
        try await TestSupport.wait(for: "the reader to end") { seen.current != nil }
        #expect(seen.current == [nil])
    }
}
