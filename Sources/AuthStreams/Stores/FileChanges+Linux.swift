#if !AUTH_DARWIN
    import Dispatch
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Tells of changes to one record by inotify: of the folder, of the one above it, and of whatever is there on the way
    /// while they are not.
    final class FileChanges: Sendable {
        private let inotify: Int32
        private let record: String
        private let watches: Lock<FolderWatches>

        /// Tells what changes from now on; over at once when the system has no more of what it takes.
        static func tell(
            _ continuation: AsyncStream<Void>.Continuation, of key: SessionStoreKey, inFolderAt path: String
        ) {
            let inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard inotify >= 0 else { return continuation.finish() }
            let changes = FileChanges(inotify, key.rawValue, path)
            guard changes.watch() else {
                close(inotify)
                return continuation.finish()
            }
            let queue = DispatchQueue(label: "AuthStreams.FileChanges")
            // The source holds the continuation, and lives until the reader's end cancels it.
            let source = EventSource(
                DispatchSource.makeReadSource(fileDescriptor: inotify, queue: queue),
                onEvent: { if changes.takeEvents() { continuation.yield() } }, onCancel: { _ = close(inotify) })
            continuation.onTermination = { _ in source.cancel() }
        }

        /// Nothing: the file system tells.
        static func announce(_ key: SessionStoreKey, inFolderAt path: String) {}

        private init(_ inotify: Int32, _ record: String, _ folder: String) {
            self.inotify = inotify
            self.record = record
            watches = Lock(FolderWatches(inotify: inotify, folder: folder))
        }

        private func watch() -> Bool { watches.withLock { $0.renew() } }

        /// Reads what happened.
        ///
        /// - Returns: Whether the record may have changed.
        private func takeEvents() -> Bool {
            var (mayHaveChanged, mustRenew) = (false, false)
            InotifyEvent.readAll(from: inotify) { event in
                switch watches.withLock({ $0.meaning(of: event, record: record) }) {
                case .nothing: break
                case .record: mayHaveChanged = true
                case .folder: mustRenew = true
                }
            }
            if mustRenew { _ = watch() }
            return mayHaveChanged || mustRenew
        }
    }
#endif
