import AuthStreamsTesting
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
            #expect(try folder.appending(path: "session@1").mode() == 0o600)
        }
    }

    @Test func readingAndRemovingMakeNoFolder() async throws {
        try await withTemporaryFolder { root in
            let store = FileSessionStore(folder: root.appending(path: "store"))
            #expect(try await store.read(.session).data == nil)
            try await store.remove(.session)
            #expect(try root.names() == [])
        }
    }

    @Test func laterStoreReadsWhatAnEarlierOneWrote() async throws {
        try await withTemporaryFolder { folder in
            try await FileSessionStore(folder: folder).write(old, for: .session)
            #expect(try await FileSessionStore(folder: folder).read(.session).data == old)
        }
    }

    @Test func eachVersionIsAFileOfItsOwn() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            try await store.write(old, for: .session)
            let reader = try FileHandle(forReadingFrom: folder.appending(path: "session@1"))

            try await store.write(new, for: .session)

            // A reader that opened the old file still reads all of it: it was replaced, never written into.
            #expect(try reader.readToEnd() == old)
            #expect(try folder.names() == ["session@2"])
        }
    }

    @Test func removedRecordLeavesNothingButItsNumber() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            try await store.write(old, for: .session)
            for _ in 0..<2 {
                try await store.remove(.session)
                #expect(try folder.names() == ["session@2"])
                #expect(try Data(contentsOf: folder.appending(path: "session@2")).isEmpty)
                #expect(try folder.appending(path: "session@2").mode() == 0o400)
            }
            try await store.write(new, for: .session)
            #expect(try folder.names() == ["session@3"])
            #expect(try await store.read(.session).data == new)
        }
    }

    @Test func fileWithoutANumberIsReadUntilItIsReplaced() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "session")
            #expect(
                FileManager.default.createFile(
                    atPath: file.path, contents: old, attributes: [.posixPermissions: 0o600]))
            let store = FileSessionStore(folder: folder)
            #expect(try await store.read(.session).data == old)
            try await store.write(new, for: .session)
            #expect(try folder.names() == ["session@1"])
        }
    }

    /// The system stops a writer on its way, and another process writes meanwhile.
    @Test(arguments: 1...3) func writerThatWasStoppedIsRefused(writesMeanwhile: Int) async throws {
        try await withTemporaryFolder { folder in
            let other = FileSessionStore(folder: folder)
            try await other.write(old, for: .session)
            let writer = FileSessionStore(folder: folder) { [new] step in
                guard step == .fileOrdered else { return }
                for _ in 0..<writesMeanwhile {
                    do throws(AuthError) {
                        let version = try other.readBlocking(.session).version
                        _ = try other.writeBlocking(new, for: .session, replacing: version)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            let version = try await writer.read(.session).version
            #expect(try await writer.write(Data("stale".utf8), for: .session, replacing: version) == nil)
            #expect(try await other.read(.session).data == new)
            #expect(try folder.names() == ["session@\(1 + writesMeanwhile)"])
        }
    }

    @Test func versionsThatAKilledWriterLeftAreIgnoredAndCleanedUp() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            for name in ["session@3", "session@12", "session@9"] {
                #expect(
                    FileManager.default.createFile(
                        atPath: folder.appending(path: name).path, contents: Data(name.utf8),
                        attributes: [.posixPermissions: 0o600]))
            }
            #expect(
                try await store.read(.session)
                    == StoredRecord(data: Data("session@12".utf8), version: .init(rawValue: 12)))
            try await store.write(new, for: .session)
            #expect(try folder.names() == ["session@13"])
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
            #expect(try await store.read(.session).data == old)
            #expect(try await store.read(.notes).data == nil)

            try await store.write(new, for: .session)
            #expect(try folder.names() == ["session@2"])

            #expect(
                FileManager.default.createFile(atPath: folder.appending(path: ".session.9.tmp").path, contents: nil))
            try await store.remove(.session)
            #expect(try folder.names() == ["session@3"])
        }
    }

    @Test func temporaryFileOfALivingWriterIsLeftAlone() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            let temporary = folder.appending(path: ".session@9.77.tmp")
            #expect(FileManager.default.createFile(atPath: temporary.path, contents: Data("being written".utf8)))
            let writer = try FileHandle(forUpdating: temporary)
            #expect(flock(writer.fileDescriptor, LOCK_EX) == 0)

            try await store.write(old, for: .session)
            #expect(try folder.names() == [".session@9.77.tmp", "session@1"])

            // A program that another test has started may have the file open too.
            #expect(flock(writer.fileDescriptor, LOCK_UN) == 0)
            try writer.close()
            try await store.write(old, for: .session)
            #expect(try folder.names() == ["session@2"])
        }
    }

    @Test func temporaryFileOfALateWriterIsRemoved() async throws {
        try await withTemporaryFolder { folder in
            let temporary = folder.appending(path: ".session@1.77.tmp")
            #expect(FileManager.default.createFile(atPath: temporary.path, contents: Data("being written".utf8)))
            let writer = try FileHandle(forUpdating: temporary)
            #expect(flock(writer.fileDescriptor, LOCK_EX) == 0)
            try await FileSessionStore(folder: folder).write(old, for: .session)
            #expect(try folder.names() == ["session@1"])
        }
    }

    @Test func refusedWriteLeavesTheOtherRecordsAndNothingElse() async throws {
        try await withTemporaryFolder { folder in
            let store = FileSessionStore(folder: folder)
            try await store.write(old, for: .session)
            try FileManager.default.createDirectory(
                at: folder.appending(path: "blocked"), withIntermediateDirectories: false)
            await #expect(throws: AuthError.self) { try await store.write(new, for: .init(rawValue: "blocked")) }
            #expect(try await store.read(.session).data == old)
            #expect(try folder.names() == ["blocked", "session@1"])
        }
    }
}
