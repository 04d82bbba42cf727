import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// The record of what is remembered beside the session, which several operations and processes write.
@Suite struct NotesFileTests {
    private let store = FaultySessionStore()

    @Test func partThatAnotherProcessWroteMeanwhileStays() async throws {
        var file = NotesFile(SessionManager(store: store))
        await file.update { notes throws(AuthError) in notes.remove(.attempt) }
        try await store.setNote(.lastSignIn, to: Data("1".utf8))
        await file.update { notes throws(AuthError) in try notes.set(.attempt, to: "page") }
        #expect(try await store.note(.lastSignIn) == Data("1".utf8))
        #expect(try await store.note(.attempt) == Data(#""page""#.utf8))
    }

    /// The name of a person would stay although the server has it.
    @Test func whatAWriteStoredThatFailedIsReadAgain() async throws {
        var file = NotesFile(SessionManager(store: store))
        store.fail(.write, .after, of: .notes, times: 1)
        await file.update { notes throws(AuthError) in try notes.set(.profiles, to: "name") }
        await file.update { notes throws(AuthError) in notes.remove(.profiles) }
        #expect(try await store.read(.notes).data == nil)
    }

    @Test func bytesThatAreNoNotesAreRemoved() async throws {
        try await store.write(Data("{".utf8), for: .notes)
        var file = NotesFile(SessionManager(store: store))
        await file.update { notes throws(AuthError) in notes.removeUnfinished(of: notes) }
        #expect(try await store.read(.notes).data == nil)
    }
}
