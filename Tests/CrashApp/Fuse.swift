import AuthStreams
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Ends the process at one of the points that it passes.
final class Fuse: Sendable {
    private let log: ProcessLog
    private let rest = Lock<Int?>(nil)

    init(log: ProcessLog) {
        self.log = log
    }

    /// From now on points count, and the one of that number is the last; none for 0.
    func light(_ number: Int) { rest.withLock { $0 = number } }

    /// Notes that the process has come here; it may go no further.
    func pass(_ point: String) {
        // The last point is the last line of the log.
        rest.withLock { rest in
            guard let left = rest else { return }
            rest = left - 1
            log.say("at \(point)")
            guard left == 1 else { return }
            kill(getpid(), SIGKILL)
            // The signal may take a moment, in which nothing must happen.
            while true { pause() }
        }
    }
}
