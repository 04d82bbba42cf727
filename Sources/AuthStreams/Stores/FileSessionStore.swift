public import Foundation

/// A session store of one file per record, in a folder that only its owner can enter: for Linux, and for tools on macOS.
///
/// On iOS, tvOS, watchOS and visionOS it is unavailable, also with Mac Catalyst. Use `KeychainSessionStore` there: the
/// system ends an app that is suspended while it holds a file's lock. An app for macOS that is signed uses it, too.
///
/// - Each version of a record is a separate file, `session@7`. A write creates the next one by link(2), which fails if
///   another process was first, and then removes the older ones; the newest counts. So a write is atomic, a stale one
///   is refused, and if the process or the machine dies at any point, the old or the new record is there as a whole. A
///   removed record leaves an empty, read-only file of the next number.
/// - The folder has mode 0700, the files 0600. A folder or file that is a symbolic link, belongs to another user, or is
///   open to others is refused with `storage`; the explanation says what to change. Nothing is repaired silently,
///   because others may have read the tokens.
/// - No other user can put another folder in its place: each folder above it belongs to root or to this user, and others
///   may not write to it unless it has the sticky bit, as `/tmp` has. A symbolic link above the folder is followed, unless
///   others may write where it is. A group may write if it is this user's private group: the user's primary group, of the
///   user's name and without other members. Every call checks this and refuses the folder with `storage` otherwise.
///   Access control lists are not read.
/// - A record that cannot be read is `storage`, never 'empty'. The store is never locked.
/// - Temporary files and old versions of a killed process are removed with the next write or removal.
///
/// Each call is a few system calls and one or two flushes: about a millisecond. They block, so they run off the
/// caller's actor. A cancelled task's call is carried out: an unfinished sign-in may have a token to save.
@available(iOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(tvOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(watchOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(visionOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
public struct FileSessionStore: SessionStore {
    private let location: Result<String, AuthError>
    private let files: any FileSystem
    private let locks: FileLocks
    private let onStep: FileStep.Observer?
    /// Whether ``changes(of:)`` reports changes: `true` unless set. A program that reads once and exits saves the time of the watch.
    public var reportsChanges = true

    /// Makes a store of the records in a folder, which is created with the first record.
    ///
    /// - Parameter folder: The folder, for this store alone. It is not accessed before the first call.
    public init(folder: URL) {
        self.init(folder: folder, onStep: nil)
    }

    /// Makes a store that reports each step, so that a test can end the process there.
    package init(folder: URL, onStep: (@Sendable (FileStep) -> Void)?) {
        self.init(folder: folder, of: LocalFileSystem(), onStep: onStep)
    }

    /// Makes a store on a given file system.
    init(folder: URL, of files: any FileSystem, onStep: FileStep.Observer? = nil) {
        // Without a trailing slash and dots: with them the system would follow a link that must be refused. And some
        // versions of Foundation keep `%00` in a path, where it would cut off the rest.
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

    /// Reads a record.
    ///
    /// - Throws: ``AuthError`` with code `storage` if the folder or the file is refused or cannot be read, or the name
    ///   is invalid.
    @concurrent
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> StoredRecord {
        try readBlocking(key)
    }

    func readBlocking(_ key: SessionStoreKey) throws(AuthError) -> StoredRecord {
        try key.validate()
        let folder = try PrivateFolder(existingAt: location.get(), of: files)
        return try folder?.record(key.rawValue) ?? StoredRecord(data: nil, version: .none)
    }

    /// Writes or removes a record, unless another write came first. Returns when the change is on the disk.
    ///
    /// - Throws: ``AuthError`` with code `storage` if the folder or the file is refused or cannot be created, the disk
    ///   is full or fails, or the name is invalid. Then the record is the old or the new one, as a whole.
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
        // Removing a record that never existed needs no folder.
        if data == nil, try PrivateFolder(existingAt: path, of: files) == nil {
            return version == .none ? version : nil
        }
        let folder = try PrivateFolder(makingAt: path, isFlushed: version != .none, of: files, onStep: onStep)
        folder.removeLeftovers()
        return try folder.write(data, as: key.rawValue, replacing: version)
    }

    /// Returns at once: files are never locked.
    public func waitUntilUnlocked() async {}

    /// Returns a stream with an element when the record may have changed in any process: written, removed, or deleted
    /// with its folder.
    ///
    /// The folder may be created and deleted meanwhile. The store does not poll, and no thread waits. When the reader
    /// stops, or the stream is released, all resources are freed. Changes that come faster than they are read are one
    /// element.
    ///
    /// On Linux each stream takes an inotify instance (`fs.inotify.max_user_instances`) and some watches
    /// (`fs.inotify.max_user_watches`). If no instance is left, the name is invalid, or ``reportsChanges`` is `false`, the stream ends at once. While
    /// watches are missing, the store requests them once a second, and yields an element each time, because a change
    /// may have been missed.
    public func changes(of key: SessionStoreKey) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            guard reportsChanges, (try? key.validate()) != nil, let path = try? location.get() else {
                return continuation.finish()
            }
            FileChanges.tell(continuation, of: key, inFolderAt: path)
        }
    }

    /// Takes a lock that all processes with a store in this folder share. The folder is created if it does not exist.
    ///
    /// The lock is a file's (`flock`), named `.<name>.lock`, private like a record, and never removed. When its owner
    /// dies, the system releases it at once; a process that was stopped, as with Ctrl-Z, keeps it. Callers of this
    /// store and its copies get it in order of arrival; between processes the system decides. The lock is not
    /// reentrant: a holder that takes it again waits for itself. The lock is lost when its file is removed or replaced.
    ///
    /// - Throws: ``AuthError`` with code `cancelled` if the task is cancelled, even if the lock is free; with code
    ///   `timedOut` if another process holds it for longer than the limit; with code `storage` if the file or folder is
    ///   refused, or if the file system has no locks: without one, two processes could send one refresh token at once.
    @concurrent
    public func lock(_ name: SessionStoreKey, waitingAtMost limit: Duration) async throws(AuthError) -> SessionStoreLock
    {
        try name.validate()
        return try await locks.take(name, inFolderAt: location.get(), waitingAtMost: limit)
    }

    /// The number of callers that queue for a lock behind the one that holds it or waits for another process.
    func waiting(for name: SessionStoreKey) -> Int { locks.waiting(for: name) }
}

@available(iOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(tvOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(watchOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
@available(visionOS, unavailable, message: "Store sessions in the keychain: KeychainSessionStore.")
extension FileSessionStore {
    /// The store in the system's standard location.
    ///
    /// Linux: `$XDG_STATE_HOME/<application>/AuthStreams`, where `$XDG_STATE_HOME` is `~/.local/state` unless set (XDG
    /// Base Directory Specification; a value that is not an absolute path is ignored, as it requires). macOS:
    /// `Application Support/<application>/AuthStreams`. The store ignores other files of the app in its folder.
    ///
    /// - Parameter application: The name of the app's folder, such as its reverse domain name. With a name that would
    ///   lead elsewhere (empty, with a slash or NUL, or beginning with a dot) every call fails with `storage`.
    public static func standard(application: String) -> FileSessionStore {
        standard(application: application, environment: ProcessInfo.processInfo.environment)
    }

    static func standard(application: String, environment: [String: String]) -> FileSessionStore {
        let bytes = application.utf8
        guard let first = bytes.first, first != UInt8(ascii: "."), !bytes.contains(UInt8(ascii: "/")),
            !bytes.contains(0)
        else {
            return FileSessionStore(
                refusing: AuthError(
                    .storage,
                    "The application's name becomes a folder's: it must not be empty, hold '/' or NUL, or begin with '.'."
                ))
        }
        return FileSessionStore(folder: standardFolder(application, environment))
    }

    static func standardFolder(_ application: String, _ environment: [String: String]) -> URL {
        stateFolder(environment).appending(path: application).appending(
            path: "AuthStreams", directoryHint: .isDirectory)
    }

    private static func stateFolder(_ environment: [String: String]) -> URL {
        #if AUTH_DARWIN
            .applicationSupportDirectory
        #else
            if let given = environment["XDG_STATE_HOME"], given.hasPrefix("/") {
                return URL(filePath: given, directoryHint: .isDirectory)
            }
            return URL.homeDirectory.appending(path: ".local/state", directoryHint: .isDirectory)
        #endif
    }
}

/// A step of a ``FileSessionStore`` after which a test may kill the process.
package enum FileStep: String, CaseIterable, Sendable {
    /// An empty temporary file was created.
    case temporaryMade
    /// The new record is written to it.
    case dataWritten
    /// The new record reaches the disk before its name does.
    case fileOrdered
    /// The new version exists beside the old one, and is the one that counts.
    case linked
    /// The folder's list of names is on the disk; the write or the removal is done.
    case folderFlushed
    /// The older versions were removed.
    case swept
    /// A lock was taken.
    case lockTaken
    /// A lock was released.
    case lockReleased

    package typealias Observer = @Sendable (FileStep) -> Void
}
