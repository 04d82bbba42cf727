import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension PrivateFolder {
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
