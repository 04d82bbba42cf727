import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// A provider that reports that a person withdrew the app's access.
@Suite struct RevokedAccessTests: AccountSuite {
    private let kakao = ReportingProvider(id: .kakao)
    private let store = MemorySessionStore()

    private var providers: [any AuthProvider] { [kakao, ScriptedProvider(.naver)] }

    private func signedOut(_ auth: AuthService) async -> SignOutReason? {
        for await state in auth.states {
            if case .signedOut(let reason) = state { return reason }
        }
        return nil
    }

    @Test func reportEndsTheSessionHereAndAtTheServer() async throws {
        let (auth, repository) = try await signedIn(providers: providers, store: store)
        var events = auth.events.makeAsyncIterator()
        let report = try #require(await kakao.nextReader())
        #expect(report.userID == "1001")
        report.withdraw()
        #expect(await signedOut(auth) == .revokedAtProvider)
        #expect(
            await events.next().map { [$0.details == .signedOut(.revokedAtProvider), $0.provider == .kakao] } == [
                true, true,
            ])
        // The reader is told to stop when all of it is done.
        await report.ended()
        try await wait(for: "the server to be told of the sign-out") { repository.calls.last == .signOut("kakao:1001") }
        #expect(try await store.session() == nil)
    }

    @Test func restoredSessionIsFollowedFromTheLaunch() async throws {
        _ = try await signedIn(providers: [ScriptedProvider(.kakao)], store: store)
        let auth = service(providers: providers, store: store).auth
        let report = try #require(await kakao.nextReader())
        #expect(report.userID == "1001")
        report.withdraw()
        #expect(await signedOut(auth) == .revokedAtProvider)
        // The store is cleared after the state has changed.
        await report.ended()
        #expect(try await store.session() == nil)
    }

    @Test func reportAboutAnEarlierSessionOfTheSamePersonChangesNothing() async throws {
        let (auth, _) = try await signedIn(providers: providers, store: store)
        let first = try #require(auth.manager.read { $0.providerIdentity })
        _ = try await auth.signIn(credential: Credential(provider: .kakao, userID: "1001", isBound: true)).value
        await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: first)
        #expect(auth.user?.id == "kakao:1001")
        let present = try #require(auth.manager.read { $0.providerIdentity })
        await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: present)
        #expect(auth.state == .signedOut(.revokedAtProvider))
    }

    @Test func laterSignInInAnotherProcessIsNotEnded() async throws {
        let clock = ManualClock()
        let time = clock.authClock(startingAt: .now)
        let (auth, _) = try await signedIn(providers: providers, store: store, clock: time)
        let first = try #require(auth.manager.read { $0.providerIdentity })
        clock.advance(by: .seconds(60))
        let widget = try await signedIn(providers: [ScriptedProvider(.kakao)], store: store, clock: time).auth
        await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: first)
        #expect(auth.user?.id == "kakao:1001" && widget.user?.id == "kakao:1001")
        #expect(try await store.read(.session).data != nil)
    }

    @Test func onlyTheProviderOfTheSessionIsFollowed() async throws {
        let naver = ReportingProvider(id: .naver)
        let (auth, _) = try await signedIn(providers: [kakao, naver], store: store)
        let first = try #require(await kakao.nextReader())
        _ = try await auth.signIn(credential: Credential(provider: .naver, userID: "2002", isBound: true)).value
        // The first reader was told to stop before the second began.
        await first.ended()
        let second = try #require(await naver.nextReader())
        #expect(second.userID == "2002" && kakao.readers == 1 && naver.readers == 1)
        first.withdraw()
        second.withdraw()
        #expect(await signedOut(auth) == .revokedAtProvider)
    }

    @Test func everyProviderWithTheIdentifierIsFollowed() async throws {
        let web = ReportingProvider(id: .kakao, methodKinds: [.web])
        let auth = try await signedIn(providers: [kakao, web], store: store).auth
        _ = try #require(await kakao.nextReader())
        try #require(await web.nextReader()).withdraw()
        #expect(await signedOut(auth) == .revokedAtProvider)
    }

    @Test func nothingIsFollowedWithoutTheIdentifierAtTheProvider() async throws {
        let repository = ScriptedRepository()
        let auth = AuthService(
            repository: repository, providers: providers, store: store, callbacks: CallbackRouter())
        _ = try await auth.signIn(credential: Credential(provider: .kakao, userID: "1001", isBound: true)).value
        _ = await auth.reload().result
        #expect(kakao.readers == 0 && auth.user != nil)
    }

    @Test func deletionThatWithdrawsTheAccessItselfIsNotInterrupted() async throws {
        let delete = Standstill()
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        account.deleteAccount = { _ in await delete.pass() }
        let (auth, _) = try await signedIn(account, providers: providers, store: store)
        let report = try #require(await kakao.nextReader())
        let identity = try #require(auth.manager.read { $0.providerIdentity })
        let deletion = Task { await auth.deleteAccount().result }
        _ = await delete.reached.value()
        report.withdraw()
        await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: identity)
        #expect(auth.user?.id == "kakao:1001")
        delete.gate.resolve(())
        try await deletion.value.get()
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func deletionThatWasCutOffCanStillBeResumed() async throws {
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        account.deleteAccount = { _ in throw AuthError(.network, "Scripted.") }
        let (auth, _) = try await signedIn(account, providers: providers, store: store)
        let error = await #expect(throws: AuthError.self) { try await auth.deleteAccount().value }
        #expect(error?.code == .network)
        let identity = try #require(auth.manager.read { $0.providerIdentity })
        await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: identity)
        #expect(auth.user?.id == "kakao:1001")
        #expect(await auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: true))
    }

    /// It cannot be noted, so that only this process knows of it.
    @Test func deletionThatCannotBeNotedIsNotInterrupted() async throws {
        let (store, delete) = (FaultySessionStore(), Standstill())
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        account.deleteAccount = { _ in await delete.pass() }
        let auth = try await signedIn(account, providers: providers, store: store).auth
        let identity = try #require(auth.manager.read { $0.providerIdentity })
        store.fail(.write, of: .notes)
        let deletion = Task { await auth.deleteAccount().result }
        _ = await delete.reached.value()
        await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: identity)
        #expect(auth.user?.id == "kakao:1001")
        delete.gate.resolve(())
        try await deletion.value.get()
        #expect(auth.state == .signedOut(.deleted))
    }

    /// 'Cannot be read' is not 'none'.
    @Test(arguments: [AuthError.Code.storage, .storageLocked])
    func deletionThatWasCutOffIsLookedForUntilTheStoreWorks(code: AuthError.Code) async throws {
        let (store, clock) = (FaultySessionStore(), ManualClock())
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        account.deleteAccount = { _ in throw AuthError(.network, "Scripted.") }
        let auth = try await signedIn(
            account, providers: providers, store: store, clock: clock.authClock(startingAt: .now)
        ).auth
        #expect(await auth.deleteAccount().result.error?.code == .network)
        let identity = try #require(auth.manager.read { $0.providerIdentity })
        var events = auth.events.makeAsyncIterator()
        store.fail(.read, of: .notes, with: scripted(code), times: 2)
        let report = Task {
            await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: identity)
        }
        for _ in 0..<2 {
            await clock.waitForSleepers(count: 1)
            #expect(auth.user?.id == "kakao:1001")
            let event = await events.next()
            #expect(event?.kind == (code == .storage ? .storageFailed : .storageLocked) && event?.failure?.code == code)
            clock.advanceToNextSleeper()
        }
        await report.value
        #expect(auth.user?.id == "kakao:1001")
        #expect(await auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: true))
    }

    @Test func reportCountsOnceTheStoreWorks() async throws {
        let (store, clock) = (FaultySessionStore(), ManualClock())
        let auth = try await signedIn(
            providers: providers, store: store, clock: clock.authClock(startingAt: .now)
        ).auth
        let report = try #require(await kakao.nextReader())
        store.fail(.read, of: .notes)
        report.withdraw()
        await clock.waitForSleepers(count: 1)
        #expect(auth.user?.id == "kakao:1001")
        store.heal()
        // The last sign-in is read too, and may have been what waited.
        try await wait(for: "the session to end") {
            clock.advance(by: .seconds(60))
            return auth.user == nil
        }
        #expect(await signedOut(auth) == .revokedAtProvider)
    }

    /// A person who turned back at the provider deletes nothing, so that the report is about a withdrawal.
    @Test func deletionThatWasCancelledIsNotUnderWay() async throws {
        let kakao = StandingProvider(id: .kakao)
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        let auth = try await signedIn(account, providers: [kakao], store: store).auth
        let identity = try #require(auth.manager.read { $0.providerIdentity })
        let deletion = Task { await auth.deleteAccount().result }
        _ = await kakao.reached.value()
        deletion.cancel()
        #expect(await deletion.value.error?.code == .cancelled)
        await AuthSignOut(repository: auth.repository, manager: auth.manager).accessRevoked(by: identity)
        #expect(auth.state == .signedOut(.revokedAtProvider))
    }

    @Test func reportAboutAnotherSessionTouchesNoStore() async throws {
        let store = FaultySessionStore()
        let repository = ScriptedRepository { Self.session(of: $0) }
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        let signIn = AuthSignIn(repository: repository, manager: manager)
        _ = try await signIn(Credential(provider: .kakao, userID: "1001", isBound: true)).value
        let first = try #require(manager.read { $0.providerIdentity })
        _ = try await signIn(Credential(provider: .kakao, userID: "1001", isBound: true)).value
        let operations = store.operations
        await AuthSignOut(repository: repository, manager: manager).accessRevoked(by: first)
        #expect(store.operations == operations)
        #expect(manager.session?.user.id == "kakao:1001")
    }

    /// The store of this process fails meanwhile, so that it learns of the sign-in when it writes the end of the session.
    @Test func signInOfAnotherProcessAfterTheReportStays() async throws {
        let (base, clock) = (MemorySessionStore(), ManualClock())
        let store = FaultySessionStore(base)
        let time = clock.authClock(startingAt: .now)
        let manager = SessionManager(store: store, clock: time)
        let repository = ScriptedRepository { Self.session(of: $0) }
        _ = try await manager.restore()
        _ = try await AuthSignIn(repository: repository, manager: manager)(
            Credential(provider: .kakao, userID: "1001", isBound: true)
        )
        .value
        let identity = try #require(manager.read { $0.providerIdentity })
        store.fail(.read, of: .notes, times: 1)
        store.fail(.read, of: .session, times: 1)
        let report = Task { await AuthSignOut(repository: repository, manager: manager).accessRevoked(by: identity) }
        await clock.waitForSleepers(count: 1)
        let widget = SessionManager(store: base, clock: time)
        _ = try await widget.restore()
        clock.advance(by: .milliseconds(100))
        _ = try await AuthSignIn(repository: repository, manager: widget)(
            Credential(provider: .kakao, userID: "1001", isBound: true)
        )
        .value
        clock.advance(by: .seconds(60))
        await report.value
        #expect(try await base.read(.session).data != nil)
        #expect(manager.session?.user.id == "kakao:1001")
    }

    /// A session whose person the server names at the provider.
    private static func session(of credential: Credential) -> AuthSession {
        var session = ScriptedRepository.session(of: credential)
        session.user.providers = [AuthUser.LinkedProvider(id: credential.provider, userID: credential.userID)]
        return session
    }

    @Test func signInUnderWayContinues() async throws {
        let naver = StandingProvider(id: .naver)
        let (auth, _) = try await signedIn(providers: [kakao, naver], store: store)
        let report = try #require(await kakao.nextReader())
        let signIn = Task { await auth.signIn(with: .naver).result }
        _ = await naver.reached.value()
        report.withdraw()
        for await state in auth.states { if case .signingIn = state { break } }
        naver.gate.resolve(())
        #expect(try await signIn.value.get().user.id == "naver:1001")
        #expect(auth.user?.id == "naver:1001")
    }

    @Test func storeThatFailsIsClearedLater() async throws {
        let (store, clock) = (FaultySessionStore(), ManualClock())
        let (auth, _) = try await signedIn(
            providers: providers, store: store, clock: clock.authClock(startingAt: .now))
        let report = try #require(await kakao.nextReader())
        for call in [FaultySessionStore.Call.write, .remove] { store.fail(call, times: 1) }
        report.withdraw()
        #expect(await signedOut(auth) == .revokedAtProvider)
        #expect(try await store.read(.session).data != nil)
        await clock.waitForSleepers(count: 1)
        clock.advanceToNextSleeper()
        try await wait(for: "the session to be removed from the store") { try await store.session() == nil }
        #expect(auth.state == .signedOut(.revokedAtProvider))
    }

    @Test func releasedServiceStopsFollowing() async throws {
        let report = try await {
            let auth = try await signedIn(providers: providers, store: store).auth
            defer { withExtendedLifetime(auth) {} }
            return try #require(await kakao.nextReader())
        }()
        await report.ended()
    }

    @Test func providerHasNoReportsUnlessItSaysSo() {
        if ScriptedProvider(.kakao).revocations != nil { Issue.record("It has reports.") }
    }
}

