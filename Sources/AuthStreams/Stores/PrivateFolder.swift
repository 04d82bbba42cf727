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
    let onStep: FileStep.Observer?

    /// Opens the folder; `nil` when there is none.
    init?(existingAt path: String, of files: any FileSystem, onStep: FileStep.Observer? = nil) throws(AuthError) {
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

    /// Opens the folder, which is made when there is none, together with those above it.
    ///
    /// - Parameter isFlushed: Whether the folder, if it is there, is on the disk for certain.
    init(
        makingAt path: String, isFlushed: Bool, of files: any FileSystem, onStep: FileStep.Observer? = nil
    ) throws(AuthError) {
        if isFlushed, let folder = try PrivateFolder(existingAt: path, of: files, onStep: onStep) {
            self = folder
            return
        }
        try Self.make(path, of: files)
        guard let folder = try PrivateFolder(existingAt: path, of: files, onStep: onStep) else {
            throw .file(ENOENT, couldNot: "find", path)
        }
        self = folder
    }

    /// Puts the folder on the disk, and makes it and those above it where they are missing: else a power cut could take the
    /// folder away with a record in it.
    static func make(_ path: String, of files: any FileSystem) throws(AuthError) {
        let parent = (path as NSString).deletingLastPathComponent
        if try FileFacts(at: path, files) == nil, parent != path {
            try make(parent, of: files)
            let result = files.makeFolder(path, in: AT_FDCWD, mode: 0o700)
            guard result >= 0 || -result == EEXIST else { throw .file(-result, couldNot: "make", path) }
        }
        // Also where it was there: the process that made it may have died before it flushed. The folders above are on the
        // disk by now, because each was before the next was made.
        try flushNames(ofFolderAt: parent, of: files)
    }

    private static func flushNames(ofFolderAt path: String, of files: any FileSystem) throws(AuthError) {
        let raw = files.openFile(path, in: AT_FDCWD, O_RDONLY | O_DIRECTORY | O_CLOEXEC, mode: 0)
        // Folders may be made in some that may not be read; only reading lets them be flushed.
        if [EACCES, EPERM].contains(-raw) { return }
        guard raw >= 0 else { throw .file(-raw, couldNot: "open", path) }
        try Descriptor(raw, of: files).flush(path)
    }

    private static func refusal(toOpen path: String, _ code: Int32) -> AuthError {
        // Systems differ in which of the two a symbolic link is.
        guard code == ELOOP || code == ENOTDIR else { return .file(code, couldNot: "open", path) }
        return AuthError(
            .storage, "'\(path)' is a symbolic link or a file where the store's folder should be; remove it.")
    }
}

extension PrivateFolder {
    /// The names of everything in the folder, in no order.
    func names() throws(AuthError) -> [String] {
        var names: [String] = []
        let result = descriptor.files.list(descriptor.raw, into: &names)
        guard result >= 0 else { throw .file(-result, couldNot: "list", path) }
        return names
    }

    /// Removes a name; returns what the system does.
    func unlink(_ name: String) -> Int32 { descriptor.files.unlink(name, in: descriptor.raw) }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns what stands there under that name; refused unless it is a private, plain file.
    func facts(of name: String) throws(AuthError) -> FileFacts? {
        let facts = try FileFacts(of: name, in: descriptor, at: path(of: name))
        try facts?.requirePrivate(.file, path(of: name))
        return facts
    }
}
