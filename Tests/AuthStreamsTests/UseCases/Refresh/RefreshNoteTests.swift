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
        let generation = manager.look { $0.generation }
        let before = try await store.read(.session)

        // Another process's record was followed between the decision to send and the note.
        let request = try #require(manager.request())
        #expect(
            try await manager.writeMark(.sent, of: Secret("the one before"), in: generation, over: request.record)
                == nil)
        #expect(try await store.read(.session) == before)
        #expect(!manager.look { $0.journal == .sent })

        let token = session.refreshToken
        let written = try await manager.writeMark(.sent, of: token, in: generation, over: request.record)
        #expect(written == (try await store.read(.session).version))
        #expect(manager.look { $0.journal == .sent })
        #expect(try await store.read(.session) != before)

        // What was decided by an earlier record is not written.
        #expect(try await manager.writeMark(.clear, of: token, in: generation, over: request.record) == nil)
        #expect(manager.look { $0.journal == .sent })
        #expect(try await manager.writeMark(.clear, of: token, in: generation, over: written) != nil)
        #expect(!manager.look { $0.journal == .sent })
    }
}
