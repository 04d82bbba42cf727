import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// What a process makes of a record that others write too, while its own writes fail.
@Suite struct SharedRecordTests {
    private let base = MemorySessionStore()

    private func twoProcesses(signedIn: Bool = true) async throws -> (first: RefreshScene, second: RefreshScene) {
        let first = try await RefreshScene(signedIn: signedIn, over: base)
        return (first, try await RefreshScene(over: base, beside: first))
    }

    private func other(_ manager: SessionManager, signsIn user: String, with server: RotatingServer) async throws {
        _ = try await AuthSignIn(repository: server, manager: manager)(Credential(provider: .kakao, userID: user)).value
    }

    /// The store says that it failed, and has written it. Another process signs that user out.
    @Test func writeThatLandedIsNotRepeatedAfterASignOutElsewhere() async throws {
        let (first, second) = try await twoProcesses(signedIn: false)
        first.store.fail(.write, .after)
        try await first.signIn("ada")
        first.store.heal()
        try await first.manager.synchronize()
        try await second.manager.synchronize()
        #expect(second.manager.session?.user.id == "ada")
        try await second.signOut()
        try await first.manager.persistPending()
        try await first.manager.synchronize()
        #expect(try await base.session() == nil)
        #expect(first.manager.state == .signedOut(.elsewhere))
    }

    /// The sign-in here could not be stored, and another process has signed in another user since.
    @Test func newerSignInOfAnotherProcessIsNotForgotten() async throws {
        let (first, second) = try await twoProcesses()
        try await second.manager.synchronize()
        first.store.fail(.write)
        let hold = first.store.hold(.write, .before, of: .session)
        let signingIn = Task { try await first.signIn("bob") }
        await hold.reached()
        first.clock.advance(by: .seconds(1))
        try await second.signIn("carl")
        hold.release()
        try await signingIn.value
        #expect(try await second.storedSession()?.user.id == "carl")
    }

    /// Another process has written the same bytes, which this process has read.
    @Test func newVersionOfTheSameRecordIsRemovedAlsoWhileReadingFails() async throws {
        let scene = try await RefreshScene(over: base)
        let stored = try await base.read(.session)
        _ = try await base.write(stored.data, for: .session, replacing: stored.version)
        try await scene.manager.synchronize()
        scene.store.fail(.read)
        try await scene.signOut()
        #expect(try await base.session() == nil)
    }

    @Test func signOutEndsASessionInTheFormOfANewerVersion() async throws {
        let scene = try await RefreshScene(over: base)
        let record = String(decoding: try #require(try await base.read(.session).data), as: UTF8.self)
        try await base.write(Data(record.replacing("\"version\":3", with: "\"version\":1001").utf8), for: .session)
        await #expect(throws: AuthError.self) { try await scene.manager.synchronize() }
        try await scene.signOut()
        #expect(try await base.session() == nil)
    }

    /// The mark cannot be cleared, although the request was not sent. A refusal of the next one may then be that of a second use.
    @Test func markThatCannotBeClearedStays() async throws {
        let scene = try await RefreshScene(over: base)
        scene.server.next(.unsent(AuthError(.rateLimited, "Scripted.")))
        let hold = scene.store.hold(.write, .after, of: .session)
        let refusal = Task { await scene.refusal() }
        await hold.reached()
        scene.store.fail(.write)
        hold.release()
        #expect(await refusal.value == .rateLimited)
        #expect(try await scene.record()?.isSent == true)
    }

    @Test func answerThatLandedIsKnownByReadingAlsoWhileTheStoreFails() async throws {
        let scene = try await RefreshScene(over: base)
        let mark = scene.store.hold(.write, .after, of: .session)
        let refusal = Task { await scene.refusal() }
        await mark.reached()
        let answer = scene.store.hold(.write, .before, of: .session)
        mark.release()
        await answer.reached()
        scene.store.fail(.write, .after)
        // The date of the record is that before the write.
        scene.clock.advance(by: .seconds(1))
        answer.release()
        #expect(await refusal.value == .storage, "The tokens are withheld.")
        #expect(await scene.refusal(forced: false) == nil)
    }

    /// The caller came before that sign-in, whose tokens are newer than the ones that it asked to replace.
    @Test func callerThatWaitsForTheStoreGetsTheTokenOfASignInElsewhere() async throws {
        let (first, second) = try await twoProcesses()
        #expect(await first.refusalThatCannotBeStored() == .storage)
        let read = first.store.hold(.read, .before, of: .session)
        let caller = Task { await first.refusal() }
        await read.reached()
        try await second.signIn("ada")
        let (tokens, sent) = (try await second.storedSession(), first.server.sent)
        first.store.heal()
        read.release()
        #expect(await caller.value == nil)
        #expect(first.manager.session?.accessToken == tokens?.accessToken)
        #expect(first.server.sent == sent, "No request is needed.")
    }

    /// The store says that the write of the mark failed, and has written it. Another process may have written the same mark.
    @Test func markThatFailedAndLandedCountsAsThatOfAnotherProcess() async throws {
        let scene = try await RefreshScene(over: base)
        scene.store.fail(.write, .after, times: 1)
        #expect(await scene.refusal() == .storage)
        scene.server.revoke("ada")
        #expect(await scene.refusal() == .sessionExpired)
        #expect(scene.manager.state == .signedOut(.refreshInterrupted))
    }

    @Test func clockThatIsSetDoesNotProlongATokenThatAChangeLeaves() async throws {
        let date = Lock(RefreshScene.noon)
        let (manual, store) = (ManualClock(), MemorySessionStore())
        let clock = AuthClock(manual, now: { date.withLock { $0 } })
        let manager = SessionManager(store: store, clock: clock)
        let server = RotatingServer(clock: clock, lifetime: 3600, rule: .singleUse)
        try await other(manager, signsIn: "ada", with: server)
        let session = try #require(manager.session)
        date.withLock { $0 -= 86_400 }
        let request = try #require(manager.read({ $0.request() }))
        _ = try await manager.commit(session, to: request)
        manual.advance(by: .seconds(3600))
        #expect(manager.read { $0.tokenDecision(.valid, at: clock.uptime) } == nil, "A refresh begins.")
    }

    /// Without a user there is no session to end, although another process has just signed in a user.
    @Test func signOutEverywhereWithoutAUserEndsNoSessionOfAnotherProcess() async throws {
        let (first, second) = try await twoProcesses(signedIn: false)
        try await second.manager.synchronize()
        try await first.signIn("ada")
        #expect(second.manager.session == nil)
        let error = await #expect(throws: AuthError.self) {
            try await AuthSignOut(repository: second.server, manager: second.manager).everywhere().value
        }
        #expect(error?.code == .superseded)
        #expect(try await first.storedSession()?.user.id == "ada")
    }

