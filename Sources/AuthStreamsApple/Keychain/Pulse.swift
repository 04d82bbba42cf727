#if AUTH_SECURITY
    import AuthStreams

    /// Something that happens again and again, and can be waited for once at a time.
    final class Pulse: Sendable {
        private let promise = Lock(Promise<Void>())

        /// Resolved when it happens next.
        var next: Promise<Void> { promise.withLock { $0 } }

        /// Resumes those that wait.
        func fire() {
            let fired = promise.withLock { promise in
                defer { promise = Promise() }
                return promise
            }
            fired.resolve(())
        }
    }
#endif
