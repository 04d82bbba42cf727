import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The mark in the record that a refresh token is about to be sent.
@Suite struct RefreshMarkTests {
    private let base = MemorySessionStore()

    private func signedIn(over store: some SessionStore) async throws -> (SessionManager, RefreshRequest) {
        let manager = SessionManager(store: store, clock: ManualClock().authClock(startingAt: RefreshScene.noon))
        _ = try await manager.restore()
        let signIn = AuthSignIn(repository: ScriptedRepository(), manager: manager)
        _ = try await signIn(Credential(provider: .kakao, userID: "1")).value
        return (manager, try #require(manager.read({ $0.request() })))
    }

    /// Reads the record, and marks it as a refresh does.
    private func mark(
        _ stage: KeptSession.Stage, isRepeat: Bool = false, by manager: SessionManager
    ) async throws -> SessionManager.SentMark? {
        let found = try await manager.synchronize(toReplaceTokens: false)
        return try await manager.mark(stage, isRepeat: isRepeat, over: #require(found))
    }

    @Test func isOfTheTokenThatIsSentAndOfNoOther() async throws {
        let (manager, request) = try await signedIn(over: base)
        let before = try await base.read(.session)
        // Another process has replaced the tokens since they were to be sent.
        var earlier = request.stage
        earlier.revision -= 1
        #expect(try await mark(earlier, by: manager) == nil)
        #expect(try await base.read(.session) == before)

        let mark = try #require(try await mark(request.stage, by: manager))
        #expect(try await base.session()?.isSent == true && manager.read { $0.kept?.isSent } == true)

        // Another process has marked the same token since.
        let marked = try await base.read(.session)
        _ = try await base.write(marked.data, for: .session, replacing: marked.version)
        await manager.unmark(request.stage, at: mark.version)
        #expect(try await base.read(.session).data == marked.data)
        #expect(manager.read { $0.kept?.isSent } == true)
    }

    @Test func isClearedOverItsOwnVersion() async throws {
        let (manager, request) = try await signedIn(over: base)
        let mark = try #require(try await mark(request.stage, by: manager))
        await manager.unmark(request.stage, at: mark.version)
        #expect(try await base.session()?.isSent == false && manager.read { $0.kept?.isSent } == false)
    }

    /// Nothing is sent then. Where it landed all the same, the next request counts as repeated.
    @Test(arguments: [false, true]) func markThatFailsIsFoundByTheNextReading(lands: Bool) async throws {
        let store = FaultySessionStore(base)
        let (manager, request) = try await signedIn(over: store)
        store.fail(.write, lands ? .after : .before)
        await #expect(throws: AuthError.self) { _ = try await mark(request.stage, by: manager) }
        store.heal()
        #expect(manager.read { $0.kept?.isSent } == false)
        try await manager.synchronize()
        #expect(manager.read { $0.kept?.isSent } == lands)
        #expect(try await mark(request.stage, isRepeat: lands, by: manager) != nil)
    }

    /// Another process changes the user of the same tokens between the reading and the mark.
    @Test func isWrittenOverTheVersionThatWasReadAlone() async throws {
        let store = FaultySessionStore(base)
        let (manager, request) = try await signedIn(over: store)
        let hold = store.hold(.write, of: .session)
        async let mark = self.mark(request.stage, by: manager)
        await hold.reached()
        let before = try await base.read(.session)
        var session = try #require(request.kept.session)
        session.user.displayName = "Ada"
        let record = SessionRecord(KeptSession(session, as: request.stage.id, edition: request.stage.edition + 1))
        let theirs = try await base.write(record.data(), for: .session, replacing: before.version)
        hold.release()
        #expect(try await mark == nil)
        #expect(try await base.read(.session).version == theirs)
        #expect(try await self.mark(request.stage, by: manager)?.version == theirs?.next)
        #expect(try await base.session()?.isSent == true)
        #expect(manager.state.user?.displayName == "Ada")
    }

    /// Another process has got the lock that this one lost, and has sent the token.
    @Test func ofAnotherProcessMakesTheNextRequestARepeat() async throws {
        let (manager, request) = try await signedIn(over: base)
        let session = try #require(request.kept.session)
        let record = SessionRecord(KeptSession(session, as: request.stage.id, isSent: true))
        try await base.write(record.data(), for: .session)
        #expect(try await mark(request.stage, by: manager) == nil)
        #expect(manager.read { $0.request()?.isRepeat } == true)
        #expect(try await mark(request.stage, isRepeat: true, by: manager) != nil)
    }

    /// Another process would find the token without a mark.
    @Test func isNotInMemoryAloneWhereAFailedWriteMayHaveStoredTheToken() throws {
        var machine = SessionStateMachine()
        let nothing = RecordSnapshot(nil, version: 0)
        machine.restored(nil)
        let signIn = machine.began(.kakao)
        _ = machine.committed(
            signIn, .sample(user: "ada"), as: "a", at: Timestamp(date: Date(), uptime: .zero))
        machine.write(failing: AuthError(.storage, "Scripted."))
        let stage = try #require(machine.kept?.stage)
        let marks = [false, true].map { isRead in
            if isRead { machine.storage.recordRead(nothing) }
            return machine.markBegan(stage, isRepeat: false, over: nothing)
        }
        #expect(marks == [.outdated, .inMemory])
    }

    /// The server's answer keeps the refresh token, and cannot be stored. The record's mark is that of the request.
    @Test func ofAnAnsweredRequestIsNotTakenForAnotherProcesss() async throws {
        let store = FaultySessionStore(base)
        let (manager, _) = try await signedIn(over: store)
        let refresh = try #require(manager.refreshBegan())
        var request = try #require(manager.read { $0.request(for: refresh) })
        request.markVersion = try #require(await mark(request.stage, by: manager)).version
        store.fail(.write)
        var session = try #require(request.kept.session)
        session.accessToken = Secret("next")
        _ = try? await manager.commit(session, to: request)
        let stage = try #require(manager.read { $0.kept?.stage })
        let error = await #expect(throws: AuthError.self) { _ = try await mark(stage, by: manager) }
        #expect(error?.code == .storage)
        #expect(manager.read { $0.kept?.isSent } == false)
        store.heal()
        try await manager.persistPending()
        #expect(try await base.session()?.isSent == false)
    }

    /// A change of the account replaced the access token alone, so the store holds the refresh token.
    @Test func isNotInMemoryAloneWhereTheStoreHoldsTheRefreshToken() async throws {
        let store = FaultySessionStore(base)
        let (manager, request) = try await signedIn(over: store)
        var session = try #require(request.kept.session)
        session.accessToken = Secret("next")
        store.fail(.write)
        _ = try? await manager.commit(session, to: request)
        let stage = try #require(manager.read { $0.kept?.stage })
        #expect(stage.renewal == request.stage.renewal + 1)
        let error = await #expect(throws: AuthError.self) { _ = try await mark(stage, by: manager) }
        #expect(error?.code == .storage)
        store.heal()
        try await manager.persistPending()
        #expect(try await mark(stage, by: manager) != nil)
        #expect(try await base.session()?.isSent == true)
    }

    /// Otherwise the store would hold that session once more, before its end is written.
    @Test func staysWhereTheSessionIsOver() async throws {
        let (manager, request) = try await signedIn(over: base)
        let mark = try #require(try await mark(request.stage, by: manager))
        let marked = try await base.read(.session)
        _ = manager.transition { machine, _ in machine.signOut() }
        await manager.unmark(request.stage, at: mark.version)
        #expect(try await base.read(.session) == marked)
    }
}
