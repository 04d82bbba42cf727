import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Each version of a record is a file `session@7`, made by link(2). The newest counts. A removed record is a version, too: an
// empty file that may not be written. A file without a number is version 0.
//
// A writer makes its temporary file, `.session@8.….tmp`, before it looks which version is the newest. Who has made a version
// removes the temporary files up to its number before the versions before it. So a number that was given once is never free
// for a writer that may use it: a link that succeeds has replaced the version that the writer saw, whenever the system stopped
// the writer and for how long.

extension PrivateFolder {
    /// Reads the newest version of a record.
    func record(_ name: String) throws(AuthError) -> StoredRecord {
        for _ in 0..<StoredRecord.attempts {
            guard let newest = try newestVersion(of: name) else { return StoredRecord(data: nil, version: .none) }
            if let record = try contents(of: newest) { return record }
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
        if data == nil, try isRemoved(name, version) {
            // An earlier removal may have failed before everything of it was on the disk.
            try settle(name, version, isRemoval: true)
            return version
        }
        guard try make(name, data, replacing: version) else { return nil }
        onStep?(.linked)
        try settle(name, version.next, isRemoval: data == nil)
        return version.next
    }

    /// One version of a record, as it stands in the folder.
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
        // Where a version gives way to the next while the folder is listed, the list may lack both.
        for _ in 0..<2 {
            let versions = try names().compactMap { Version(fileName: $0, of: name) }
            if let newest = versions.max(by: { $0.version < $1.version }) { return newest }
        }
        return nil
    }

    /// Reads a version; `nil` when it is gone, because another process has written since.
    private func contents(of version: Version) throws(AuthError) -> StoredRecord? {
        let fileName = version.fileName
        guard let facts = try facts(of: fileName) else { return nil }
        if facts.isRemoval { return StoredRecord(data: nil, version: version.version) }
        // Without waiting, because what looked like a file may have become a pipe.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let raw = descriptor.files.openFile(fileName, in: descriptor.raw, flags, mode: 0)
        if -raw == ENOENT { return nil }
        guard raw >= 0 else { throw .file(-raw, couldNot: "open", path(of: fileName)) }
        let file = Descriptor(raw, of: descriptor.files)
        try FileFacts(of: file, at: path(of: fileName)).requirePrivate(.file, path(of: fileName))
        return StoredRecord(data: try file.readAll(path(of: fileName)), version: version.version)
    }

    /// Whether there is no record, and the version is the newest.
    private func isRemoved(_ name: String, _ version: RecordVersion) throws(AuthError) -> Bool {
        guard let newest = try newestVersion(of: name) else { return version == .none }
        guard newest.version == version else { return false }
        return try facts(of: newest.fileName)?.isRemoval == true
    }

    /// Makes the next version, whole or not at all.
    ///
    /// - Returns: `false` when another process was first.
    private func make(_ name: String, _ data: Data?, replacing version: RecordVersion) throws(AuthError) -> Bool {
        let next = Version(name, version.next)
        let temporary = try makeTemporaryFile(for: next.fileName, mode: data == nil ? FileFacts.removalMode : 0o600)
        defer { _ = unlink(temporary.name) }
        onStep?(.temporaryMade)
        try temporary.descriptor.writeAll(data ?? Data(), path(of: temporary.name))
        onStep?(.dataWritten)
        try temporary.descriptor.flush(path(of: temporary.name))
        onStep?(.fileFlushed)
        guard try newestVersion(of: name)?.version ?? .none == version else { return false }
        let result = descriptor.files.link(temporary.name, to: next.fileName, in: descriptor.raw)
        // The number is given, or was: then the temporary file is gone.
        if [EEXIST, ENOENT].contains(-result) { return false }
        guard result >= 0 else { throw .file(-result, couldNot: "make", path(of: next.fileName)) }
        return true
    }

    /// Puts the newest version on the disk, and removes what came before.
    private func settle(_ name: String, _ newest: RecordVersion, isRemoval: Bool) throws(AuthError) {
        // Before the old version goes, or a power cut could take both.
        try descriptor.flush(path)
        onStep?(.folderFlushed)
        if isRemoval {
            try sweep(name, newest)
            try descriptor.flush(path)
        } else {
            // What stays is removed with the next write.
            try? sweep(name, newest)
        }
        onStep?(.swept)
    }

    /// Removes what is older than the newest version: first the temporary files of writers that came too late, then the
    /// versions, the oldest first. So a reader that missed a newer one finds the older gone, too.
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
