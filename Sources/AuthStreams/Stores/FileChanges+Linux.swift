#if !AUTH_DARWIN
    import Dispatch
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Reports changes of one record by inotify: of its folder and the one above, or of the nearest existing ancestors
    /// while these are missing.
    final class FileChanges: Sendable {
        private struct State {
            var watches: FolderWatches
            /// Whether a retry for the missing watches is scheduled.
            var isAskingAgain = false
            /// Whether the reader has stopped. The descriptor's number may be reused by then.
            var isOver = false
        }
        private let inotify: Int32
        private let record: String
        private let queue = DispatchQueue(label: "AuthStreams.FileChanges")
        private let pause: DispatchTimeInterval
        private let state: Lock<State>
        private let tell: @Sendable () -> Void

        /// Yields an element for each change from now on; finishes at once if the system lacks resources.
        ///
        /// - Parameters:
        ///   - pause: How long to wait before a retry for watches that the system refused.
        ///   - add: Requests a watch on a folder.
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
            // The source retains the continuation until the end of the stream cancels it.
            let source = EventSource(
                DispatchSource.makeReadSource(fileDescriptor: inotify, queue: changes.queue),
                onEvent: { changes.takeEvents() }, onCancel: { changes.end() })
            continuation.onTermination = { _ in source.cancel() }
        }

        /// Does nothing: inotify reports the change.
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

        /// Watches the existing folders, and retries later if the system lacked watches.
        ///
        /// - Returns: `false` if there is nothing to watch.
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
            // A folder without a watch may have changed.
            tell()
        }

        private func end() {
            state.withLock { $0.isOver = true }
            close(inotify)
        }

        /// Reads the events, and yields if the record may have changed.
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
