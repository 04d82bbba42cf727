import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Each version of a record is a file `session@7`, created by link(2). The newest counts. A removed record is a version,
// too: an empty, read-only file. A file without a number is version 0.
//
// A writer creates its temporary file, `.session@8.….tmp`, before it looks up the newest version. The process that has
// created a version removes first the temporary files up to its number and then the older versions. So a writer can
// never reuse a number: a link that succeeds has replaced the version that the writer read, even if the system
// suspended the writer at any point and for any time.

extension PrivateFolder {
    /// Reads the newest version of a record.
    func record(_ name: String) throws(AuthError) -> StoredRecord {
        for _ in 0..<StoredRecord.attempts {
            guard let newest = try newestVersion(of: name) else { return StoredRecord(data: nil, version: .none) }
            if let record = try contents(of: newest) { return record }
        }
        throw .recordIsBusy(SessionStoreKey(rawValue: name))
    }

    /// Creates the next version, then removes the older ones.
    ///
    /// - Parameter data: The record; `nil` to remove it.
    /// - Returns: The new version; `nil` if the one to replace is no longer the newest, in which case nothing was
    ///   written.
    func write(
        _ data: Data?, as name: String, replacing version: RecordVersion
    ) throws(AuthError) -> RecordVersion? {
        if data == nil, try isRemoved(name, version) {
            // An earlier removal may have failed before all of it was on the disk.
            try settle(name, version, isRemoval: true)
            return version
        }
        guard try make(name, data, replacing: version) else { return nil }
        onStep?(.linked)
        try settle(name, version.next, isRemoval: data == nil)
        return version.next
    }

    /// One version of a record in the folder.
    private struct Version {
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

    private func newestVersion(of name: String) throws(AuthError) -> Version? {
        // If a version is replaced while the folder is listed, the list may lack both.
        for _ in 0..<2 {
            let versions = try names().compactMap { Version(fileName: $0, of: name) }
            if let newest = versions.max(by: { $0.version < $1.version }) { return newest }
        }
        return nil
    }

    /// Reads a version; `nil` if it was removed, because another process has written since.
    private func contents(of version: Version) throws(AuthError) -> StoredRecord? {
        let fileName = version.fileName
        guard let facts = try facts(of: fileName) else { return nil }
        if facts.isRemoval { return StoredRecord(data: nil, version: version.version) }
        // Non-blocking, because the file may have been replaced by a pipe.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let raw = descriptor.files.openFile(fileName, in: descriptor.raw, flags, mode: 0)
        if -raw == ENOENT { return nil }
        guard raw >= 0 else { throw .file(-raw, couldNot: "open", path(of: fileName)) }
        let file = Descriptor(raw, of: descriptor.files)
        try FileFacts(of: file, at: path(of: fileName)).requirePrivate(.file, path(of: fileName))
        return StoredRecord(data: try file.readAll(path(of: fileName)), version: version.version)
    }

    /// Returns whether there is no record and the version is the newest.
    private func isRemoved(_ name: String, _ version: RecordVersion) throws(AuthError) -> Bool {
        guard let newest = try newestVersion(of: name) else { return version == .none }
        guard newest.version == version else { return false }
        return try facts(of: newest.fileName)?.isRemoval == true
    }

    /// Creates the next version atomically.
    ///
    /// - Returns: `false` when another process was first.
    private func make(_ name: String, _ data: Data?, replacing version: RecordVersion) throws(AuthError) -> Bool {
        let next = Version(name, version.next)
        let temporary = try makeTemporaryFile(for: next.fileName, mode: data == nil ? FileFacts.removalMode : 0o600)
        defer { _ = unlink(temporary.name) }
        onStep?(.temporaryMade)
        try temporary.descriptor.writeAll(data ?? Data(), path(of: temporary.name))
        onStep?(.dataWritten)
        // Before the name, or a power cut could leave the name without them. The folder's flush writes both.
        try temporary.descriptor.order(path(of: temporary.name))
        onStep?(.fileOrdered)
        guard try newestVersion(of: name)?.version ?? .none == version else { return false }
        let result = descriptor.files.link(temporary.name, to: next.fileName, in: descriptor.raw)
        // The number exists, or existed: then the temporary file was removed.
        if [EEXIST, ENOENT].contains(-result) { return false }
        guard result >= 0 else { throw .file(-result, couldNot: "make", path(of: next.fileName)) }
        return true
    }

    /// Flushes the newest version to the disk and removes the older ones.
    private func settle(_ name: String, _ newest: RecordVersion, isRemoval: Bool) throws(AuthError) {
        // Before the old version is removed, or a power cut could remove both.
        try descriptor.flush(path)
        onStep?(.folderFlushed)
        if isRemoval {
            try sweep(name, newest)
            try descriptor.flush(path)
        } else {
            // Leftovers are removed with the next write.
            try? sweep(name, newest)
        }
        onStep?(.swept)
    }

    /// Removes everything older than the newest version: first the temporary files of late writers, then the versions,
    /// the oldest first. So a reader that missed a newer one finds the older one removed, too.
    private func sweep(_ name: String, _ newest: RecordVersion) throws(AuthError) {
        let names = try names()
        for temporary in names {
            guard let target = Self.target(ofTemporaryFile: temporary) else { continue }
            guard let version = Version(fileName: target, of: name), version.version <= newest else { continue }
            try remove(temporary)
        }
        let versions = names.compactMap { Version(fileName: $0, of: name) }
        for version in versions.sorted(by: { $0.version < $1.version }) where version.version < newest {
            try remove(version.fileName)
        }
    }

    private func remove(_ fileName: String) throws(AuthError) {
        let result = unlink(fileName)
        guard result >= 0 || -result == ENOENT else { throw .file(-result, couldNot: "remove", path(of: fileName)) }
    }
}
