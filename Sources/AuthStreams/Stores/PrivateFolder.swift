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
    /// The names of everything in the folder, in no order.
    func names() throws(AuthError) -> [String] {
        let raw = uninterrupted { openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard raw >= 0 else { throw .file(errno, couldNot: "list", path) }
        guard let listing = fdopendir(raw) else {
            let failure = errno
            close(raw)
            throw .file(failure, couldNot: "list", path)
        }
        defer { closedir(listing) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(listing) else {
                guard errno == 0 else { throw .file(errno, couldNot: "list", path) }
                return names
            }
            // Read in place: an entry may be shorter than the type that describes it.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            names.append(String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)))
        }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns what stands there under that name; refused unless it is private, and a plain file or a folder.
    func facts(of name: String) throws(AuthError) -> FileFacts? {
        let facts = try FileFacts(of: name, in: descriptor, at: path(of: name))
        try facts?.requirePrivate(facts?.isFolder == true ? .folder : .file, path(of: name))
        return facts
    }
}
