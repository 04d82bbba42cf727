import Foundation
import TestSupport
import Testing

/// What the system tells of the locks on the files in a folder.
struct LockWaiters {
    static let canBeSeen = FileManager.default.isReadableFile(atPath: "/proc/locks")
}

extension URL {
    private var lockFile: URL { appending(path: ".refresh.lock") }

    /// Waits until so many wait at the system for the lock file in this folder, or for the one with that inode.
    func waitForWaiters(_ count: Int, onInode inode: UInt64? = nil) async throws {
        let inode = try inode ?? lockFile.inode()
        try await wait(for: "\(count) waiters for the lock file") {
            let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            return locks.count { $0.contains("-> FLOCK") && $0.contains(":\(inode) ") } == count
        }
    }

    /// How many descriptors of this process are of the lock file in this folder.
    func openLockFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return file == lockFile.resolvingSymlinksInPath().path
        }
    }
}
