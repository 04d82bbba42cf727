#if !AUTH_DARWIN
    /// Idle sessions without a connection, kept for reuse.
    ///
    /// On Linux making a session takes a good part of the time of a request to this machine. A reused session never has
    /// a connection to reuse: it is kept only after a complete response that closed its connection, and one request at
    /// a time uses it. A connection can still survive if a server folds its header fields, which Foundation reads and
    /// libcurl does not; then the delegate's `needNewBodyStream` prevents the request from being sent again.
    struct SessionPool: Sendable {
        /// The maximum number of idle sessions. More exist only after as many concurrent requests.
        static let limit = 4

        private let sessions = Lock<[PooledSession]>([])

        var count: Int { sessions.withLock { $0.count } }

        /// Removes and returns a session for one request.
        func take() -> PooledSession? { sessions.withLock { $0.popLast() } }

        /// Keeps a session after a response that closed its connection. A session above the limit ends.
        func put(_ session: PooledSession) {
            let isKept = sessions.withLock { sessions in
                guard sessions.count < Self.limit else { return false }
                sessions.append(session)
                return true
            }
            if !isKept { session.end() }
        }

        /// Ends the idle sessions.
        func end() {
            let all = sessions.withLock { sessions in
                defer { sessions = [] }
                return sessions
            }
            for session in all { session.end() }
        }
    }

    extension AuthHTTPResponse {
        /// Whether the server closes the connection after this response, and `Connection` says nothing else.
        var endedItsConnection: Bool { headers["connection"]?.lowercased() == "close" }
    }
#endif
