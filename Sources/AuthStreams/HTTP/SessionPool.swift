#if !AUTH_DARWIN
    /// Sessions that wait for their next request, without a connection.
    ///
    /// On Linux making a session takes a good part of the time of a request to this machine. None that is used again has
    /// a connection to reuse: it comes here only after an answer that was complete and ended its connection, and whoever
    /// takes it has it alone. A connection can live on all the same when a server folds its header fields, which Foundation
    /// reads and the library beneath it does not; then the delegate's `needNewBodyStream` keeps the request from being
    /// sent again.
    struct SessionPool: Sendable {
        /// How many are kept. More are only there when as many requests were under way at once.
        static let limit = 4

        private let lines = Lock<[PooledSession]>([])

        var count: Int { lines.withLock { $0.count } }

        /// Hands one out, to one request alone.
        func take() -> PooledSession? { lines.withLock { $0.popLast() } }

        /// Takes one back after an answer that ended its connection. One too many ends.
        func giveBack(_ line: PooledSession) {
            let isKept = lines.withLock { lines in
                guard lines.count < Self.limit else { return false }
                lines.append(line)
                return true
            }
            if !isKept { line.end() }
        }

        /// Ends them all now.
        func cut() {
            let all = lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
            for line in all { line.cut() }
        }
    }

    extension HTTPResponse {
        /// Whether the server closes the connection after this answer, and says nothing else about it.
        var endedItsConnection: Bool { headers["connection"]?.lowercased() == "close" }
    }
#endif
