#if !AUTH_DARWIN
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Writes to a pipe or socket whose reading end may be closed. The write then fails with `EPIPE`.
    ///
    /// The system also sends the writing thread a `SIGPIPE`, which ends the process unless the app handles it. The
    /// signal is blocked on this thread during the write and consumed afterwards. A signal that was pending before
    /// stays pending.
    func withoutBrokenPipeSignal<Value>(_ write: () -> Value) -> Value {
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var before = sigset_t()
        guard !isBrokenPipeSignalWaiting, pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return write() }
        defer {
            var atOnce = timespec()
            while sigtimedwait(&pipe, nil, &atOnce) == -1, errno == EINTR {}
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return write()
    }

    /// Whether a `SIGPIPE` is pending for this thread, which therefore blocks the signal already.
    private var isBrokenPipeSignalWaiting: Bool {
        var waiting = sigset_t()
        return sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1
    }
#endif
