public import Foundation

/// A session store of one file per record, in a folder that only its owner can enter: for Linux, and for tools on macOS.
///
/// On a phone the keychain is the place for a session: files there have no lock of their own.
///
/// - Each version of a record is a file of its own, `session@7`. A write puts the next one beside it by link(2), which fails
///   if another process was first, and then removes the older ones; the newest counts. So a write is atomic, a stale one is
///   refused, and whenever the process or the machine dies, the old or the new record is there, whole. A removed record
///   leaves an empty file of the next number, which may not be written.
/// - The folder is made with mode 0700, the files with 0600. A folder or file that is a symbolic link, belongs to another
///   user, or that others can open is refused with `storage`; the explanation says what to change. Nothing is repaired in
///   silence, because others may know the tokens in it by now.
/// - What cannot be read is `storage`, never 'empty'. The store is never locked.
/// - Temporary files and old versions that a killed process left behind are removed with the next write or removal.
///
/// Each call is a few system calls and one or two flushes: about a millisecond. They block, so they run off the caller's
/// actor. A cancelled task's call is carried out like any other: a half-done sign-in may have a token to save.
public struct FileSessionStore: SessionStore {
    private let location: Result<String, AuthError>
    private let files: any FileSystem
    private let locks: FileLocks
    private let onStep: FileStep.Observer?

    /// Makes a store of the records in a folder, which is made when the first is written.
    ///
    /// - Parameter folder: The folder, for this store alone. Nothing is touched before the first call.
    public init(folder: URL) {
        self.init(folder: folder, onStep: nil)
    }

    /// Makes a store that tells each step on the disk, so that a test can end the process there.
    package init(folder: URL, onStep: (@Sendable (FileStep) -> Void)?) {
        self.init(folder: folder, of: LocalFileSystem(), onStep: onStep)
    }

    /// Makes a store on a given file system.
    init(folder: URL, of files: any FileSystem, onStep: FileStep.Observer? = nil) {
        // Without a trailing slash and dots: with them the system would follow a link that must be refused. And not
        // every Foundation keeps `%00` out of a path, where it would cut the rest off.
        let path = folder.standardizedFileURL.path
        if folder.isFileURL, !path.utf8.contains(0) {
            location = .success(path)
        } else {
            location = .failure(
                AuthError(.storage, "The store's folder must be a file URL; make it with URL(filePath:)."))
        }
        self.files = files
        locks = FileLocks(of: files, onStep: onStep)
        self.onStep = onStep
    }

    init(refusing error: AuthError) {
        location = .failure(error)
        files = LocalFileSystem()
        locks = FileLocks(of: files, onStep: nil)
        onStep = nil
    }

    /// Reads the record of that name.
    ///
    /// - Throws: ``AuthError`` with code `storage` when the folder or the file is refused or cannot be read, or the name is one
    ///   that no store takes.
    @concurrent
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        try readBlocking(key)
    }

    func readBlocking(_ key: SessionStoreKey) throws(AuthError) -> StoredRecord {
        try key.validate()
        let folder = try PrivateFolder(existingAt: location.get(), of: files)
        return try folder?.record(key.rawValue) ?? StoredRecord(data: nil, version: .none)
    }

    /// Writes or removes the record, unless another write came first. Returns when the change is on the disk.
    ///
    /// - Throws: ``AuthError`` with code `storage` when the folder or the file is refused or cannot be made, the disk is full
    ///   or fails, or the name is one that no store takes. Then the record is the old or the new one, whole.
    @concurrent
    public func write(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) async throws(AuthError) -> RecordVersion? {
        let written = try writeBlocking(data, for: key, replacing: version)
        if written != nil { FileChanges.announce(key, inFolderAt: try location.get()) }
        return written
    }

    func writeBlocking(
        _ data: Data?, for key: SessionStoreKey, replacing version: RecordVersion
    ) throws(AuthError) -> RecordVersion? {
        try key.validate()
        let path = try location.get()
        // Removing what was never there needs no folder.
        if data == nil, try PrivateFolder(existingAt: path, of: files) == nil {
            return version == .none ? version : nil
        }
        let folder = try PrivateFolder(makingAt: path, isFlushed: version != .none, of: files, onStep: onStep)
        folder.removeLeftovers()
        return try folder.write(data, as: key.rawValue, replacing: version)
    }

    /// Returns at once: files are never locked.
    public func waitUntilUnlocked() async {}

    /// Tells when the record may have changed, in any process: written, removed, or gone with its folder.
    ///
    /// The folder need not be there yet, and may come and go. Nothing is polled and no thread waits. A reader that stops
    /// reading, or releases the stream, gives everything back. Changes that come faster than they are read are one element.
    ///
    /// On Linux each stream takes an inotify instance (`fs.inotify.max_user_instances`) and some watches
    /// (`fs.inotify.max_user_watches`). Where no instance is left, or the name is one that no store takes, the stream is
    /// over at once. While watches are short, it asks for them once a second, and tells of a change each time: there may
    /// have been one.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard (try? key.validate()) != nil, let path = try? location.get() else { return continuation.finish() }
            FileChanges.tell(continuation, of: key, inFolderAt: path)
        }
    }

    /// Takes a lock that every process shares which has a store in this folder. The folder is made when there is none.
    ///
    /// The lock is a file's (`flock`), named after the lock with a dot before and `.lock` behind, private like a record, and
    /// left where it is. When its owner dies, the system frees it at once; one that was stopped, as with Ctrl-Z, keeps it.
    /// Callers of this store and its copies get it in the order of asking; between processes the system decides. A holder
    /// that asks again waits for itself. The lock is lost when its file is removed or replaced.
    ///
    /// - Throws: ``AuthError`` with code `cancelled` when the task is cancelled, also when the lock is free; with code `timedOut`
    ///   when another process has it for longer than the limit; with code `storage` when the file or folder is refused, or
    ///   when the file system has no locks: without one, two processes could use one refresh token at once.
    @concurrent
    public func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
    {
        try name.validate()
        return try await locks.take(name, inFolderAt: location.get(), waitingAtMost: limit)
    }

    /// How many callers stand in line for a lock, behind the one who has it or waits for another process.
    func waiting(for name: SessionStoreKey) -> Int { locks.waiting(for: name) }
}
