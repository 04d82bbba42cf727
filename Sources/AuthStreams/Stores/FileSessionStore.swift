public import Foundation

/// A session store of one file per record, in a folder that only its owner can enter: for Linux, and for tools on macOS.
///
/// On a phone the keychain is the place for a session: files there have no lock of their own.
///
/// - A record is written to a temporary file, which is flushed to the disk and then renamed. Whoever reads, and whenever the
///   process or the machine dies, there is the old record or the new one, whole.
/// - The folder is made with mode 0700, the files with 0600. A folder or file that is a symbolic link, belongs to another
///   user, or that others can open is refused with `storage`; the explanation says what to change. Nothing is repaired in
///   silence, because the tokens in it may be known to somebody else by now.
/// - What cannot be read is `storage`, never 'empty'. The store is never locked.
/// - Temporary files that a killed process left behind are removed with the next write or removal.
///
/// Each call is a few system calls and one or two flushes: about a millisecond or so. They block, so they run off the caller's
/// actor. A cancelled task's call is carried out like any other: a half-done sign-in may have a token to save.
/// Processes may share a folder; of two writes at once the last wins, and ``lock(_:)`` keeps them apart. ``changes(of:)``
/// tells what others did.
public struct FileSessionStore: SessionStore {
    private let location: Result<String, AuthError>
    private let locks: FileLocks
    private let onStep: FileStep.Observer?

    /// Makes a store of the records in a folder, which is made when the first is written.
    ///
    /// - Parameters:
    ///   - folder: The folder, for this store alone. Nothing is touched before the first call.
    ///   - lockTimeout: How long ``lock(_:)`` waits for other processes. A process that was stopped, as with Ctrl-Z, keeps its
    ///     locks; without an end everybody would wait with it.
    public init(folder: URL, lockTimeout: Duration = .seconds(30)) {
        self.init(folder: folder, lockTimeout: lockTimeout, onStep: nil)
    }

    /// Makes a store that tells each step on the disk, so that a test can end the process there.
    package init(
        folder: URL, lockTimeout: Duration = .seconds(30), onStep: (@Sendable (FileStep) -> Void)?
    ) {
        // Without a trailing slash and dots: with them the system would follow a link that must be refused. And not
        // every Foundation keeps `%00` out of a path, where it would cut the rest off.
        let path = folder.standardizedFileURL.path
        if folder.isFileURL, !path.utf8.contains(0) {
            location = .success(path)
        } else {
            location = .failure(
                AuthError(.storage, "The store's folder must be a file URL; make it with URL(filePath:)."))
        }
        locks = FileLocks(limit: lockTimeout, onStep: onStep)
        self.onStep = onStep
    }

    init(refusing error: AuthError) {
        location = .failure(error)
        locks = FileLocks(limit: .zero, onStep: nil)
        onStep = nil
    }

    /// The record of that name; `nil` when there is none.
    ///
    /// - Throws: ``AuthError`` with code `storage` when the folder or the file is refused or cannot be read, or the name is one
    ///   that no store takes.
    @concurrent
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> Data? {
        try key.validate()
        return try PrivateFolder(existingAt: location.get())?.contents(of: key.rawValue)
    }

    /// Writes the record, in place of the one before. Returns when it is on the disk.
    ///
    /// - Throws: ``AuthError`` with code `storage` when the folder or the file is refused or cannot be made, the disk is full
    ///   or fails, or the name is one that no store takes. Then the record is the old or the new one, whole.
    @concurrent
    public func write(_ data: Data, for key: SessionStoreKey) async throws(AuthError) {
        try key.validate()
        let folder = try PrivateFolder(makingAt: location.get(), onStep: onStep)
        folder.removeLeftovers()
        try folder.replace(key.rawValue, with: data)
        FileChanges.announce(key, inFolderAt: folder.path)
    }

    /// Removes the record. Returns when it is off the disk.
    ///
    /// - Throws: ``AuthError`` with code `storage` when the folder or the file is refused, the disk fails, or the name is one that
    ///   no store takes. Then the record may be there still.
    @concurrent
    public func remove(_ key: SessionStoreKey) async throws(AuthError) {
        try key.validate()
        guard let folder = try PrivateFolder(existingAt: location.get(), onStep: onStep) else { return }
        folder.removeLeftovers()
        try folder.delete(key.rawValue)
        FileChanges.announce(key, inFolderAt: folder.path)
    }

    /// Returns at once: files are never locked.
    public func waitUntilUnlocked() async {}

    /// Tells when the record may have changed, by whatever process: written, removed, or gone with its folder.
    ///
    /// The folder need not be there yet, and may come and go. Nothing is polled, no thread waits; who stops reading, or lets
    /// go of the stream, gives everything back. Changes that come faster than they are read are one element.
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
    /// left where it is. When its owner dies, however, the system frees it at once. Callers of this store and its copies
    /// get it in the order of asking; between processes the system decides. Whoever has it and asks again waits for itself.
    ///
    /// - Throws: ``AuthError`` with code `cancelled` when the task is cancelled, also when the lock is free; with code `timedOut`
    ///   when another process has it for longer than this store waits; with code
    ///   `storage` when the file or folder is refused, or when the file system has no locks: without one, two processes
    ///   could use one refresh token at once.
    @concurrent
    public func lock(_ name: SessionStoreKey) async throws(AuthError) -> SessionStoreLock {
        try name.validate()
        return try await locks.take(name, inFolderAt: location.get())
    }

    /// How many callers stand in line for a lock, behind the one who has it or waits for another process.
    func waiting(for name: SessionStoreKey) -> Int { locks.waiting(for: name) }
}
