import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a follower of a record sees when its folder changes.
@Suite struct FileSessionStoreChangesTests {
    private let data = Data("x".utf8)

    @Test func aStoreThatReportsNoChangesEndsTheStreamAtOnce() async throws {
        try await withTemporaryFolder { folder in
            var store = FileSessionStore(folder: folder)
            store.reportsChanges = false
            for await _ in store.changes(of: .session) { Issue.record("A change was reported.") }
            let record = try await store.read(.session)
            #expect(record.data == nil, "It is a store all the same.")
        }
    }

    @Test func aRecordThatIsReplacedAndRemovedIsSeen() async throws {
        try await withTemporaryFolder { folder in
            let (store, other) = (FileSessionStore(folder: folder), FileSessionStore(folder: folder))
            var changes = store.changes(of: .session).makeAsyncIterator()
            for _ in 0..<3 {
                try await other.write(data, for: .session)
                #expect(await changes.next() != nil)
            }
            try await other.remove(.session)
            #expect(await changes.next() != nil)
        }
    }

    @Test func aRecordThatIsChangedByHandIsSeen() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "session")
            var changes = FileSessionStore(folder: folder).changes(of: .session).makeAsyncIterator()
            try data.write(to: file)
            #expect(await changes.next() != nil)
            try FileManager.default.moveItem(at: file, to: folder.appending(path: "elsewhere"))
            #expect(await changes.next() != nil)
        }
    }

    @Test func theFolderMayComeLater() async throws {
        try await withTemporaryFolder { root in
            let store = FileSessionStore(folder: root.appending(path: "a/b/c/store"))
            var changes = store.changes(of: .session).makeAsyncIterator()
            try await store.write(data, for: .session)
            #expect(await changes.next() != nil)
            try await store.write(data, for: .session)
            #expect(await changes.next() != nil)
        }
    }

    @Test func theFolderMayGoAndComeBack() async throws {
        try await withTemporaryFolder { root in
            let folder = root.appending(path: "state/store")
            let store = FileSessionStore(folder: folder)
            try await store.write(data, for: .session)
            // A process has it open, so the system keeps it after its removal.
            let visitor = open(folder.path, O_RDONLY | O_DIRECTORY)
            defer { close(visitor) }
            let changes = store.changes(of: .session)
            for gone in [folder, folder.deletingLastPathComponent()] {
                try await confirmLossAndReturn(of: gone, in: store, changes)
            }
        }
    }

    @Test func anotherFolderMayTakeItsPlace() async throws {
        try await withTemporaryFolder { root in
            let (folder, spare) = (root.appending(path: "way/state/store"), root.appending(path: "other/state/store"))
            try await FileSessionStore(folder: folder).write(Data("old".utf8), for: .session)
            try await FileSessionStore(folder: spare).write(Data("new".utf8), for: .session)
            let store = FileSessionStore(folder: folder)
            let changes = store.changes(of: .session)
            try FileManager.default.moveItem(at: root.appending(path: "way"), to: root.appending(path: "gone"))
            try FileManager.default.moveItem(at: root.appending(path: "other"), to: root.appending(path: "way"))
            try await confirmChange(in: changes, until: { try await store.read(.session).data == Data("new".utf8) })
            try await store.write(data, for: .session)
            try await confirmChange(in: changes, until: { try await store.read(.session).data == data })
        }
    }

    /// Reads the record after each change, as a reader does, until it is what it should be.
    private func confirmChange(
        in changes: AsyncStream<Void>, until isSeen: () async throws -> Bool
    ) async throws {
        for await _ in changes where try await isSeen() { return }
        Issue.record("The stream was over.")
    }

    /// Removes a folder on the way, and then writes into it again: both are changes.
    private func confirmLossAndReturn(
        of folder: URL, in store: FileSessionStore, _ changes: AsyncStream<Void>
    ) async throws {
        try FileManager.default.removeItem(at: folder)
        try await confirmChange(in: changes, until: { try await store.read(.session).data == nil })
        try await store.write(data, for: .session)
        try await confirmChange(in: changes, until: { try await store.read(.session).data == data })
    }

    @Test func aNameOrFolderThatNoStoreTakesHasNoChanges() async throws {
        for await _ in FileSessionStore(folder: URL(filePath: "/tmp")).changes(of: .init(rawValue: "../x")) {
            Issue.record("A change of nothing was told.")
        }
        for await _ in FileSessionStore.standard(application: "..").changes(of: .session) {
            Issue.record("A change of nothing was told.")
        }
    }

    #if !AUTH_DARWIN
        /// Reads the events of the folder itself, so what is not reported could not come later.
        @Test func otherRecordsAndReadersAreNoChange() async throws {
            try await withTemporaryFolder { folder in
                let store = FileSessionStore(folder: folder)
                try await store.write(data, for: .session)
                let inotify = inotify_init1(Int32(IN_NONBLOCK))
                try #require(inotify >= 0)
                defer { close(inotify) }
                var watches = FolderWatches(inotify: inotify, folder: folder.path) { inotify, path, mask in
                    let watch = inotify_add_watch(inotify, path, mask)
                    return watch >= 0 ? watch : -errno
                }
                #expect(watches.renew() == .whole)
                func meanings() -> [FolderWatches.Meaning] {
                    var meanings: [FolderWatches.Meaning] = []
                    InotifyEvent.readAll(from: inotify) {
                        meanings.append(watches.meaning(of: $0, record: SessionStoreKey.session.rawValue))
                    }
                    return meanings
                }
                _ = try await store.read(.session)
                try await store.lock(.session).release()
                try await store.write(data, for: .notes)
                try await store.remove(.notes)
                let others = meanings()
                #expect(!others.isEmpty && others.allSatisfy { $0 == .nothing })
                try await store.write(data, for: .session)
                #expect(meanings().contains(.record))
            }
        }

        /// One folder has one watch, however many paths lead to it.
        @Test func aFolderOnTheWayMayBeThereTwice() async throws {
            try await withTemporaryFolder { root in
                let link = root.appending(path: "loop")
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: root)
                let folder = root.appending(path: "loop/loop/store")
                let store = FileSessionStore(folder: folder)
                try await store.write(data, for: .session)
                let visitor = open(folder.path, O_RDONLY | O_DIRECTORY)
                defer { close(visitor) }
                let changes = store.changes(of: .session)
                try await confirmLossAndReturn(of: folder, in: store, changes)
            }
        }

        @Test func aShortageOfWatchesIsNoSilence() async throws {
            try await withTemporaryFolder { root in
                let (folder, isShort) = (root.appending(path: "store"), Lock(true))
                let store = FileSessionStore(folder: folder)
                try await store.write(data, for: .session)
                let (granted, refused) = (Lock(0), Lock(0))
                let changes = AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { continuation in
                    FileChanges.tell(
                        continuation, of: .session, inFolderAt: folder.path, pause: .milliseconds(1),
                        add: { inotify, path, mask in
                            if path == folder.path, isShort.withLock({ $0 }) {
                                refused.withLock { $0 += 1 }
                                return -ENOSPC
                            }
                            let watch = inotify_add_watch(inotify, path, mask)
                            if path == folder.path, watch >= 0 { granted.withLock { $0 += 1 } }
                            return watch >= 0 ? watch : -errno
                        })
                }
                for round in 0..<2 {
                    // Nothing tells that it changed, so it counts as changed.
                    let new = Data("round \(round)".utf8)
                    try await store.write(new, for: .session)
                    try await confirmChange(in: changes, until: { try await store.read(.session).data == new })
                    // The change may have been told of by the folder above, before this one was to be watched.
                    try await wait(for: "a watch of the folder to be refused") { refused.withLock { $0 } > 0 }
                    isShort.withLock { $0 = false }
                    for await _ in changes where granted.withLock({ $0 }) > 0 { break }
                    try await store.write(data, for: .session)
                    try await confirmChange(in: changes, until: { try await store.read(.session).data == data })
                    // The next time it is short when the folder comes back.
                    isShort.withLock { $0 = true }
                    refused.withLock { $0 = 0 }
                    granted.withLock { $0 = 0 }
                    try FileManager.default.removeItem(at: folder)
                }
            }
        }

        @Test func whoStopsReadingGivesEverythingBack() async throws {
            try await withTemporaryFolder { folder in
                let store = FileSessionStore(folder: folder)
                // More than the system lets one user have at a time, unless they are released.
                for round in 0..<400 {
                    let changes = store.changes(of: .session)
                    switch round % 3 {
                    case 0:
                        try await store.write(data, for: .session)
                        var isTold = false
                        for await _ in changes {
                            isTold = true
                            break
                        }
                        #expect(isTold)
                    case 1:
                        let reader = Task { for await _ in changes {} }
                        reader.cancel()
                        await reader.value
                    default:
                        break
                    }
                }
                try await wait(for: "all watches of this process to end") { try inotifyDescriptors() == 0 }
            }
        }

        /// How many of this process watch something; other tests may have some for a moment.
        private func inotifyDescriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
                return file?.contains("inotify") ?? false
            }
        }
    #endif
}
