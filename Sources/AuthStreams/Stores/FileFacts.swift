import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file's kind, owner and permissions.
struct FileFacts {
    enum Kind: String {
        case file
        case folder
        case lock = "lock file"

        /// What other users with access could do.
        var danger: String {
            switch self {
            case .file, .folder: "so the tokens in it may be known to them. If they are not, restrict it"
            case .lock: "so they could hold the lock forever. Restrict it"
            }
        }

        /// An alternative remedy.
        var otherRemedy: String {
            switch self {
            case .file, .folder: "else remove it and sign in again"
            case .lock: "or remove it"
            }
        }
    }
    let status: stat

    /// Reads the facts of an open file.
    init(of file: borrowing Descriptor, at path: String) throws(AuthError) {
        try self.init(ofDescriptor: file.raw, at: path, file.files)
    }

    /// Reads the facts of an open file.
    init(ofDescriptor raw: Int32, at path: String, _ files: any FileSystem) throws(AuthError) {
        var status = stat()
        let result = files.status(of: raw, &status)
        guard result >= 0 else { throw .file(-result, couldNot: "look at", path) }
        self.status = status
    }

    /// Reads the facts of a name in a folder, without following a link; `nil` if it does not exist.
    init?(of name: String, in folder: borrowing Descriptor, at path: String) throws(AuthError) {
        try self.init(of: name, inDescriptor: folder.raw, at: path, folder.files)
    }

    /// Reads the facts of a path, without following a link; `nil` if it does not exist.
    init?(at path: String, _ files: any FileSystem) throws(AuthError) {
        try self.init(of: path, inDescriptor: AT_FDCWD, at: path, files)
    }

    private init?(
        of name: String, inDescriptor folder: Int32, at path: String, _ files: any FileSystem
    ) throws(AuthError) {
        var status = stat()
        let result = files.status(of: name, in: folder, &status)
        if -result == ENOENT { return nil }
        guard result >= 0 else { throw .file(-result, couldNot: "look at", path) }
        self.status = status
    }

    /// Returns whether it is the same file, possibly under another name.
    func isSameFile(as other: FileFacts) -> Bool {
        status.st_ino == other.status.st_ino && status.st_dev == other.status.st_dev
    }

    /// The mode of an empty file that marks a removed record. No record has it: records are writable.
    static let removalMode: mode_t = 0o400

    /// Whether the file marks a removed record.
    var isRemoval: Bool { status.st_size == 0 && status.st_mode & 0o777 == Self.removalMode }

    /// Whether the file still has a name in some folder.
    var hasName: Bool { status.st_nlink > 0 }

    var isSymbolicLink: Bool { status.st_mode & S_IFMT == S_IFLNK }

    /// Throws unless it is a plain file or folder that belongs to this user and is closed to others.
    func requirePrivate(_ kind: Kind, _ path: String) throws(AuthError) {
        let isExpectedKind = status.st_mode & S_IFMT == (kind == .folder ? S_IFDIR : S_IFREG)
        guard isExpectedKind else {
            let found = isSymbolicLink ? "a symbolic link" : "not a plain \(kind.rawValue)"
            throw AuthError(
                .storage, "'\(path)' is \(found), and a store trusts its own \(kind.rawValue)s only; remove it.")
        }
        guard status.st_uid == geteuid() else {
            throw AuthError(
                .storage,
                "'\(path)' belongs to user \(status.st_uid), not to this process's user \(geteuid()), so its owner could read "
                    + "or change what is in it; choose another folder or give it back with chown.")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw AuthError(
                .storage,
                "Others may open '\(path)' (mode \(mode)), \(kind.danger) with 'chmod go-rwx'; \(kind.otherRemedy).")
        }
    }
}
