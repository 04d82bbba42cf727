import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Sessions of another SDK, adopted when the app asks for it.
@Suite struct AdoptSessionTests: AdoptionSuite {
    let store = FaultySessionStore()
    let clock = ManualClock()

    @Test func adoptingEndsWithTheUser() async throws {
        let auth = service(server(.success(Self.ada)))
        #expect(try await auth.adopt(refreshToken: Secret("old token")).value == Self.ada.user)
        #expect(auth.state == .signedIn(Self.ada.user, .verified))
    }

    @Test func signedInUserStaysAndNothingIsSent() async throws {
        let repository = server(.success(Self.ada))
        let auth = service(repository)
        let user = try await auth.signIn(with: .kakao).value.user
        #expect(try await auth.adopt(refreshToken: Secret("old token")).value == user)
        #expect(!repository.calls.contains(.adopt))
    }

    @Test(arguments: ["", " ", "to\nken"]) func aMalformedTokenIsSaidAndNeverSent(token: String) async throws {
        let repository = server(.success(Self.ada))
        let auth = service(repository)
        let error = await outcome(of: auth.adopt(refreshToken: Secret(token)))?.error
        #expect(error?.code == .invalidCredential)
        #expect(repository.calls.isEmpty)
        #expect(try await store.session() == nil)
    }

    @Test(arguments: [
        (AuthError.Code.sessionExpired, SignOutReason.expired), (.userDisabled, .disabled), (.userNotFound, .deleted),
    ])
    func aDeadSessionIsOverAndForgotten(code: AuthError.Code, reason: SignOutReason) async throws {
        let auth = service(server(failure(code)))
        let error = await outcome(of: auth.adopt(refreshToken: Secret("old token"), of: Self.ada.user))?.error
        #expect(error?.code == code)
        #expect(auth.state == .signedOut(reason))
        #expect(try await store.session() == nil)
    }

    @Test func sessionOfAnotherUserIsNotAdopted() async throws {
        let auth = service(server(.success(.sample(user: "bob"))))
        let error = await outcome(of: auth.adopt(refreshToken: Secret("bob's token"), of: Self.ada.user))?.error
        #expect(error?.code == .sessionExpired)
        #expect(auth.state == .signedOut(.expired))
        #expect(try await store.session() == nil)
    }

    @Test(arguments: [AuthError.Code.misconfigured, .unsupportedProvider])
    func whatAskingAgainWouldNotHelpEndsTheStreamAndLosesNothing(code: AuthError.Code) async throws {
        // Without a schedule, which would begin the request that the first caller waits for.
        let (repository, manager) = (server(failure(code), .success(Self.ada)), manager())
        let adopt = AdoptSession(repository: repository, manager: manager)
        #expect(await outcome(of: adopt(Self.nameless))?.error?.code == code)
        #expect(manager.state == .signedOut(nil))
        #expect(try await kept() == .adoptable(Self.nameless))
        #expect(try await adopt(Self.nameless).value == Self.ada.user)
    }

    @Test func adoptingAgainAsksForAKnownUserWhoseAdoptionHasStalled() async throws {
        let (repository, manager) = (server(failure(.misconfigured), .success(Self.ada)), manager())
        let adopt = AdoptSession(repository: repository, manager: manager)
        #expect(await outcome(of: adopt(Self.adas))?.error?.code == .misconfigured)
        #expect(manager.user == Self.ada.user)
        #expect(try await adopt(Self.adas).value == Self.ada.user)
        #expect(manager.state == .signedIn(Self.ada.user, .verified))
    }

    @Test func userWhoIsSignedInNeedsNoStore() async throws {
        let (repository, manager) = (server(.success(Self.ada)), manager())
        let adopt = AdoptSession(repository: repository, manager: manager)
        _ = try await adopt(Self.nameless).value
        store.lock()
        #expect(try await adopt(Self.nameless).value == Self.ada.user)
    }

    /// It would otherwise be told what becomes of the other session.
    @Test func laterAdoptionSupersedesOneWhoseUserIsNotKnown() async throws {
        let (repository, manager) = (server(failure(.network), .success(Self.ada)), manager())
        let adopting = await waiting(repository, manager)
        let adopt = AdoptSession(repository: repository, manager: manager)
        #expect(try await adopt(AdoptableSession(refreshToken: Secret("another"))).value == Self.ada.user)
        #expect(await adopting.value?.error?.code == .superseded)
    }

    @Test func cancellingTheWaitLeavesTheSessionStored() async throws {
        let auth = service(server(failure(.network)))
        let adopting = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        await clock.waitForSleepers(count: 1)
        adopting.cancel()
        #expect(await adopting.value?.error?.code == .cancelled)
        // It is retried without the caller.
        #expect(auth.state == .restoring(.adopting))
        #expect(try await kept() == .adoptable(Self.nameless))
    }

