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

    /// Throws unless only root and this user decide which folder a path leads to.
    ///
    /// The walk begins at the root, so each folder is looked at after all folders above it were found to be protected, and
    /// no other user can change what was looked at before. The folder itself is not looked at, and neither are missing
    /// folders: this process creates them.
    static func requireProtected(_ path: String, of files: any FileSystem) throws(AuthError) {
        // A path without symbolic links, the facts of its folder, and the names that are still to be looked up there.
        var place = "/"
        var names: [Substring] = path.split(separator: "/").reversed()
        var links = 0
        guard var folder = try FileFacts(at: place, files) else { return }
        try folder.requireProtected(place, above: path)
        while let name = names.popLast() {
            let next =
                name == ".." ? (place as NSString).deletingLastPathComponent : "\(place == "/" ? "" : place)/\(name)"
            guard let found = try FileFacts(at: next, files) else { return }
            if found.isSymbolicLink {
                // The folder itself must not be one, and is refused when it is opened.
                guard !names.isEmpty else { return }
                try folder.requireLinksProtected(next, above: path)
                links += 1
                // As many as Linux follows (path_resolution(7)).
                guard links <= 40 else { throw .file(ELOOP, couldNot: "open", path) }
                var target = ""
                let result = files.readLink(next, in: AT_FDCWD, into: &target)
                guard result >= 0 else { throw .file(-result, couldNot: "read", next) }
                names += target.split(separator: "/").filter { $0 != "." }.reversed()
                guard target.hasPrefix("/"), let root = try FileFacts(at: "/", files) else { continue }
                (place, folder) = ("/", root)
            } else {
                if names.isEmpty { return }
                try found.requireProtected(next, above: path)
                (place, folder) = (next, found)
            }
        }
    }

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

extension FileFacts {
    /// Throws unless the folder is root's or this user's, and no other user can replace a folder in it.
    ///
    /// With the sticky bit, only the owner of a name may (unlink(2)). A group may write if it is this user's private group:
    /// some systems give each user one, and create folders that it may write to.
    fileprivate func requireProtected(_ path: String, above store: String) throws(AuthError) {
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw AuthError(
                .storage,
                "'\(path)' belongs to user \(status.st_uid), who could replace the store's folder '\(store)'; choose a folder "
                    + "elsewhere, or give '\(path)' to this user or to root with chown.")
        }
        guard status.st_mode & 0o1000 != 0 || !isWritableByOthers else {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            throw AuthError(
                .storage,
                "Others may write to '\(path)' (mode \(mode)) and could replace the store's folder '\(store)'; restrict it with "
                    + "'chmod go-w', or choose a folder elsewhere.")
        }
    }

    /// Throws if other users can put a symbolic link there: by a link of this user's to another place, they could choose
    /// the store's folder.
    fileprivate func requireLinksProtected(_ link: String, above store: String) throws(AuthError) {
        guard isWritableByOthers else { return }
        throw AuthError(
            .storage,
            "'\(link)', on the way to the store's folder '\(store)', is a symbolic link in a folder that others may write to; "
                + "choose the folder by a path without it.")
    }

    private var isWritableByOthers: Bool {
        if status.st_mode & 0o002 != 0 { return true }
        return status.st_mode & 0o020 != 0 && !(status.st_uid == geteuid() && Self.isPrivateGroup(status.st_gid))
    }

    /// Returns whether a group is the primary group of this user, has the user's name, and lists no other member.
    private static func isPrivateGroup(_ id: gid_t) -> Bool {
        // A list of members that is too long for this is not a private group's.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
            var user = passwd()
            var foundUser: UnsafeMutablePointer<passwd>?
            guard let start = buffer.baseAddress,
                getpwuid_r(geteuid(), &user, start, buffer.count, &foundUser) == 0, foundUser != nil, user.pw_gid == id
            else { return false }
            let name = String(cString: user.pw_name)
            var entry = group()
            var foundGroup: UnsafeMutablePointer<group>?
            guard getgrgid_r(id, &entry, start, buffer.count, &foundGroup) == 0, foundGroup != nil,
                String(cString: entry.gr_name) == name
            else { return false }
            var member = entry.gr_mem
            while let other = member?.pointee {
                if String(cString: other) != name { return false }
                member = member?.successor()
            }
            return true
        }
    }
}

// A temporary file is locked by its writer, and the system releases the lock when the writer dies. So a file whose lock
// is free has no writer any more. Process identifiers and clocks are not needed.

/// A temporary file that is to become a record, locked by its writer.
struct TemporaryFile: ~Copyable {
    let name: String
    let descriptor: Descriptor
}