    /// The store says that the write failed, and has written.
    @Test func signOutEverywhereSendsNoTokenWhoseRemovalFailed() async throws {
        let scene = try await RefreshScene(over: base)
        let stage = try #require(scene.manager.read { $0.kept?.stage })
        scene.store.fail(.write, .after, times: 1)
        _ = scene.manager.transition { machine, _ in machine.signOut() }
        try? await scene.manager.persistPending()
        try await scene.manager.persistPending()
        #expect(!scene.manager.read { $0.storage.removedUnsent(stage) }, "Another process may have read it in between.")
    }

    /// Another process refreshes after the session was ended here, and before its record is removed.
    @Test func signOutEverywhereSendsNoTokenThatAnotherProcessHasSent() async throws {
        let (first, second) = try await twoProcesses()
        first.clock.advance(by: .seconds(3600))
        let hold = first.store.hold(.write)
        let signingOut = Task {
            await outcome(of: AuthSignOut(repository: first.server, manager: first.manager).everywhere())
        }
        await hold.reached()
        _ = try await second.refreshing.accessToken()
        hold.release()
        #expect(await signingOut.value?.error?.code == .network)
        #expect(first.server.sent == ["r1"])
        #expect(try await base.session() == nil)
    }

    /// The refused refresh token is not the one that another process has stored since.
    @Test func refusalEndsNoNewerTokensOfTheSameSignIn() async throws {
        let scene = try await RefreshScene(over: base)
        _ = try #require(scene.manager.refreshBegan())
        let sent = try #require(scene.manager.read({ $0.request() }))
        var next = try #require(sent.kept.session)
        (next.accessToken, next.refreshToken) = (Secret("a9"), Secret("r9"))
        let record = SessionRecord(KeptSession(next, as: sent.stage.id, revision: sent.stage.revision + 1))
        try await base.write(record.data(), for: .session)
        try await scene.manager.synchronize()
        let refusal = AuthError(.sessionExpired, "Scripted.")
        _ = await scene.manager.requestFailed(sent, with: refusal, .singleUse, nil)
        #expect(scene.manager.session?.refreshToken == Secret("r9"))
        #expect(try await scene.storedSession()?.refreshToken == Secret("r9"))
        let resent = try #require(scene.manager.read({ $0.request() }))
        #expect(resent.kept.session == next)
        _ = await scene.manager.requestFailed(resent, with: refusal, .singleUse, nil)
        #expect(scene.manager.state == .signedOut(.expired))
    }

    /// An earlier version of the app, which has another server, has stored a session under the same user identifier.
    @Test func sessionOfAnotherServerIsNotTakenOver() async throws {
        let manager = SessionManager(store: base, owning: { $0.provider == .kakao })
        let server = RotatingServer(clock: .system, lifetime: 3600, rule: .singleUse)
        try await other(manager, signsIn: "ada", with: server)
        var theirs = try #require(manager.session)
        (theirs.provider, theirs.refreshToken) = (.google, Secret("theirs"))
        let record = try SessionRecord(theirs).data()
        try await base.write(record, for: .session)
        try await manager.synchronize()
        #expect(manager.state == .signedOut(.elsewhere) && manager.session == nil)
        #expect(try await base.read(.session).data == record, "It is that process's.")
    }