    @Test func aSignInWhileTheServerIsAskedWins() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        let repository = server(.success(Self.ada), onceAsked: asked, released: answer)
        let auth = service(repository)
        let adopting = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        _ = await asked.value()
        let user = try await auth.signIn(with: .kakao).value.user
        answer.resolve(())
        #expect(await adopting.value?.error?.code == .superseded)
        #expect(auth.state == .signedIn(user, .verified))
        let kept = try await store.read(.session).data.flatMap(SessionRecord.session(in:))
        #expect(kept?.user == user)
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func twoWhoAdoptTheSameSessionAskOnce() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        let repository = server(.success(Self.ada), onceAsked: asked, released: answer)
        let auth = service(repository) { Self.nameless }
        _ = await asked.value()
        let executor = ManualExecutor()
        let second = Task(executorPreference: executor) {
            await outcome(of: auth.adopt(refreshToken: Secret("old token")))
        }
        // Until it waits for the request.
        executor.run()
        answer.resolve(())
        executor.start()
        #expect(await second.value == .success(Self.ada.user))
        #expect(repository.calls == [.adopt])
    }

    /// The caller that asks the server stays, and the one that waits for it leaves.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func callerWhoLeavesEndsNoAdoptionOfAnother() async throws {
        let (asked, answer, executor) = (Promise<Void>(), Promise<Void>(), ManualExecutor())
        let auth = service(server(.success(Self.ada), onceAsked: asked, released: answer))
        let staying = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        _ = await asked.value()
        let leaving = Task(executorPreference: executor) {
            await outcome(of: auth.adopt(refreshToken: Secret("old token")))
        }
        // Until it waits for the other.
        executor.run()
        leaving.cancel()
        executor.start()
        #expect(await leaving.value?.error?.code == .cancelled)
        #expect(auth.state == .restoring(.adopting))
        answer.resolve(())
        #expect(await staying.value == .success(Self.ada.user))
    }

    /// Otherwise another process or launch could send the token again without knowing.
    @Test(arguments: [false, true]) func nothingIsSentWhileTheRecordCannotBeWritten(isStored: Bool) async throws {
        if isStored { await SessionManager(store: store).beginAdoption(of: Self.adas) }
        store.fail(.write)
        let repository = server(.success(Self.ada))
        let auth = service(repository)
        let adopting = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"), of: Self.ada.user)) }
        for _ in 0..<5 {
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
        }
        await clock.waitForSleepers(count: 1)
        #expect(auth.user == Self.ada.user)
        #expect(repository.calls == [])
        store.heal()
        // The write is due, and then the request.
        let pauses = endingPauses()
        defer { pauses.cancel() }
        #expect(await adopting.value == .success(Self.ada.user))
        #expect(repository.calls.filter { $0 == .adopt } == [.adopt])
    }

    @Test(arguments: [nameless, adas]) func aSessionThatCannotBeStoredIsStillThereToBeAdopted(
        adoptable: AdoptableSession
    ) async throws {
        let repository = ScriptedRepository(adopt: { [store] _ in
            store.fail(.write)
            return Self.ada
        })
        let auth = service(repository)
        #expect(try await auth.adopt(refreshToken: adoptable.refreshToken, of: adoptable.user).value == Self.ada.user)
        #expect(try await kept() == .adoptable(adoptable))
    }

    @Test(arguments: [AuthError.Code.storage, .storageLocked])
    func storeThatCannotBeReadAgainSignsNoUserOutWhileTheServerIsAsked(code: AuthError.Code) async throws {
        let manager = SessionManager(store: store)
        await manager.beginAdoption(of: Self.nameless)
        store.fail(.read, with: AuthError(code, "Scripted."), times: 1)
        _ = await outcome(of: AuthStream { try await manager.restore() })
        #expect(manager.state == .restoring(.adopting))
    }

    @Test(arguments: [(0, 1), (Int.max, 3600)])
    func aServerIsAskedNeitherAtOnceNorInAThousandYears(asked: Int, waits: Int) async throws {
        let busy = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(asked))
        let auth = service(server(.failure(busy))) { Self.nameless }
        await clock.waitForSleepers(count: 1)
        #expect(clock.advanceToNextSleeper() == .seconds(waits))
        _ = auth
    }

    /// A cancellation without a cancelled task is a failure like any other.
    @Test func repositoryThatCancelsItselfIsAskedAgain() async throws {
        let repository = server(failure(.cancelled), .success(Self.ada))
        let auth = service(repository)
        let pauses = endingPauses()
        defer { pauses.cancel() }
        #expect(await outcome(of: auth.adopt(refreshToken: Secret("old token"))) == .success(Self.ada.user))
        #expect(repository.calls.filter { $0 == .adopt } == [.adopt, .adopt])
    }

    @Test func whatCouldNotBeStoredIsStoredOnceThatWorks() async throws {
        store.fail(.write)
        let auth = service(server(failure(.network))) { Self.adas }
        await clock.waitForSleepers(count: 1)
        #expect(try await kept() == nil)
        store.heal()
        while try await kept() == nil {
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
        }
        #expect(try await kept() == .adoptable(Self.adas))
        _ = auth
    }

    @Test func theServiceThatIsReleasedWhileItWaitsIsGone() async throws {
        weak var released: AuthService?
        do {
            let auth = service(server(failure(.network))) { Self.adas }
            released = auth
            await clock.waitForSleepers(count: 1)
        }
        #expect(released == nil)
    }

    @Test func withoutAUserInTheAnswerTheAdoptableSessionsCounts() async throws {
        let transport = AnsweringTransport([.json(#"{"accessToken": "a", "refreshToken": "r", "expiresIn": 60}"#)])
        let repository = ServerFixture.repository(transport)
        let session = try await repository.adopt(
            AdoptableSession(refreshToken: Secret("old"), user: Self.ada.user, provider: .naver))
        #expect(session.user == Self.ada.user)
        #expect(session.provider == .naver)
        #expect(session.refreshToken == Secret("r"))
    }

    @Test func anAnswerThatCameTooLateIsGivenBackToTheServer() async throws {
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        let repository = server(.success(Self.ada), onceAsked: asked, released: answer)
        let auth = service(repository)
        let adopting = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        _ = await asked.value()
        try await auth.signOut()
        answer.resolve(())
        #expect(await adopting.value?.error?.code == .superseded)
        try await wait(for: "the session to be given back") { repository.calls == [.adopt, .signOut("ada")] }
    }

    // MARK: What decides while it waits

    /// An adoption whose first request has failed, by a manager without a schedule. It is due after a pause.
    private func waiting(
        _ repository: ScriptedRepository, _ manager: SessionManager
    ) async -> Task<Result<AuthUser, AuthError>?, Never> {
        let adopt = AdoptSession(repository: repository, manager: manager)
        let adopting = Task { await outcome(of: adopt(Self.nameless)) }
        await clock.waitForSleepers(count: 1)
        return adopting
    }

    @Test func signInWhileItWaitsSupersedesIt() async throws {
        let (repository, manager) = (server(failure(.network)), manager())
        let adopting = await waiting(repository, manager)
        let bob = Credential(provider: .kakao, userID: "bob")
        _ = try await AuthSignIn(repository: repository, manager: manager)(bob).value
        #expect(await adopting.value?.error?.code == .superseded)
    }

    @Test func signOutWhileItWaitsSupersedesIt() async throws {
        let (repository, manager) = (server(failure(.network)), manager())
        let adopting = await waiting(repository, manager)
        _ = await outcome(of: AuthSignOut(repository: repository, manager: manager)())
        #expect(await adopting.value?.error?.code == .superseded)
    }

    @Test func adoptionByAnotherProcessWhileItWaitsEndsIt() async throws {
        let manager = manager()
        let adopting = await waiting(server(failure(.network)), manager)
        let other = AdoptSession(repository: server(.success(Self.ada)), manager: self.manager())
        _ = try await other(Self.nameless).value
        try await manager.synchronize()
        #expect(await adopting.value == .success(Self.ada.user))
    }

    private func manager() -> SessionManager {
        SessionManager(store: store, clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_000_000)))
    }

    /// Nothing of another user's session stays, also where the answer to the first request was lost.
    @Test(arguments: [false, true]) func answerForAnotherUserEndsTheSessionAsExpired(isSent: Bool) async throws {
        let record = SessionRecord(KeptSession(Self.adas, isSent: isSent))
        try await store.write(record.data(), for: .session)
        let repository = server(.success(.sample(user: "bob")))
        let manager = manager()
        _ = try await manager.restore()
        let refreshing = RefreshSession(repository: repository, manager: manager)
        let error = await #expect(throws: AuthError.self) { try await refreshing.accessToken() }
        #expect(error?.code == .sessionExpired)
        #expect(manager.state == .signedOut(.expired))
        #expect(repository.calls == [.adopt, .signOut("bob")])
    }

    /// A launch screen that made way for the app does not come back.
    @Test func stalledAdoptionIsShownAsSignedOutUntilTheUserIsKnown() async throws {
        let repository = server(failure(.unsupportedProvider), failure(.network), .success(Self.ada))
        let manager = manager()
        await manager.beginAdoption(of: Self.nameless)
        let refreshing = RefreshSession(repository: repository, manager: manager)
        for code in [AuthError.Code.unsupportedProvider, .network] {
            let error = await #expect(throws: AuthError.self) { try await refreshing.accessToken() }
            #expect(error?.code == code)
            #expect(manager.state == .signedOut(nil))
            #expect(manager.schedule.due == nil)
        }
        #expect(try await refreshing.accessToken() == Self.ada.accessToken)
        #expect(manager.state.user == Self.ada.user)
    }
}
