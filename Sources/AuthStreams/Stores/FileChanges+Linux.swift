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
        private struct State {
            var watches: FolderWatches
            /// Whether the watches that are lacking will be asked for again.
            var isAskingAgain = false
            /// Nobody reads any more, and the descriptor may be somebody else's by now.
            var isOver = false
        }
        private let inotify: Int32
        private let record: String
        private let queue = DispatchQueue(label: "AuthStreams.FileChanges")
        private let pause: DispatchTimeInterval
        private let state: Lock<State>
        private let tell: @Sendable () -> Void

        /// Tells what changes from now on; over at once when the system has no more of what it takes.
        ///
        /// - Parameters:
        ///   - pause: How long to wait before watches that the system had not are asked for again.
        ///   - add: Asks the system to watch a folder.
        static func tell(
            _ continuation: AsyncStream<Void>.Continuation, of key: SessionStoreKey, inFolderAt path: String,
            pause: DispatchTimeInterval = .seconds(1), add: @escaping FolderWatches.Adding = addWatch
        ) {
            let inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard inotify >= 0 else { return continuation.finish() }
            let changes = FileChanges(
                inotify, key.rawValue, FolderWatches(inotify: inotify, folder: path, add: add), pause,
                tell: { continuation.yield() })
            guard changes.watch() else {
                close(inotify)
                return continuation.finish()
            }
            // The source holds the continuation, and lives until the reader's end cancels it.
            let source = EventSource(
                DispatchSource.makeReadSource(fileDescriptor: inotify, queue: changes.queue),
                onEvent: { changes.takeEvents() }, onCancel: { changes.end() })
            continuation.onTermination = { _ in source.cancel() }
        }

        /// Nothing: the file system tells.
        static func announce(_ key: SessionStoreKey, inFolderAt path: String) {}

        @Sendable private static func addWatch(_ inotify: Int32, _ path: String, _ mask: UInt32) -> Int32 {
            let watch = inotify_add_watch(inotify, path, mask)
            return watch >= 0 ? watch : -errno
        }

        private init(
            _ inotify: Int32, _ record: String, _ watches: FolderWatches, _ pause: DispatchTimeInterval,
            tell: @escaping @Sendable () -> Void
        ) {
            self.inotify = inotify
            self.record = record
            self.pause = pause
            self.tell = tell
            state = Lock(State(watches: watches))
        }

        /// Watches what is there now, and again a little later if the system had not enough for that.
        ///
        /// - Returns: `false` when there is nothing to watch.
        private func watch() -> Bool {
            let (coverage, asksAgain) = state.withLock { state in
                guard !state.isOver else { return (FolderWatches.Coverage.whole, false) }
                let coverage = state.watches.renew()
                let asksAgain = coverage == .lacking && !state.isAskingAgain
                state.isAskingAgain = coverage == .lacking
                return (coverage, asksAgain)
            }
            if asksAgain { queue.asyncAfter(deadline: .now() + pause) { self.watchAgain() } }
            return coverage != .nothing
        }

        private func watchAgain() {
            state.withLock { $0.isAskingAgain = false }
            _ = watch()
            // What was not watched may have changed.
            tell()
        }

        private func end() {
            state.withLock { $0.isOver = true }
            close(inotify)
        }

        /// Reads what happened, and tells if the record may have changed.
        private func takeEvents() {
            var (mayHaveChanged, mustRenew) = (false, false)
            InotifyEvent.readAll(from: inotify) { event in
                switch state.withLock({ $0.watches.meaning(of: event, record: record) }) {
                case .nothing: break
                case .record: mayHaveChanged = true
                case .folder: mustRenew = true
                }
            }
            if mustRenew { _ = watch() }
            if mayHaveChanged || mustRenew { tell() }
        }
    }
#endif
