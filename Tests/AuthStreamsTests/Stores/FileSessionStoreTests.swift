import Foundation
import Testing

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct FileSessionStoreTests {
    private let old = Data("the old record".utf8)
    private let new = Data("the new record".utf8)

    @Test func makesFoldersAndFilesThatOnlyTheOwnerCanOpen() async throws {
        try await withTemporaryFolder { root in
            let folder = root.appending(path: "state/app")
            try await FileSessionStore(folder: folder).write(old, for: .session)
            #expect(try folder.mode() == 0o700)
            #expect(try folder.deletingLastPathComponent().mode() == 0o700)
            #expect(try folder.appending(path: "session").mode() == 0o600)
        }
    }

    @Test func readingAndRemovingMakeNoFolder() async throws {
        try await withTemporaryFolder { root in
            let store = FileSessionStore(folder: root.appending(path: "store"))
            #expect(try await store.read(.session) == nil)
            try await store.remove(.session)
            #expect(try root.names() == [])
        }
    }

    @Test func laterStoreReadsWhatAnEarlierOneWrote() async throws {
        try await withTemporaryFolder { folder in
            try await FileSessionStore(folder: folder).write(old, for: .session)
            #expect(try await FileSessionStore(folder: folder).read(.session) == old)
        }
    }

    @Test func recordChangesByRenameAlone() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            let file = folder.appending(path: "session")
            try await store.write(old, for: .session)
            let reader = try FileHandle(forReadingFrom: file)
            let inode = try file.inode()

            try await store.write(new, for: .session)

            // Who had opened the old file still reads all of it: it was replaced, never written into.
            #expect(try reader.readToEnd() == old)
            #expect(try file.inode() != inode)
            #expect(try folder.names() == ["session"])
        }
    }

    @Test func recordLeftByAKilledWriterIsIgnoredAndCleanedUp() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            try await store.write(old, for: .session)
            for name in [".session.1a2b.tmp", ".pending-profiles.3c.tmp"] {
                #expect(
                    FileManager.default.createFile(
                        atPath: folder.appending(path: name).path, contents: Data("half".utf8)))
            }
            #expect(try await store.read(.session) == old)
            #expect(try await store.read(.pendingProfiles) == nil)

            try await store.write(new, for: .session)
            #expect(try folder.names() == ["session"])

            #expect(
                FileManager.default.createFile(atPath: folder.appending(path: ".session.9.tmp").path, contents: nil))
            try await store.remove(.session)
            #expect(try folder.names() == [])
        }
    }

    @Test func temporaryFileOfALivingWriterIsLeftAlone() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            let temporary = folder.appending(path: ".session.77.tmp")
            #expect(FileManager.default.createFile(atPath: temporary.path, contents: Data("being written".utf8)))
            let writer = try FileHandle(forUpdating: temporary)
            #expect(flock(writer.fileDescriptor, LOCK_EX) == 0)

            try await store.write(old, for: .session)
            #expect(try folder.names() == [".session.77.tmp", "session"])

            try writer.close()
            try await store.write(old, for: .session)
            #expect(try folder.names() == ["session"])
        }
    }

    @Test func refusedWriteLeavesTheOtherRecordsAndNothingElse() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            try await store.write(old, for: .session)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "blocked"), withIntermediateDirectories: false)
            await #expect(throws: AuthError.self) { try await store.write(new, for: .init(rawValue: "blocked")) }
            #expect(try await store.read(.session) == old)
            #expect(try folder.names() == ["blocked", "session"])
        }
    }

    @Test func writeThatFailsAtTheRenameLeavesNoTemporaryFile() async throws {
        try await withTemporaryFolder { url in
            // No store lets an empty name pass; here it is what a temporary file cannot be renamed to.
            let error = try #require(
                #expect(throws: AuthError.self) { try PrivateFolder(makingAt: url.path).replace("", with: old) })
            #expect(error.code == .storage && error.explanation.contains("replace"))
            #expect(try url.names() == [])
        }
    }
}
