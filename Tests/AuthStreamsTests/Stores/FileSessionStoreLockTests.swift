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

/// The lock that processes share, as one process sees it. Who waits at the system is read from `/proc/locks`.
@Suite(.limitedParallelization, .enabled(if: LockWaiters.canBeSeen, "Only Linux tells who waits for a lock."))
struct FileSessionStoreLockTests {
    /// As long as it takes, on however slow a machine.
    private let patience = Duration.seconds(3600)

    private let name = SessionStoreKey(rawValue: "refresh")

    @Test func isAPrivateFileThatIsNeitherRecordNorLeftover() async throws {
        try await withTemporaryFolder { root in
            let folder = root.appending(path: "store")
            let store = FileSessionStore(folder: folder)
            try await store.lock(name, waitingAtMost: patience).release()
            #expect(try folder.mode() == 0o700)
            #expect(try folder.names() == [".refresh.lock"])
            #expect(try folder.appending(path: ".refresh.lock").mode() == 0o600)
            try await store.write(Data("x".utf8), for: .session)
            try await store.remove(.session)
            #expect(try folder.names() == [".refresh.lock", "session@2"])
            #expect(try await store.read(name).data == nil)
        }
    }

    @Test func whoeverWaitsForAnotherStoreGetsItWhenItIsReleased() async throws {
        try await withTemporaryFolder { folder in
            let held = try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience)
            let steps = Lock([FileStep]())
            let store = FileSessionStore(folder: folder) { step in
                steps.withLock { $0.append(step) }
            }
            let wait = Task { try await store.lock(name, waitingAtMost: patience) }
            try await folder.waitForWaiters(1)
            #expect(steps.withLock { $0 } == [])
            held.release()
            let lock = try await wait.value
            #expect(steps.withLock { $0 } == [.lockTaken])
            lock.release()
            #expect(steps.withLock { $0 } == [.lockTaken, .lockReleased])
        }
    }

    @Test func whoeverWaitsForAProcessThatNeverGoesOnIsToldSo() async throws {
        try await withTemporaryFolder { folder in
            let held = try await FileSessionStore(folder: folder).lock(.session, waitingAtMost: patience)
            let store = FileSessionStore(folder: folder)
            for _ in 0..<2 {
                let error = await #expect(throws: AuthError.self) {
                    try await store.lock(.session, waitingAtMost: .milliseconds(1))
                }
                #expect(error?.code == .timedOut)
                #expect(error?.explanation.contains("stopped") == true)
            }
            held.release()
            try await store.lock(.session, waitingAtMost: patience).release()
        }
    }

    @Test func aCancelledWaiterLeavesNothingBehind() async throws {
        try await withTemporaryFolder { folder in
            let held = try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience)
            let store = FileSessionStore(folder: folder)
            for _ in 0..<20 {
                let wait = Task { try await store.lock(name, waitingAtMost: patience) }
                try await folder.waitForWaiters(1)
                wait.cancel()
                let error = await #expect(throws: AuthError.self) { try await wait.value }
                #expect(error?.code == .cancelled)
            }
            // The thread of the first one still waits; no other thread had to ask the system.
            try await folder.waitForWaiters(1)
            held.release()
            _ = try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience)
            _ = try await store.lock(name, waitingAtMost: patience)
        }
    }

    @Test func tenThousandWaitersTakeOneDescriptor() async throws {
        try await withTemporaryFolder { folder in
            let held = try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience)
            let store = FileSessionStore(folder: folder)
            let inside = Lock((now: 0, largest: 0, all: 0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10_000 {
                    group.addTask {
                        let lock = try await store.lock(name, waitingAtMost: patience)
                        inside.withLock { $0 = ($0.now + 1, max($0.largest, $0.now + 1), $0.all + 1) }
                        await Task.yield()
                        inside.withLock { $0.now -= 1 }
                        lock.release()
                    }
                }
                try await wait(for: "all but one task to wait within the process") { store.waiting(for: name) == 9_999 }
                try await folder.waitForWaiters(1)
                #expect(try folder.openLockFiles() <= 2)
                held.release()
                try await group.waitForAll()
            }
            #expect(inside.withLock { $0.largest } == 1)
            #expect(inside.withLock { $0.all } == 10_000)
        }
    }

    @Test(arguments: [true, false])
    func aLockFileThatIsReplacedWhileSomebodyWaitsIsNotTheLock(folderToo: Bool) async throws {
        try await withTemporaryFolder { root in
            let folder = root.appending(path: "store")
            let old = try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience)
            let wait = Task { try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience) }
            try await folder.waitForWaiters(1)
            try FileManager.default.removeItem(at: folderToo ? folder : folder.appending(path: ".refresh.lock"))

            // The next process locks the new file, so the one that waits for the old one must not have it as well.
            let new = try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience)
            let inode = try folder.appending(path: ".refresh.lock").inode()
            old.release()
            try await folder.waitForWaiters(1, onInode: inode)
            new.release()
            _ = try await wait.value
        }
    }

    #if os(Linux)
        @Test func programThatIsStartedMeanwhileDoesNotInheritIt() async throws {
            try await withTemporaryFolder { folder in
                let held = try await FileSessionStore(folder: folder).lock(name, waitingAtMost: patience)
                defer { held.release() }
                let program = try InheritingProgram()
                let files = try program.files
                #expect(!files.isEmpty)
                #expect(!files.contains { $0.hasPrefix(folder.path()) })
            }
        }
    #endif
}
