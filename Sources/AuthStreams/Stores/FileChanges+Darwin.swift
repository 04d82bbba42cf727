#if AUTH_DARWIN
    import Darwin
    import Dispatch
    import Foundation
    import notify

    /// Reports changes of one record, by the announcements of stores (Darwin notifications) and by the folder's own
    /// file events.
    ///
    /// The announcement needs no folder and reaches every process of the user. The events cover files that are changed
    /// by hand.
    final class FileChanges: Sendable {
        private enum Following {
            /// The folder did not exist yet.
            case nothing
            case folder(EventSource)
            /// The reader has stopped.
            case over
        }
        private let folder: String
        private let queue = DispatchQueue(label: "AuthStreams.FileChanges")
        private let following = Lock(Following.nothing)

        /// Yields an element for each change from now on; finishes at once if the system lacks resources.
        static func tell(
            _ continuation: AsyncStream<Void>.Continuation, of key: SessionStoreKey, inFolderAt path: String
        ) {
            let changes = FileChanges(path)
            let tell: @Sendable () -> Void = {
                // First, so that a change after the reader's read yields again.
                changes.follow { continuation.yield() }
                continuation.yield()
            }
            var token: Int32 = 0
            let status = notify_register_dispatch(name(of: key, inFolderAt: path), &token, changes.queue) { _ in tell()
            }
            guard status == UInt32(NOTIFY_STATUS_OK) else { return continuation.finish() }
            continuation.onTermination = { [token] _ in
                notify_cancel(token)
                changes.stop()
            }
            changes.follow { continuation.yield() }
        }

        /// Notifies the readers of the record in every process.
        static func announce(_ key: SessionStoreKey, inFolderAt path: String) {
            notify_post(name(of: key, inFolderAt: path))
        }

        // Names that begin with `user.uid.` belong to this user alone; notify(3).
        private static func name(of key: SessionStoreKey, inFolderAt path: String) -> String {
            "user.uid.\(geteuid()).authstreams.\(path)/\(key.rawValue)"
        }

        private init(_ folder: String) { self.folder = folder }

        /// Watches the current folder in place of the previous one.
        private func follow(_ yield: @escaping @Sendable () -> Void) {
            following.withLock { following in
                switch following {
                case .over: return
                case .folder(let source): source.cancel()
                case .nothing: break
                }
                following = .nothing
                let descriptor = open(folder, O_EVTONLY | O_NOFOLLOW | O_CLOEXEC)
                guard descriptor >= 0 else { return }
                let source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor, eventMask: [.write, .delete, .rename, .revoke], queue: queue)
                following = .folder(
                    EventSource(
                        source,
                        onEvent: { [self] in
                            // The path may lead to another folder now.
                            follow(yield)
                            yield()
                        }, onCancel: { _ = close(descriptor) }))
            }
        }

        private func stop() {
            following.withLock { following in
                if case .folder(let source) = following { source.cancel() }
                following = .over
            }
        }
    }
#endif