    @Test func signInTakesThePlaceOfARecordOfANewerVersion() async throws {
        let scene = try await RefreshScene(over: base)
        let record = String(decoding: try #require(try await base.read(.session).data), as: UTF8.self)
        try await base.write(Data(record.replacing("\"version\":3", with: "\"version\":1001").utf8), for: .session)
        scene.store.fail(.write)
        try await scene.signIn("bob")
        scene.store.heal()
        try await scene.manager.persistPending()
        #expect(try await scene.storedSession()?.user.id == "bob")
    }

    @Test func recordToAdoptDoesNotTakeThePlaceOfASession() async throws {
        let scene = try await RefreshScene(over: base)
        let adoptable = AdoptableSession(refreshToken: Secret("old"), user: AuthUser(id: "carl"))
        let record = SessionRecord(KeptSession(adoptable, isFoundAtLaunch: true))
        try await base.write(record.data(), for: .session)
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        change.yield()
        change.finish()
        await scene.manager.follow(changes)
        #expect(try await scene.storedSession()?.user.id == "ada")
    }

    /// The person signs out where the state is signed out, while the end of the previous session is not stored yet.
    @Test func signOutWithoutAUserEndsNoSignInAfterARefusal() async throws {
        let (first, second) = try await twoProcesses()
        try await second.manager.synchronize()
        first.server.revoke("ada")
        #expect(await first.refusalThatCannotBeStored() == .sessionExpired)
        first.clock.advance(by: .seconds(1))
        first.server.allow("ada")
        try await second.signIn("ada")
        first.clock.advance(by: .seconds(1))
        try? await first.signOut()
        first.store.heal()
        try await first.manager.persistPending()
        #expect(try await second.storedSession()?.user.id == "ada")
    }

    /// Neither the sign-in nor the removal of the user before could be stored, and then the server ends it.
    @Test func userBeforeDoesNotComeBackByARefusal() async throws {
        let (first, second) = try await twoProcesses()
        try await second.manager.synchronize()
        for call in [FaultySessionStore.Call.read, .write, .remove] { first.store.fail(call) }
        first.clock.advance(by: .seconds(1))
        try await first.signIn("bob")
        _ = try await second.refreshing.accessToken(forceRefresh: true)
        let request = try #require(first.manager.read({ $0.request() }))
        _ = await first.manager.requestFailed(
            request, with: AuthError(.sessionExpired, "Scripted."), .singleUse, nil)
        first.store.heal()
        try await first.manager.persistPending()
        #expect(first.manager.state == .signedOut(.expired))
        #expect(try await base.session() == nil)
    }

    /// Of the same user and with the same tokens.
    @Test func recordUnderAnotherNameIsAnotherSession() async throws {
        let scene = try await RefreshScene(over: base)
        let session = try #require(scene.manager.session)
        try await base.write(SessionRecord(KeptSession(session, as: "other")).data(), for: .session)
        #expect(await scene.refusal() == nil)
        #expect(scene.manager.state == .signedIn(session.user, .verified))
        #expect(try await base.session()?.stage == .init(id: "other", revision: 1))
        #expect(scene.server.sent == ["r1"])
        try await scene.signOut()
        #expect(try await base.session() == nil)
    }

    @Test func sameTokenWithALaterExpiryLivesLonger() async throws {
        let scene = try await RefreshScene(over: base)
        let session = try #require(scene.manager.session)
        var next = session
        next.expiresAt = session.expiresAt?.addingTimeInterval(3600)
        let refresh = try #require(scene.manager.refreshBegan())
        let request = try #require(scene.manager.read { $0.request(for: refresh) })
        _ = try await scene.manager.commit(next, to: request)
        scene.clock.advance(by: .seconds(3600))
        guard case .token = scene.manager.decide(.valid) else {
            Issue.record("The token counts as over.")
            return
        }
    }

    /// A changed user could not be stored, so this process has something of the session still to write.
    @Test func tokenThatAnotherProcessReplacedIsNotSent() async throws {
        let (first, second) = try await twoProcesses()
        first.store.fail(.write)
        _ = try? await first.refreshing.change { session in
            var next = session
            next.user.displayName = "Ada"
            return next
        }
        let theirs = try await second.refreshing.accessToken(forceRefresh: true)
        #expect(try await first.refreshing.accessToken(forceRefresh: true) == theirs)
        #expect(first.server.sent.count == 1)
        #expect(first.manager.session?.user.displayName == "Ada")
    }

    /// A store that forgets the version of a record at its removal has the same version twice.
    @Test func recordThatHasTheVersionOfAnotherIsTakenOver() throws {
        var machine = SessionStateMachine()
        let now = Timestamp(date: RefreshScene.noon, uptime: .zero)
        func found(_ user: String) throws -> RecordSnapshot {
            let data = try SessionRecord(KeptSession(.sample(user: user))).data()
            return RecordSnapshot(StoredRecord(data: data, version: RecordVersion(rawValue: 1)))
        }
        machine.restored(try found("ada"), at: now, since: .zero)
        try machine.observed(try found("bob"), at: now).get()
        #expect(machine.session?.user.id == "bob")
    }
}
