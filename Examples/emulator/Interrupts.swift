import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Ctrl-C and SIGTERM, caught from the moment this is made.
final class Interrupts {
    private let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() async {
        let (signals, continuation) = AsyncStream<Void>.makeStream()
        self.signals = signals
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the port is closed.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            return source
        }
        for source in sources {
            await withCheckedContinuation { caught in
                source.setRegistrationHandler { caught.resume() }
                source.activate()
            }
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// Waits for the first one, also when it came before the call.
    func first() async {
        for await _ in signals { break }
    }
}
