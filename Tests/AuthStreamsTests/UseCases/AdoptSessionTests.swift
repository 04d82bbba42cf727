import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// Sessions of another SDK, taken over without signing anyone out.
@Suite(.timeLimit(.minutes(1))) struct AdoptSessionTests {
    private static let ada = Session.sample(user: "ada", token: "new")
    private static let adas = AdoptableSession(refreshToken: Secret("old token"), user: ada.user)
    private static let nameless = AdoptableSession(refreshToken: Secret("old token"))

    private let store = FaultySessionStore()
    private let clock = ManualClock()

    /// A server whose answers to an adoption are these, in order, the last again and again.
    private func server(_ answers: Result<Session, AuthError>...) -> ScriptedRepository {
        let left = Lock(answers)
        return ScriptedRepository(adopt: { _ in
            try left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
        })
    }

    private func service(
        _ repository: ScriptedRepository, leftBehind: (@Sendable () async throws -> AdoptableSession?)? = nil,
        letGo: @escaping @Sendable () async throws -> Void = {}
    ) -> AuthService {
        AuthService(
            repository: repository, providers: [ScriptedProvider(.kakao)], store: store,
            clock: clock.authClock(startingAt: Date(timeIntervalSince1970: 1_000_000)),
            leftBehind: leftBehind.map { LeftBehind(find: $0, letGo: letGo) })
    }

    private func failure(_ code: AuthError.Code) -> Result<Session, AuthError> {
        .failure(AuthError(code, "Scripted."))
    }

    /// Every state up to the one that is looked for.
    private func states(of auth: AuthService, until isLast: (AuthState) -> Bool) async -> [AuthState] {
        var seen: [AuthState] = []
        for await state in auth.states {
            seen.append(state)
            if isLast(state) { break }
        }
        return seen
    }

    private func kept() async throws -> KeptSession? { try await store.read(.session).map(SessionRecord.kept(in:)) }

    // MARK: At launch

    @Test(arguments: [nameless, adas]) func nobodyIsEverSignedOutByTheChange(left: AdoptableSession) async throws {
        let auth = service(server(.success(Self.ada))) { left }
        let seen = await states(of: auth) { $0 == .signedIn(Self.ada.user, .verified) }
        #expect(!seen.contains { if case .signedOut = $0 { true } else { false } })
        #expect(try await kept() == .established(Self.ada))
    }

    @Test func withoutANetworkAtFirstLaunchAKnownUserIsSignedInAllTheSame() async throws {
        let repository = server(failure(.network), failure(.server), .success(Self.ada))
        let auth = service(repository) { Self.adas }
        let offline = await states(of: auth) { if case .signedIn(_, .offline) = $0 { true } else { false } }
        #expect(offline.suffix(2).map(\.user) == [Self.ada.user, Self.ada.user])
        #expect(try await kept() == .adoptable(Self.adas))
        for _ in 0..<2 {
            await clock.waitForSleepers(count: 1)
            clock.advanceToNextSleeper()
        }
        let seen = await states(of: auth) { $0 == .signedIn(Self.ada.user, .verified) }
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
        let auth = service(server(.success(Self.ada)), leftBehind: nil)
        let seen = await states(of: auth) { $0 == .signedIn(Self.ada.user, .verified) }
        #expect(!seen.contains(.signedOut(nil)))
    }

    @Test func theWaitGrowsToAMinuteAndWhatTheServerAskedForWins() async throws {
        let busy = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(90))
        let auth = service(server(failure(.network), failure(.network), .failure(busy), failure(.network))) {
            Self.adas
        }
        var waits: [Duration] = []
        for _ in 0..<9 {
            await clock.waitForSleepers(count: 1)
            waits.append(try #require(clock.advanceToNextSleeper()))
        }
        #expect(waits == [1, 2, 90, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
        #expect(auth.user == Self.ada.user)
    }

    @Test func whatWasLeftBehindIsAskedForOnlyWhileTheStoreIsEmpty() async throws {
        let asked = Lock(0)
        let ask: @Sendable () async throws -> AdoptableSession? = {
            asked.withLock { $0 += 1 }
            return Self.nameless
        }
        try await store.write(SessionRecord(Self.ada).data(), for: .session)
        let auth = service(server(.success(Self.ada)), leftBehind: ask)
        _ = await states(of: auth) { $0.user != nil }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func aSignOutIsNotUndoneByTheCopyThatTheOtherSDKStillHas() async throws {
        do {
            let auth = service(server(.success(Self.ada))) { Self.nameless }
            _ = await states(of: auth) { $0 == .signedIn(Self.ada.user, .verified) }
            try await auth.signOut()
        }
        let repository = server(.success(Self.ada))
        let auth = service(repository) { Self.nameless }
        let seen = await states(of: auth) { if case .signedOut = $0 { true } else { false } }
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
        _ = await states(of: auth) { $0 == .restoring(.waitingForUnlock) }
        isLocked.withLock { $0 = false }
        store.unlock()
        let seen = await states(of: auth) { $0.user != nil }
        #expect(!seen.contains { if case .signedOut = $0 { true } else { false } })
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
        #expect(await states(of: auth) { $0.user != nil }.last?.user == Self.ada.user)
    }

    @Test func aMalformedSessionThatWasLeftIsReportedAndNotSent() async throws {
        let keeper = SessionKeeper(
            store: store, leftBehind: LeftBehind(find: { AdoptableSession(refreshToken: Secret(" ")) }))
        var events = keeper.events.makeAsyncIterator()
        _ = try await keeper.restore()
        #expect(await events.next() == AuthEvent(.adoptionRefused, error: .invalidCredential))
        #expect(keeper.state == .signedOut(nil))
        #expect(keeper.adoption == nil)
        #expect(try await store.read(.session) == nil)
    }

    @Test func aSignOutWhileWhatWasLeftIsAskedForIsNotUndoneByTheNextLaunch() async throws {
        let (asked, answer) = (OneShot<Void>(), OneShot<Void>())
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
        #expect(await nobodyComesBack(to: auth))
        #expect(repository.calls.isEmpty)
    }

    @Test func aSignOutIsNotUndoneWhereALaunchDiedBeforeItNotedTheAdoption() async throws {
        try await store.write(SessionRecord(Self.nameless).data(), for: .session)
        do {
            let auth = service(server(.success(Self.ada))) { Self.nameless }
            _ = await states(of: auth) { $0 == .signedIn(Self.ada.user, .verified) }
            try await auth.signOut()
        }
        let auth = service(server(.success(Self.ada))) { Self.nameless }
        #expect(await nobodyComesBack(to: auth))
    }

    @Test func aSignOutOfSomebodyElseBringsNobodyBack() async throws {
        do {
            let auth = service(server(.success(Self.ada))) { throw AuthError(.storage, "Scripted.") }
            _ = await states(of: auth) { $0 == .signedOut(nil) }
            _ = try await auth.signIn(with: .kakao).value
            try await auth.signOut()
        }
        let auth = service(server(.success(Self.ada))) { Self.nameless }
        #expect(await nobodyComesBack(to: auth))
    }

    @Test func aSignOutThatCannotBeNotedForgetsTheSessionAndSaysSo() async throws {
        // A session of before there was anything to note.
        try await store.write(SessionRecord(Self.ada).data(), for: .session)
        let auth = service(server(.success(Self.ada))) { Self.nameless }
        _ = await states(of: auth) { $0 == .signedIn(Self.ada.user, .cached) }
        store.fail(.write)
        let error = await #expect(throws: AuthError.self) { try await auth.signOut() }
        #expect(error?.code == .storage)
        #expect(try await store.read(.session) == nil)
    }

    private func nobodyComesBack(to auth: AuthService) async -> Bool {
        await states(of: auth) { state in
            switch state {
            case .signedOut, .signedIn, .restoring(.adopting): true
            default: false
            }
        }.last == .signedOut(nil)
    }

    @Test func whatWasLeftIsAskedForNoLongerThanItCancelsItself() async throws {
        let auth = service(server(.success(Self.ada))) { throw CancellationError() }
        let seen = await states(of: auth) { if case .signedOut = $0 { true } else { false } }
        #expect(seen.last == .signedOut(nil))
    }

    // MARK: Letting go

    /// Waits until the launch of a service has done what it does after an adoption was decided.
    private func launched(_ auth: AuthService) async { _ = await auth.adopt(refreshToken: Secret("another")).result }

    @Test func theOtherSDKLetsGoOnceTheSessionIsStored() async throws {
        let (release, stored) = (OneShot<Bool>(), store)
        let auth = service(
            server(.success(Self.ada)), leftBehind: { Self.nameless },
            letGo: { release.resolve((try? await stored.read(.session)) != nil) })
        #expect(await release.value() == true)
        _ = auth
    }

    @Test func theOtherSDKDoesNotLetGoOfWhatCouldNotBeStored() async throws {
        let letsGo = Lock(0)
        store.fail(.write, times: 1000)
        do {
            let auth = service(
                server(.success(Self.ada)), leftBehind: { Self.adas }, letGo: { letsGo.withLock { $0 += 1 } })
            _ = await states(of: auth) { $0 == .signedIn(Self.ada.user, .verified) }
            await launched(auth)
        }
        #expect(letsGo.withLock { $0 } == 0)
        store.heal()
        // The next launch finds it where it was.
        let auth = service(
            server(.success(Self.ada)), leftBehind: { Self.adas }, letGo: { letsGo.withLock { $0 += 1 } })
        _ = await states(of: auth) { $0 == .signedIn(Self.ada.user, .verified) }
        await launched(auth)
        #expect(letsGo.withLock { $0 } >= 1)
    }

    @Test func whatFailedToLetGoIsAskedToAtTheNextLaunchAndOnceItDidNoMore() async throws {
        let letsGo = Lock(0)
        for launch in 1...4 {
            let auth = service(
                server(.success(Self.ada)), leftBehind: { Self.nameless },
                letGo: {
                    let count = letsGo.withLock { count in
                        count += 1
                        return count
                    }
                    if count < 3 { throw AuthError(.storage, "Scripted.") }
                })
            _ = await states(of: auth) { $0.user != nil }
            await launched(auth)
            if launch == 4 { #expect(letsGo.withLock { $0 } == 3) }
        }
    }

    @Test func withoutTheUserInTheAnswerTheOneThatWasLeftCounts() async throws {
        let transport = AnsweringTransport([.json(#"{"accessToken": "a", "refreshToken": "r", "expiresIn": 60}"#)])
        let repository = ServerFixture.repository(transport)
        let session = try await repository.adopt(
            AdoptableSession(refreshToken: Secret("old"), user: Self.ada.user, provider: .naver))
        #expect(session.user == Self.ada.user)
        #expect(session.provider == .naver)
        #expect(session.refreshToken == Secret("r"))
    }

    @Test func anAnswerThatCameTooLateIsGivenBackToTheServer() async throws {
        let (asked, answer) = (OneShot<Void>(), OneShot<Void>())
        let repository = ScriptedRepository(adopt: { _ in
            asked.resolve(())
            _ = await answer.value()
            return Self.ada
        })
        let auth = service(repository)
        let adopting = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        _ = await asked.value()
        try await auth.signOut()
        answer.resolve(())
        #expect(await adopting.value?.error?.code == .superseded)
        #expect(repository.calls == [.adopt, .signOut("ada")])
    }

    @Test func whoeverAsksSecondGetsTheServersNoToo() async throws {
        let (asked, answer) = (OneShot<Void>(), OneShot<Void>())
        let repository = ScriptedRepository(adopt: { _ in
            asked.resolve(())
            _ = await answer.value()
            throw AuthError(.userDisabled, "Scripted.")
        })
        let auth = service(repository) { Self.nameless }
        _ = await asked.value()
        let second = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        answer.resolve(())
        #expect(await second.value?.error?.code == .userDisabled)
        #expect(repository.calls == [.adopt])
    }

    // MARK: When asked

    @Test func adoptingEndsWithTheUser() async throws {
        let auth = service(server(.success(Self.ada)))
        #expect(try await auth.adopt(refreshToken: Secret("old token")).value == Self.ada.user)
        #expect(auth.state == .signedIn(Self.ada.user, .verified))
    }

    @Test func whoeverIsSignedInStaysThatAndNothingIsSent() async throws {
        let repository = server(.success(Self.ada))
        let auth = service(repository)
        let user = try await auth.signIn(with: .kakao).value
        #expect(try await auth.adopt(refreshToken: Secret("old token")).value == user)
        #expect(!repository.calls.contains(.adopt))
    }

    @Test(arguments: ["", " ", "to\nken"]) func aMalformedTokenIsSaidAndNeverSent(token: String) async throws {
        let repository = server(.success(Self.ada))
        let auth = service(repository)
        let error = await outcome(of: auth.adopt(refreshToken: Secret(token)))?.error
        #expect(error?.code == .invalidCredential)
        #expect(repository.calls.isEmpty)
        #expect(try await store.read(.session) == nil)
    }

    @Test(arguments: [
        (AuthError.Code.sessionExpired, SignOutReason.expired), (.userDisabled, .disabled), (.userNotFound, .deleted),
    ])
    func aDeadSessionIsOverAndForgotten(code: AuthError.Code, reason: SignOutReason) async throws {
        let auth = service(server(failure(code)))
        let error = await outcome(of: auth.adopt(refreshToken: Secret("old token"), of: Self.ada.user))?.error
        #expect(error?.code == code)
        #expect(auth.state == .signedOut(reason))
        #expect(try await store.read(.session) == nil)
    }

    @Test func aForeignSessionIsAdoptedForNobody() async throws {
        let auth = service(server(.success(.sample(user: "bob"))))
        let error = await outcome(of: auth.adopt(refreshToken: Secret("bob's token"), of: Self.ada.user))?.error
        #expect(error?.code == .invalidCredential)
        #expect(auth.user == nil)
        #expect(try await store.read(.session) == nil)
    }

    @Test(arguments: [AuthError.Code.misconfigured, .invalidResponse, .unsupportedProvider])
    func whatAskingAgainWouldNotHelpEndsTheStreamAndLosesNothing(code: AuthError.Code) async throws {
        let repository = server(failure(code), .success(Self.ada))
        let auth = service(repository)
        let token = Secret("old token")
        #expect(await outcome(of: auth.adopt(refreshToken: token))?.error?.code == code)
        #expect(auth.state == .signedOut(nil))
        #expect(try await kept() == .adoptable(Self.nameless))
        #expect(try await auth.adopt(refreshToken: token).value == Self.ada.user)
    }

    @Test func cancellingTheWaitLeavesTheSessionStored() async throws {
        let auth = service(server(failure(.network)))
        let adopting = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        await clock.waitForSleepers(count: 1)
        adopting.cancel()
        #expect(await adopting.value?.error?.code == .cancelled)
        // Nobody asks any more, so nobody is known until the next launch; but nothing is lost.
        #expect(auth.state == .signedOut(nil))
        #expect(try await kept() == .adoptable(Self.nameless))
    }

    @Test func aSignInWhileTheServerIsAskedWins() async throws {
        let (asked, answer) = (OneShot<Void>(), OneShot<Void>())
        let repository = ScriptedRepository(adopt: { _ in
            asked.resolve(())
            _ = await answer.value()
            return Self.ada
        })
        let auth = service(repository)
        let adopting = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        _ = await asked.value()
        let user = try await auth.signIn(with: .kakao).value
        answer.resolve(())
        #expect(await adopting.value?.error?.code == .superseded)
        #expect(auth.state == .signedIn(user, .verified))
        let kept = try await store.read(.session).flatMap(SessionRecord.session(in:))
        #expect(kept?.user == user)
    }

    @Test func twoWhoAdoptTheSameSessionAskOnce() async throws {
        let (asked, answer) = (OneShot<Void>(), OneShot<Void>())
        let repository = ScriptedRepository(adopt: { _ in
            asked.resolve(())
            _ = await answer.value()
            return Self.ada
        })
        let auth = service(repository) { Self.nameless }
        _ = await asked.value()
        let second = Task { await outcome(of: auth.adopt(refreshToken: Secret("old token"))) }
        answer.resolve(())
        #expect(await second.value == .success(Self.ada.user))
        #expect(repository.calls == [.adopt])
    }

    @Test func aStoreThatFailsCostsNobodyTheirSession() async throws {
        store.fail(.write, times: 10)
        let auth = service(server(.success(Self.ada)))
        #expect(try await auth.adopt(refreshToken: Secret("old token")).value == Self.ada.user)
        #expect(auth.state == .signedIn(Self.ada.user, .verified))
    }

    @Test(arguments: [nameless, adas]) func aSessionThatCannotBeStoredIsStillThereToBeAdopted(
        left: AdoptableSession
    ) async throws {
        let repository = ScriptedRepository(adopt: { [store] _ in
            store.fail(.write)
            return Self.ada
        })
        let auth = service(repository)
        #expect(try await auth.adopt(refreshToken: left.refreshToken, of: left.user).value == Self.ada.user)
        #expect(try await kept() == .adoptable(left))
    }

    @Test(arguments: [AuthError.Code.storage, .storageLocked])
    func aStoreThatCannotBeReadAgainSignsNobodyOutWhileTheServerIsAsked(code: AuthError.Code) async throws {
        let keeper = SessionKeeper(store: store)
        await keeper.beginAdoption(of: Self.nameless)
        store.fail(.read, with: AuthError(code, "Scripted."), times: 1)
        _ = await outcome(of: RestoreSession(keeper: keeper)())
        #expect(keeper.state == .restoring(.adopting))
    }

    @Test(arguments: [(0, 1), (Int.max, 3600)])
    func aServerIsAskedNeitherAtOnceNorInAThousandYears(asked: Int, waits: Int) async throws {
        let busy = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(asked))
        let auth = service(server(.failure(busy))) { Self.nameless }
        await clock.waitForSleepers(count: 1)
        #expect(clock.advanceToNextSleeper() == .seconds(waits))
        _ = auth
    }

    @Test func aRepositoryThatCancelsItselfLeavesNobodyWaiting() async throws {
        let auth = service(server(failure(.cancelled)))
        #expect(await outcome(of: auth.adopt(refreshToken: Secret("old token")))?.error?.code == .cancelled)
        #expect(auth.state == .signedOut(nil))
        #expect(try await kept() == .adoptable(Self.nameless))
    }

    @Test func whatCouldNotBeStoredIsStoredBeforeTheServerIsAskedAgain() async throws {
        store.fail(.write)
        let auth = service(server(failure(.network))) { Self.adas }
        await clock.waitForSleepers(count: 1)
        #expect(try await kept() == nil)
        store.heal()
        clock.advanceToNextSleeper()
        await clock.waitForSleepers(count: 1)
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
}