/// A provider whose reports a test makes, and whose person always agrees.
private final class ReportingProvider: AuthProvider {
    struct Reader: Sendable {
        let userID: String
        fileprivate let reports: AsyncStream<Void>.Continuation
        fileprivate let end = Promise<Void>()

        func withdraw() { reports.yield() }
        func ended() async { _ = await end.value() }
    }

    let id: ProviderID
    let methodKinds: [SignInMethod.Kind]
    private let arrivals = AsyncStream.makeStream(of: Reader.self)
    private let count = Lock(0)

    init(id: ProviderID, methodKinds: [SignInMethod.Kind] = [.standard]) {
        self.id = id
        self.methodKinds = methodKinds
    }

    /// How many readers there were.
    var readers: Int { count.withLock { $0 } }

    func nextReader() async -> Reader? {
        var iterator = arrivals.stream.makeAsyncIterator()
        return await iterator.next()
    }

    var revocations: RevocationReports? {
        RevocationReports { [count, arrivals] userID in
            count.withLock { $0 += 1 }
            return AsyncStream { continuation in
                let reader = Reader(userID: userID, reports: continuation)
                continuation.onTermination = { _ in reader.end.resolve(()) }
                arrivals.continuation.yield(reader)
            }
        }
    }

    func authenticate(_ request: AuthRequest) -> AuthStream<Credential> {
        .success(Credential(provider: id, idToken: Secret("token"), userID: "1001", isBound: true))
    }
}
