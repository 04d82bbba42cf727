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
/// Every file is accessed through the open folder, so that no process can replace the folder between two steps. Calls
/// block.
struct PrivateFolder: ~Copyable {
    let path: String
    let descriptor: Descriptor
    let onStep: FileStep.Observer?

    /// Opens the folder; `nil` if it does not exist.
    ///
    /// The folders above it are looked at each time, because they may have been changed since.
    init?(existingAt path: String, of files: any FileSystem, onStep: FileStep.Observer? = nil) throws(AuthError) {
        try Self.requireProtected(path, of: files)
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let raw = files.openFile(path, in: AT_FDCWD, flags, mode: 0)
        if -raw == ENOENT { return nil }
        guard raw >= 0 else { throw Self.refusal(toOpen: path, -raw) }
        let folder = Descriptor(raw, of: files)
        try FileFacts(of: folder, at: path).requirePrivate(.folder, path)
        self.path = path
        self.onStep = onStep
        descriptor = folder
    }

    /// Opens the folder. It and those above are created if they do not exist.
    ///
    /// - Parameter isFlushed: Whether the folder, if it exists, is known to be on the disk.
    init(
        makingAt path: String, isFlushed: Bool, of files: any FileSystem, onStep: FileStep.Observer? = nil
    ) throws(AuthError) {
        if isFlushed, let folder = try PrivateFolder(existingAt: path, of: files, onStep: onStep) {
            self = folder
            return
        }
        try Self.requireProtected(path, of: files)
        try Self.make(path, of: files)
        guard let folder = try PrivateFolder(existingAt: path, of: files, onStep: onStep) else {
            throw .file(ENOENT, couldNot: "find", path)
        }
        files.excludeFromBackups(path)
        self = folder
    }

    /// Creates the folder and those above it if they do not exist, and flushes them; otherwise a power cut could remove
    /// the folder with a record in it.
    static func make(_ path: String, of files: any FileSystem) throws(AuthError) {
        let parent = (path as NSString).deletingLastPathComponent
        if try FileFacts(at: path, files) == nil, parent != path {
            try make(parent, of: files)
            let result = files.makeFolder(path, in: AT_FDCWD, mode: 0o700)
            guard result >= 0 || -result == EEXIST else { throw .file(-result, couldNot: "make", path) }
        }
        // Also if it existed: the process that created it may have died before the flush. The folders above are on the
        // disk, because each was flushed before the next was created.
        try flushNames(ofFolderAt: parent, of: files)
    }

    private static func flushNames(ofFolderAt path: String, of files: any FileSystem) throws(AuthError) {
        let raw = files.openFile(path, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        // A folder may be writable but not readable, and only a readable one can be flushed.
        if [EACCES, EPERM].contains(-raw) { return }
        guard raw >= 0 else { throw .file(-raw, couldNot: "open", path) }
        try Descriptor(raw, of: files).flush(path)
    }

    private static func refusal(toOpen path: String, _ code: Int32) -> AuthError {
        // The error for a symbolic link depends on the system.
        guard code == ELOOP || code == ENOTDIR else { return .file(code, couldNot: "open", path) }
        return AuthError(
            .storage, "'\(path)' is a symbolic link or a file where the store's folder should be; remove it.")
    }
}

extension PrivateFolder {
    /// Returns the names of all entries of the folder, in no order.
    func names() throws(AuthError) -> [String] {
        var names: [String] = []
        let result = descriptor.files.list(descriptor.raw, into: &names)
        guard result >= 0 else { throw .file(-result, couldNot: "list", path) }
        return names
    }

    /// Removes a name; returns the system's result.
    func unlink(_ name: String) -> Int32 { descriptor.files.unlink(name, in: descriptor.raw) }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns the facts of a file; throws unless it is private and plain.
    func facts(of name: String) throws(AuthError) -> FileFacts? {
        let facts = try FileFacts(of: name, in: descriptor, at: path(of: name))
        try facts?.requirePrivate(.file, path(of: name))
        return facts
    }
}
