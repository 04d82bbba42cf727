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
/// Processes may share a folder; of two writes at once the last wins.
public struct FileSessionStore: SessionStore {
    private let location: Result<String, AuthError>

    /// Makes a store of the records in a folder, which is made when the first is written.
    ///
    /// - Parameter folder: The folder, for this store alone. Nothing is touched before the first call.
    public init(folder: URL) {
        // Without a trailing slash and dots: with them the system would follow a link that must be refused. And not
        // every Foundation keeps `%00` out of a path, where it would cut the rest off.
        let path = folder.standardizedFileURL.path
        if folder.isFileURL, !path.utf8.contains(0) {
            location = .success(path)
        } else {
            location = .failure(
                AuthError(.storage, "The store's folder must be a file URL; make it with URL(filePath:)."))
        }
    }

    init(refusing error: AuthError) {
        location = .failure(error)
    }

    /// The record of that name; `nil` when there is none.
    @concurrent
    public func read(_ key: SessionStoreKey) async throws(AuthError) -> Data? {
        try key.validate()
        return try PrivateFolder(existingAt: location.get())?.contents(of: key.rawValue)
    }

    /// Writes the record, in place of the one before. Returns when it is on the disk.
    @concurrent
    public func write(_ data: Data, for key: SessionStoreKey) async throws(AuthError) {
        try key.validate()
        let folder = try PrivateFolder(makingAt: location.get())
        folder.removeLeftovers()
        try folder.replace(key.rawValue, with: data)
    }

    /// Removes the record. Returns when it is off the disk.
    @concurrent
    public func remove(_ key: SessionStoreKey) async throws(AuthError) {
        try key.validate()
        guard let folder = try PrivateFolder(existingAt: location.get()) else { return }
        folder.removeLeftovers()
        try folder.delete(key.rawValue)
    }

    /// Returns at once: files are never locked.
    public func waitUntilUnlocked() async {}
}
