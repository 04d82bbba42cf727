import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// A temporary file is locked by its writer, and the system releases the lock when the writer dies. So a file whose lock
// is free has no writer any more. Process identifiers and clocks are not needed.

/// A temporary file that is to become a record, locked by its writer.
struct TemporaryFile: ~Copyable {
    let name: String
    let descriptor: Descriptor
}

extension PrivateFolder {
    private static let suffix = ".tmp"

    /// Creates an empty file whose name no record has, and locks it until the descriptor is closed.
    func makeTemporaryFile(for name: String, mode: mode_t) throws(AuthError) -> TemporaryFile {
        for _ in 0..<100 {
            let random = String(descriptor.files.random(), radix: 36)
            let temporaryName = ".\(name).\(random)\(Self.suffix)"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let raw = descriptor.files.openFile(temporaryName, in: descriptor.raw, flags, mode: mode)
            if -raw == EEXIST { continue }
            guard raw >= 0 else { throw .file(-raw, couldNot: "make", path(of: temporaryName)) }
            let file = Descriptor(raw, of: descriptor.files)
            // File systems without locks refuse this. Leftovers stay there, because no process can lock them either.
            _ = file.files.lockFile(file.raw, LOCK_EX)
            // Between creation and lock, another process may have removed the file as a leftover.
            let isStillThere = try FileFacts(of: file, at: path(of: temporaryName)).hasName
            if isStillThere { return TemporaryFile(name: temporaryName, descriptor: file) }
        }
        throw AuthError(.storage, "No temporary file could be made in '\(path)', because each was removed at once.")
    }

    /// Returns the name of the record that a temporary file is for; `nil` for other files.
    static func target(ofTemporaryFile name: String) -> String? {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return nil }
        let words = name.dropFirst().dropLast(suffix.count)
        return words.lastIndex(of: ".").map { String(words[..<$0]) }
    }

    /// Removes temporary files whose writers have died. Files that cannot be removed stay for the next time.
    func removeLeftovers() {
        for name in (try? names()) ?? [] where Self.target(ofTemporaryFile: name) != nil {
            let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let raw = descriptor.files.openFile(name, in: descriptor.raw, flags, mode: 0)
            guard raw >= 0 else { continue }
            let file = Descriptor(raw, of: descriptor.files)
            if file.files.lockFile(file.raw, LOCK_EX | LOCK_NB) == 0 { _ = unlink(name) }
        }
    }
}
