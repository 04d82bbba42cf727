import AuthStreamsTesting
import Foundation
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

    /// Waits until the service has read that value.
    private func wait(for method: SignInMethod?, of auth: AuthService) async {
        for await last in auth.lastSignIns where last == method { return }
    }

    @Test func providerAndNamedKindAreKnownOnceSomeoneHasSignedIn() async throws {
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
        #expect(try await store.read(.lastSignIn).data == nil)
    }

    @Test func itGoesWithAnAccountThatTheServerNoLongerKnows() async throws {
        var account = ScriptedAccount()
        account.refresh = { _ in throw AuthError(.userNotFound, "The script says so.") }
        let auth = service([ScriptedProvider(.kakao)], ScriptedRepository(account: account))
        _ = try await auth.signIn(with: .kakao).value
        await #expect(throws: AuthError.self) { try await auth.accessToken(forceRefresh: true) }
        await wait(for: nil, of: auth)
        #expect(try await store.read(.lastSignIn).data == nil)
    }

    /// What is shown is what the store holds.
    @Test func itStaysWhereTheStoreCannotForgetIt() async throws {
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        store.fail(.remove, of: .lastSignIn)
        try await auth.deleteAccount().value
        #expect(auth.lastSignIn == SignInMethod(.kakao))
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

    @Test func lockedStoreIsReadOnceItIsUnlocked() async throws {
        _ = try await service().signIn(with: .kakao).value
        store.lock()
        let later = service()
        #expect(later.lastSignIn == nil)
        store.unlock()
        await wait(for: SignInMethod(.kakao), of: later)
    }

    @Test func launchDoesNotWaitForIt() async throws {
        _ = try await service().signIn(with: .kakao).value
        let hold = store.hold(.read, of: .lastSignIn)
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
        store.fail(.read, of: .lastSignIn, times: 1)
        let later = service(clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 0)))
        await clock.waitForSleepers(count: 1)
        #expect(later.lastSignIn == nil)
        clock.advance(by: .seconds(60))
        await wait(for: SignInMethod(.kakao), of: later)
    }

    @Test func storeThatCannotBeWrittenDoesNotStopTheSignIn() async throws {
        store.fail(.write, of: .lastSignIn)
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.lastSignIn == nil)
    }

    @Test func signInOfAnotherProcessIsFollowed() async throws {
        let here = service()
        _ = try await service().signIn(with: .kakao, using: .web).value
        await wait(for: SignInMethod(.kakao, using: .web), of: here)
    }

    @Test func damagedRecordIsNone() async throws {
        _ = try await store.write(Data("{".utf8), for: .lastSignIn, replacing: .none)
        let auth = service()
        _ = try await auth.signIn(with: .kakao).value
        #expect(auth.lastSignIn == SignInMethod(.kakao))
    }

    @Test func readersEndWithTheService() async {
        let last = service().lastSignIns
        for await _ in last {}
    }
}
