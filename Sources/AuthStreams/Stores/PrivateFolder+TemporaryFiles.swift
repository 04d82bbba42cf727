import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// A temporary file is locked by its writer, and the system lets go of the lock when the writer dies. So a file whose lock
// can be had belongs to nobody any more, whatever became of process identifiers and clocks since.

/// A file on its way to become a record, locked by its writer.
struct TemporaryFile: ~Copyable {
    let name: String
    let descriptor: Descriptor
}

extension PrivateFolder {
    private static let suffix = ".tmp"

    /// Makes an empty file that no record is named like, and locks it until the descriptor is closed.
    func makeTemporaryFile(for name: String) throws(AuthError) -> TemporaryFile {
        for _ in 0..<100 {
            let random = String(UInt64.random(in: .min ... .max), radix: 36)
            let temporaryName = ".\(name).\(random)\(Self.suffix)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let raw = uninterrupted { openat(descriptor.raw, temporaryName, flags, 0o600) }
            if raw < 0, errno == EEXIST { continue }
            guard raw >= 0 else { throw .file(errno, couldNot: "make", path(of: temporaryName)) }
            let file = Descriptor(raw)
            // File systems without locks refuse this; there leftovers stay, because nobody can have their lock either.
            _ = uninterrupted { flock(file.raw, LOCK_EX) }
            // Between making and locking, somebody who tidies up may have taken it for a leftover.
            let isStillThere = try FileFacts(of: file, at: path(of: temporaryName)).hasName
            if isStillThere { return TemporaryFile(name: temporaryName, descriptor: file) }
        }
        throw AuthError(.storage, "No temporary file could be made in '\(path)', because each was removed at once.")
    }

    /// Removes temporary files whose writers are gone. What cannot be removed stays for the next time.
    func removeLeftovers() {
        for name in (try? names()) ?? []
        where name.hasPrefix(".") && name.hasSuffix(Self.suffix) {
            let raw = uninterrupted { openat(descriptor.raw, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
            guard raw >= 0 else { continue }
            let file = Descriptor(raw)
            if flock(file.raw, LOCK_EX | LOCK_NB) == 0 { unlinkat(descriptor.raw, name, 0) }
        }
    }
}
