import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder that only its owner can enter, held open, and the small files in it.
///
/// Every file is reached through the open folder, so that nobody can put another folder in its place between two steps.
/// Blocks while it works.
struct PrivateFolder: ~Copyable {
    let path: String
    let descriptor: Descriptor
    private let onStep: FileStep.Observer?

    /// Opens the folder; `nil` when there is none.
    init?(existingAt path: String, onStep: FileStep.Observer? = nil) throws(AuthError) {
        let raw = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        if raw < 0, errno == ENOENT { return nil }
        guard raw >= 0 else { throw Self.refusal(toOpen: path, errno) }
        let folder = Descriptor(raw)
        try FileFacts(of: folder, at: path).requirePrivate(.folder, path)
        self.path = path
        self.onStep = onStep
        descriptor = folder
    }

    /// Opens the folder, which is made when there is none, together with those above it.
    init(makingAt path: String, onStep: FileStep.Observer? = nil) throws(AuthError) {
        try Self.make(path)
        guard let folder = try PrivateFolder(existingAt: path, onStep: onStep) else {
            throw .file(ENOENT, couldNot: "find", path)
        }
        self = folder
    }

    /// Makes the folder and those above it that are missing, each of which is on the disk before the next is made: else a
    /// power cut could take the folder away with a record in it.
    ///
    /// - Parameter flushNames: Puts a folder's list of names on the disk.
    static func make(
        _ path: String, flushNames: (String) throws(AuthError) -> Void = Self.flushNames(ofFolderAt:)
    ) throws(AuthError) {
        let parent = (path as NSString).deletingLastPathComponent
        if mkdir(path, 0o700) == 0 { return try flushNames(parent) }
        if errno == EEXIST { return }
        let failure = errno
        guard failure == ENOENT, !parent.isEmpty, parent != path else { throw .file(failure, couldNot: "make", path) }
        try make(parent, flushNames: flushNames)
        if mkdir(path, 0o700) == 0 { return try flushNames(parent) }
        guard errno == EEXIST else { throw .file(errno, couldNot: "make", path) }
    }

    private static func flushNames(ofFolderAt path: String) throws(AuthError) {
        let raw = uninterrupted { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        // Folders may be made in some that may not be read; only reading lets them be flushed.
        guard raw >= 0 else { return }
        try Descriptor(raw).flush(path)
    }

    private static func refusal(toOpen path: String, _ code: Int32) -> AuthError {
        // Systems differ in which of the two a symbolic link is.
        guard code == ELOOP || code == ENOTDIR else { return .file(code, couldNot: "open", path) }
        return AuthError(
            .storage, "'\(path)' is a symbolic link or a file where the store's folder should be; remove it.")
    }
}

extension PrivateFolder {
    /// The whole file; `nil` when there is none.
    func contents(of name: String) throws(AuthError) -> Data? {
        let path = path(of: name)
        guard try facts(of: name) != nil else { return nil }
        // Without waiting, because what looked like a file may have become a pipe.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let raw = uninterrupted { openat(descriptor.raw, name, flags) }
        if raw < 0, errno == ENOENT { return nil }
        guard raw >= 0 else { throw .file(errno, couldNot: "open", path) }
        let file = Descriptor(raw)
        try FileFacts(of: file, at: path).requirePrivate(.file, path)
        return try file.readAll(path)
    }

    /// Puts a new file in the place of the old one, at once or not at all.
    func replace(_ name: String, with data: Data) throws(AuthError) {
        _ = try facts(of: name)
        let temporary = try makeTemporaryFile(for: name)
        onStep?(.temporaryMade)
        do throws(AuthError) {
            try temporary.descriptor.writeAll(data, path(of: temporary.name))
            onStep?(.dataWritten)
            try temporary.descriptor.flush(path(of: temporary.name))
            onStep?(.fileFlushed)
            guard renameat(descriptor.raw, temporary.name, descriptor.raw, name) == 0 else {
                throw .file(errno, couldNot: "replace", path(of: name))
            }
        } catch {
            unlinkat(descriptor.raw, temporary.name, 0)
            throw error
        }
        onStep?(.renamed)
        // Until the folder is on the disk too, a power cut could bring the old file back.
        try descriptor.flush(path)
        onStep?(.folderFlushed)
    }

    /// Removes the file, if there is one.
    func delete(_ name: String) throws(AuthError) {
        // Also where there is none: an earlier removal may have failed after the file was gone, and before that was on disk.
        guard try facts(of: name) != nil else { return try descriptor.flush(path) }
        guard unlinkat(descriptor.raw, name, 0) == 0 || errno == ENOENT else {
            throw .file(errno, couldNot: "remove", path(of: name))
        }
        onStep?(.removed)
        try descriptor.flush(path)
        onStep?(.folderFlushed)
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// What stands there under that name; refused unless it is a private file.
    private func facts(of name: String) throws(AuthError) -> FileFacts? {
        let facts = try FileFacts(of: name, in: descriptor, at: path(of: name))
        try facts?.requirePrivate(.file, path(of: name))
        return facts
    }
}
