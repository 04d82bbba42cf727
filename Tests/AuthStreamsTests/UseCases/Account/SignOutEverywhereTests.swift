import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct SignOutEverywhereTests: AccountSuite {
    private static let begin = Date(timeIntervalSince1970: 1_000_000)

    private var refreshing: ScriptedAccount {
        var account = ScriptedAccount()
        account.refresh = { session in
            var session = session
            session.accessToken = Secret("next")
            session.expiresAt = nil
            return session
        }
        return account
    }

    /// A server whose answer to a refresh waits for the gate.
    private var standingRefresh: (account: ScriptedAccount, refresh: Standstill) {
        let refresh = Standstill()
        var account = ScriptedAccount()
        account.refresh = { session in
            await refresh.pass()
            return session
        }
        return (account, refresh)
    }

    /// Signs out everywhere where the test decides when the task runs.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    private func signOut(of auth: AuthService, on executor: ManualExecutor) -> Task<AuthError.Code?, Never> {
        Task(executorPreference: executor) {
            do throws(AuthError) { try await auth.signOut(everywhere: true) } catch { return error.code }
            return nil
        }
    }

    @Test func allSessionsEndThisOneFirst() async throws {
        let (stateThen, service) = (Lock<AuthState?>(nil), Lock<AuthService?>(nil))
        var account = ScriptedAccount()
        account.signOutEverywhere = { _ in stateThen.withLock { $0 = service.withLock { $0?.state } } }
        let store = MemorySessionStore()
        let (auth, repository) = try await signedIn(account, store: store)
        service.withLock { $0 = auth }
        try await auth.signOut(everywhere: true)
        service.withLock { $0 = nil }
        #expect(stateThen.withLock { $0 } == .signedOut(.user))
        #expect(later(repository) == [.signOutEverywhere("kakao:1001")])
        #expect(try await store.session() == nil)
    }

    @Test func plainSignOutEndsThisOneAlone() async throws {
        let (auth, repository) = try await signedIn()
        try await auth.signOut()
        #expect(later(repository) == [.signOut("kakao:1001")])
    }

    @Test(arguments: [AuthError.Code.network, .server, .sessionExpired])
    func serverThatCouldNotBeToldIsSaidAfterTheLocalEnd(code: AuthError.Code) async throws {
        var account = ScriptedAccount()
        account.signOutEverywhere = { _ in throw AuthError(code, "Scripted.") }
        let (auth, _) = try await signedIn(account)
        await #expect { try await auth.signOut(everywhere: true) } throws: { ($0 as? AuthError)?.code == code }
        #expect(auth.state == .signedOut(.user))
    }

    @Test func repositoryThatCannotDoItSaysSoAndEndsThisOneAtLeast() async throws {
        var account = ScriptedAccount()
        account.signOutEverywhere = { _ in throw AuthError(.unsupportedProvider, "No way.") }
        let (auth, repository) = try await signedIn(account)
        await #expect { try await auth.signOut(everywhere: true) } throws: {
            ($0 as? AuthError)?.code == .unsupportedProvider
        }
        #expect(later(repository) == [.signOutEverywhere("kakao:1001"), .signOut("kakao:1001")])
    }

    @Test func withoutAUserNoSessionIsSignedOutElsewhere() async throws {
        let (auth, repository) = service()
        await #expect { try await auth.signOut(everywhere: true) } throws: {
            ($0 as? AuthError)?.code == .notSignedIn
        }
        try await auth.signOut()
        #expect(repository.calls.isEmpty)
    }

    @Test func accountThatIsGoneIsSignedInNowhere() async throws {
        var account = ScriptedAccount()
        account.signOutEverywhere = { _ in throw AuthError(.userNotFound, "Gone.") }
        let (auth, _) = try await signedIn(account)
        try await auth.signOut(everywhere: true)
        #expect(auth.state == .signedOut(.user))
    }

    @Test func tokenThatTheServerRefusesIsRenewedOnce() async throws {
        var account = refreshing
        account.signOutEverywhere = { session in
            guard session.accessToken == Secret("next") else { throw AuthError(.invalidCredential, "Over.") }
        }
        let (auth, repository) = try await signedIn(account)
        try await auth.signOut(everywhere: true)
        #expect(
            later(repository) == [
                .signOutEverywhere("kakao:1001"), .refresh("kakao:1001"), .signOutEverywhere("kakao:1001"),
            ])
        #expect(auth.state == .signedOut(.user), "The renewed session is not the present one.")
    }

    /// A refresh token is used by one party only: here by the sign-out that took the session.
    @Test func tokenThatIsOverIsRenewedInPrivate() async throws {
        let used = Lock<Secret?>(nil)
        var account = refreshing
        account.signOutEverywhere = { session in used.withLock { $0 = session.accessToken } }
        let clock = ManualClock()
        let store = MemorySessionStore()
        // No service, so that there is no refresh ahead of expiry.
        let manager = SessionManager(store: store, clock: clock.authClock(startingAt: Self.begin))
        let repository = ScriptedRepository(
            establish: { credential in
                var session = ScriptedRepository.session(of: credential)
                session.expiresAt = Self.begin.addingTimeInterval(60)
                return session
            }, account: account)
        _ = try await manager.restore()
        _ = try await AuthSignIn(repository: repository, manager: manager)(
            Credential(provider: .kakao, userID: "1001")
        ).value
        clock.advance(by: .seconds(120))
        try await AuthSignOut(repository: repository, manager: manager).everywhere().value
        #expect(used.withLock { $0 } == Secret("next"))
        #expect(later(repository) == [.refresh("kakao:1001"), .signOutEverywhere("kakao:1001")])
        #expect(manager.state == .signedOut(.user))
        #expect(try await store.session() == nil)
    }

    /// The server has not returned a session for the token of the other SDK, so it is asked for one.
    /// Only this process has its new tokens.
    @Test(arguments: [true, false]) func renewedSessionThatCannotEndTheOthersIsEndedAlone(isRotated: Bool) async throws
    {
        var account = refreshing
        account.refresh = { [refresh = account.refresh] session in
            var next = try await refresh(session)
            if isRotated { next.refreshToken = Secret("next refresh token") }
            return next
        }
        account.signOutEverywhere = { session in
            guard session.accessToken == Secret("next") else {
                throw AuthError(.invalidCredential, "Over.", refusesAccessToken: true)
            }
            throw AuthError(.network, "Scripted.")
        }
        let (auth, repository) = try await signedIn(account)
        await #expect { try await auth.signOut(everywhere: true) } throws: { ($0 as? AuthError)?.code == .network }
        let calls: [ScriptedRepository.Call] = [
            .signOutEverywhere("kakao:1001"), .refresh("kakao:1001"), .signOutEverywhere("kakao:1001"),
        ]
        #expect(later(repository) == calls + (isRotated ? [.signOut("kakao:1001")] : []))
    }

    @Test func sessionOfAnotherSDKIsAdoptedAndNotRefreshed() async throws {
        let (used, isReached) = (Lock<Secret?>(nil), Lock(false))
        var account = refreshing
        account.signOutEverywhere = { session in used.withLock { $0 = session.accessToken } }
        let manager = SessionManager(
            store: MemorySessionStore(), clock: ManualClock().authClock(startingAt: Self.begin))
        let ada = AuthSession.sample(user: "ada", token: "adopted")
        let repository = ScriptedRepository(
            adopt: { _ in
                guard isReached.withLock({ $0 }) else { throw AuthError(.unsupportedProvider, "Scripted.") }
                return ada
            }, account: account)
        let adoptable = AdoptableSession(refreshToken: Secret("old"), user: ada.user)
        let adopting = AdoptSession(repository: repository, manager: manager)
        await #expect(throws: AuthError.self) { _ = try await adopting(adoptable).value }
        #expect(manager.state.user == ada.user)
        isReached.withLock { $0 = true }
        try await AuthSignOut(repository: repository, manager: manager).everywhere().value
        #expect(used.withLock { $0 } == ada.accessToken)
        #expect(manager.state == .signedOut(.user))
        #expect(!later(repository).contains(.refresh("ada")))
    }

    @Test func refreshUnderWayIsWaitedForAndItsAnswerUsed() async throws {
        let (refresh, used) = (Standstill(), Lock<[Secret]>([]))
        var account = ScriptedAccount()
        account.refresh = { session in
            await refresh.pass()
            var session = session
            session.accessToken = Secret("next")
            return session
        }
        account.signOutEverywhere = { session in used.withLock { $0.append(session.accessToken) } }
        let (auth, repository) = try await signedIn(account)
        let asking = Task { try? await auth.accessToken(forceRefresh: true) }
        _ = await refresh.reached.value()
        let signingOut = Task { try? await auth.signOut(everywhere: true) }
        refresh.gate.resolve(())
        await signingOut.value
        _ = await asking.value
        #expect(used.withLock { $0 } == [Secret("next")])
        #expect(repository.calls.count { $0 == .refresh("kakao:1001") } == 1)
    }

    /// The refresh is cut off by the next sign-in, so that another user is signed in when the waiting ends.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func userWhoSignsInWhileARefreshIsWaitedForStays() async throws {
        let (account, refresh) = standingRefresh
        let (auth, repository) = try await signedIn(account)
        let asking = Task { try? await auth.accessToken(forceRefresh: true) }
        _ = await refresh.reached.value()
        let executor = ManualExecutor()
        let signingOut = signOut(of: auth, on: executor)
        executor.run()
        let next = Credential(provider: .kakao, userID: "2002")
        let user = try await auth.signIn(credential: next).value.user
        refresh.gate.resolve(())
        _ = await asking.value
        executor.start()
        #expect(await signingOut.value == .superseded)
        #expect(auth.user == user)
        #expect(!repository.calls.contains(.signOutEverywhere("kakao:2002")))
    }

    /// It waits for a refresh, and the same user signs in meanwhile in another process.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func sameUserWhoSignsInElsewhereMeanwhileStays() async throws {
        let (account, refresh) = standingRefresh
        let (store, time) = (MemorySessionStore(), ManualClock())
        let clock = time.authClock(startingAt: Self.begin)
        let (auth, repository) = try await signedIn(account, store: store, clock: clock)
        let asking = Task { try? await auth.accessToken(forceRefresh: true) }
        _ = await refresh.reached.value()
        let executor = ManualExecutor()
        let signingOut = signOut(of: auth, on: executor)
        executor.run()
        time.advance(by: .seconds(1))
        var next = try #require(auth.manager.session)
        next.accessToken = Secret("theirs")
        let record = SessionRecord(KeptSession(next, as: "later", savedAt: clock.date))
        try await store.write(record.data(), for: .session)
        refresh.gate.resolve(())
        _ = await asking.value
        executor.start()
        #expect(await signingOut.value == .superseded)
        #expect(auth.manager.session?.accessToken == Secret("theirs"))
        #expect(!repository.calls.contains(.signOutEverywhere("kakao:1001")))
    }

    /// The date is set back after the sign-in, which then looks later than the sign-out.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func sessionEndsAlsoWhereTheDateWasSetBack() async throws {
        let (account, refresh) = standingRefresh
        let (time, date) = (ManualClock(), Lock(Self.begin))
        let (auth, _) = try await signedIn(account, clock: AuthClock(time, now: { date.withLock { $0 } }))
        let asking = Task { try? await auth.accessToken(forceRefresh: true) }
        _ = await refresh.reached.value()
        date.withLock { $0 -= 5 }
        let executor = ManualExecutor()
        let signingOut = signOut(of: auth, on: executor)
        executor.run()
        time.advance(by: .seconds(10))
        date.withLock { $0 += 10 }
        refresh.gate.resolve(())
        _ = await asking.value
        executor.start()
        #expect(await signingOut.value == nil)
        #expect(auth.state == .signedOut(.user))
    }

    /// It waits for the store to be read, and the person signs in meanwhile.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func whoSignsInWhileTheStoreIsLockedStays() async throws {
        let store = FaultySessionStore()
        store.lock()
        let (auth, repository) = service(store: store)
        _ = await auth.states.first { $0 == .restoring(.waitingForUnlock) }
        let executor = ManualExecutor()
        let signingOut = signOut(of: auth, on: executor)
        executor.run()
        let user = try await auth.signIn(credential: Credential(provider: .kakao, userID: "2002")).value.user
        store.unlock()
        executor.start()
        #expect(await signingOut.value == .superseded)
        #expect(auth.user == user)
        #expect(!repository.calls.contains(.signOutEverywhere(user.id)))
    }

    /// The store was not read when the sign-out was asked for, nor when it was looked at again.
    ///
    /// - Parameter looks: How often it is looked at again while the sign-in is being written.
    @Test(arguments: 0...2) func whoSignsInBeforeTheStoreWasReadStays(looks: Int) {
        var machine = SessionStateMachine()
        let now = ManualClock().authClock(startingAt: Self.begin).moment
        var request = machine.signOutRequest
        let signIn = machine.signInBegan(with: .kakao, at: .presenting, now.uptime)
        let session = ScriptedRepository.session(of: Credential(provider: .kakao, userID: "2002"))
        let isCommitted = machine.committed(signIn, session, as: "new", at: now)
        #expect(isCommitted)
        for _ in 0..<looks { request = machine.signOutRequest(since: request) }
        guard case .failure(let error) = machine.signedOutEverywhere(request, at: now) else {
            Issue.record("It ended the sign-in, or found none.")
            return
        }
        #expect(error.code == .superseded)
        #expect(machine.storage.pending?.next?.id == "new")
    }

    /// The store takes its time, so that no user is shown at the call, and the sign-in is shown before the sign-out ends it.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func signInThatIsBeingWrittenEndsToo() async throws {
        let store = FaultySessionStore()
        let (auth, repository) = service(store: store)
        _ = await auth.states.first { $0 == .signedOut(nil) }
        let hold = store.hold(.write, .after, of: .session)
        let signingIn = Task { try await auth.signIn(credential: Credential(provider: .kakao, userID: "1001")).value }
        await hold.reached()
        let executor = ManualExecutor()
        let signingOut = signOut(of: auth, on: executor)
        executor.run()
        hold.release()
        let user = try await signingIn.value.user
        executor.start()
        #expect(await signingOut.value == nil)
        #expect(auth.state == .signedOut(.user))
        #expect(later(repository) == [.signOutEverywhere(user.id)])
        #expect(try await store.session() == nil)
    }

    @Test func cancelledTaskEndsTheSessionHereAllTheSame() async throws {
        let (auth, _) = try await signedIn()
        await inCancelledTask { try? await auth.signOut(everywhere: true) }
        #expect(auth.state == .signedOut(.user))
    }

    @Test func tokenIsJudgedByAClockThatSettingTheDateDoesNotChange() async throws {
        let date = Lock(Date(timeIntervalSince1970: 0))
        let clock = AuthClock(ManualClock(), now: { date.withLock { $0 } })
        var account = ScriptedAccount()
        // A session without a refresh token can't be refreshed.
        account.refresh = { _ in throw AuthError(.sessionExpired, "Scripted.") }
        let (auth, repository) = try await signedIn(account, clock: clock, expiresAt: Date(timeIntervalSince1970: 3600))
        date.withLock { $0 = Date(timeIntervalSince1970: 7200) }
        try await auth.signOut(everywhere: true)
        #expect(later(repository) == [.signOutEverywhere("kakao:1001")])
    }
}
