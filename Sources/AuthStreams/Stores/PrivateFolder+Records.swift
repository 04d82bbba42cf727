import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Each version of a record is an entry of the folder: a file `session@7`, or an empty folder of that name where the record
// was removed. The newest counts, whatever else is there. It is never taken away, so numbers only grow, and making the next
// one succeeds for one process alone. A file without a number is version 0.

extension PrivateFolder {
    /// Reads the newest version of a record.
    func record(_ name: String) throws(AuthError) -> StoredRecord {
        for _ in 0..<StoredRecord.attempts {
            let newest = try versions(of: name).last
            var data: Data?
            if let newest {
                switch try contents(of: newest) {
                case .data(let bytes): data = bytes
                case .removal: break
                case .gone: continue
                }
            }
            // A name that came or went while the folder was listed may have been missed.
            guard try versions(of: name).last == newest else { continue }
            return StoredRecord(data: data, version: newest?.version ?? .none)
        }
        throw .recordIsBusy(SessionStoreKey(rawValue: name))
    }

    /// Puts the next version beside the present one, then removes those before.
    ///
    /// - Parameter data: The record; `nil` to remove it.
    /// - Returns: The new version; `nil` when the one to replace is no longer the newest, in which case nothing was written.
    func write(
        _ data: Data?, as name: String, replacing version: RecordVersion
    ) throws(AuthError) -> RecordVersion? {
        let present = try versions(of: name)
        guard present.last?.version ?? .none == version else { return nil }
        if data == nil, try !hasRecord(present.last) {
            // An earlier removal may have failed before everything of it was on the disk.
            try descriptor.flush(path)
            try sweep(present.dropLast())
            try descriptor.flush(path)
            return version
        }
        let next = Version(name, version.next)
        guard try make(next, data) else { return nil }
        onStep?(.linked)
        // Another process may have come first while the system had stopped this one, and have removed its version since.
        let all = try versions(of: name)
        guard all.last == next else {
            try delete(next)
            return nil
        }
        // Before the old version goes, or a power cut could take both.
        try descriptor.flush(path)
        onStep?(.folderFlushed)
        if data == nil {
            try sweep(all.dropLast())
            try descriptor.flush(path)
        } else {
            // What stays is removed with the next write.
            try? sweep(all.dropLast())
        }
        onStep?(.swept)
        return next.version
    }

    /// One version of a record, as it stands in the folder.
    private struct Version: Equatable {
        let version: RecordVersion
        let fileName: String

        init(_ name: String, _ version: RecordVersion) {
            self.version = version
            fileName = "\(name)@\(version.rawValue)"
        }

        init?(fileName: String, of name: String) {
            guard fileName.hasPrefix(name) else { return nil }
            let suffix = fileName.dropFirst(name.count)
            guard !suffix.isEmpty else {
                (version, self.fileName) = (.none, fileName)
                return
            }
            guard let number = UInt64(suffix.dropFirst()), fileName == "\(name)@\(number)" else { return nil }
            (version, self.fileName) = (RecordVersion(rawValue: number), fileName)
        }
    }

    /// The versions that the folder holds, the newest last.
    private func versions(of name: String) throws(AuthError) -> [Version] {
        try names().compactMap { Version(fileName: $0, of: name) }.sorted { $0.version < $1.version }
    }

    private func hasRecord(_ version: Version?) throws(AuthError) -> Bool {
        guard let version else { return false }
        return try facts(of: version.fileName)?.isFolder == false
    }

    /// What a version holds.
    private enum Contents {
        case data(Data)
        case removal
        /// Nothing any more: another process has written since.
        case gone
    }

    private func contents(of version: Version) throws(AuthError) -> Contents {
        let fileName = version.fileName
        guard let facts = try facts(of: fileName) else { return .gone }
        if facts.isFolder { return .removal }
        // Without waiting, because what looked like a file may have become a pipe.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let raw = uninterrupted { openat(descriptor.raw, fileName, flags) }
        if raw < 0, errno == ENOENT { return .gone }
        guard raw >= 0 else { throw .file(errno, couldNot: "open", path(of: fileName)) }
        let file = Descriptor(raw)
        try FileFacts(of: file, at: path(of: fileName)).requirePrivate(.file, path(of: fileName))
        return .data(try file.readAll(path(of: fileName)))
    }

    /// Makes a version, whole or not at all.
    ///
    /// - Returns: `false` when there is one of that number.
    private func make(_ next: Version, _ data: Data?) throws(AuthError) -> Bool {
        guard let data else { return try done(mkdirat(descriptor.raw, next.fileName, 0o700), next) }
        let temporary = try makeTemporaryFile(for: next.fileName)
        defer { unlinkat(descriptor.raw, temporary.name, 0) }
        onStep?(.temporaryMade)
        try temporary.descriptor.writeAll(data, path(of: temporary.name))
        onStep?(.dataWritten)
        try temporary.descriptor.flush(path(of: temporary.name))
        onStep?(.fileFlushed)
        return try done(linkat(descriptor.raw, temporary.name, descriptor.raw, next.fileName, 0), next)
    }

    private func done(_ result: Int32, _ next: Version) throws(AuthError) -> Bool {
        if result == 0 { return true }
        if errno == EEXIST { return false }
        throw .file(errno, couldNot: "make", path(of: next.fileName))
    }

    /// Removes older versions, the oldest first: a reader that missed a newer one then finds the older gone, too.
    private func sweep(_ old: ArraySlice<Version>) throws(AuthError) {
        for version in old { try delete(version) }
    }

    private func delete(_ version: Version) throws(AuthError) {
        let isFolder = try facts(of: version.fileName)?.isFolder ?? false
        let result = unlinkat(descriptor.raw, version.fileName, isFolder ? AT_REMOVEDIR : 0)
        guard result == 0 || errno == ENOENT else {
            throw .file(errno, couldNot: "remove", path(of: version.fileName))
        }
    }
}
