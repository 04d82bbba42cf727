#if !AUTH_DARWIN
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Writes to a pipe or socket that nobody may read any more: then the write fails with `EPIPE`, and that is all.
    ///
    /// The system also sends the writing thread a `SIGPIPE`, which ends the process unless the app has seen to it. It is held
    /// back from this thread meanwhile, and taken away after the write; one that was waiting before stays where it was.
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

    /// Whether a `SIGPIPE` waits for this thread, which therefore holds them back already.
    private var isBrokenPipeSignalWaiting: Bool {
        var waiting = sigset_t()
        return sigpending(&waiting) == 0 && sigismember(&waiting, SIGPIPE) == 1
    }
#endif
