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
        #expect(try await !manager.writeMark(.sent, of: Secret("the one before"), in: generation))
        #expect(try await store.read(.session) == before)
        #expect(!manager.look { $0.journal == .sent })

        #expect(try await manager.writeMark(.sent, of: session.refreshToken, in: generation))
        #expect(manager.look { $0.journal == .sent })
        #expect(try await store.read(.session) != before)
    }
}
