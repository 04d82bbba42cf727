import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// The note that a refresh token is about to be sent.
@Suite struct RefreshNoteTests {
    @Test func isOfTheTokenThatIsSentAndOfNoOther() async throws {
        let store = MemorySessionStore()
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        let signIn = SignIn(repository: ScriptedRepository(), manager: manager)
        let session = try await signIn(Credential(provider: .kakao, userID: "1")).value
        let generation = manager.read { $0.generation }
        let before = try await store.read(.session)

        // Another process's record was followed between the decision to send and the note.
        let foreign = manager.read { $0.storage.foreignRecords }
        #expect(try await !manager.writeMark(.sent, of: Secret("the one before"), in: generation, after: foreign))
        #expect(try await store.read(.session) == before)
        #expect(!manager.read { $0.journal == .sent })

        let token = session.refreshToken
        #expect(try await manager.writeMark(.sent, of: token, in: generation, after: foreign))
        #expect(manager.read { $0.journal == .sent })
        let marked = try await store.read(.session)
        #expect(marked != before)

        // Another process has marked the same token since.
        _ = try await store.write(marked.data, for: .session, replacing: marked.version)
        #expect(try await !manager.writeMark(.clear, of: token, in: generation, after: foreign))
        #expect(manager.read { $0.journal == .sent })
        #expect(try await store.read(.session).data == marked.data)
    }

    /// The write of the mark fails and lands, or is repeated while the request is under way. Neither is another process's.
    @Test(arguments: [false, true]) func markOfThisProcessIsClearedAfterItsWriteFailed(lands: Bool) async throws {
        let store = FaultySessionStore()
        let manager = SessionManager(store: store, clock: ManualClock().authClock(startingAt: RefreshScene.noon))
        _ = try await manager.restore()
        let signIn = SignIn(repository: ScriptedRepository(), manager: manager)
        let token = try await signIn(Credential(provider: .kakao, userID: "1")).value.refreshToken
        let request = try #require(manager.read({ $0.request() }))
        store.fail(.write, lands ? .after : .before)
        await #expect(throws: AuthError.self) {
            try await manager.writeMark(
                .sent, of: token, in: request.generation, after: request.foreignRecords)
        }
        store.heal()
        manager.transition { machine, _ in machine.markInMemory(.sent, in: request.generation) }
        try await manager.persistPending()
        #expect(try await isMarked(in: store))
        #expect(
            try await manager.writeMark(.clear, of: token, in: request.generation, after: request.foreignRecords))
        #expect(try await !isMarked(in: store))
    }

    /// Otherwise a refusal of the only request would look like that of a repeated one.
    @Test func markThatAnotherProcessPreventedIsTakenBack() async throws {
        let base = MemorySessionStore()
        let store = FaultySessionStore(base)
        let manager = SessionManager(store: store)
        _ = try await manager.restore()
        let signIn = SignIn(repository: ScriptedRepository(), manager: manager)
        let token = try await signIn(Credential(provider: .kakao, userID: "1")).value.refreshToken
        let request = try #require(manager.read({ $0.request() }))
        let hold = store.hold(.write, of: .session)
        async let isWritten = manager.writeMark(
            .sent, of: token, in: request.generation, after: request.foreignRecords)
        await hold.reached()
        let record = try await base.read(.session)
        _ = try await base.write(record.data, for: .session, replacing: record.version)
        hold.release()
        #expect(try await !isWritten)
        #expect(manager.read { $0.journal } == .clear)
        #expect(try await !isMarked(in: base))
    }

    private func isMarked(in store: some SessionStore) async throws -> Bool {
        RecordSnapshot(try await store.read(.session)).record?.isUnanswered == true
    }
}
