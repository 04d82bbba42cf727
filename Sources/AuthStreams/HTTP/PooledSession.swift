import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session with its delegate.
struct PooledSession: Sendable {
    let session: URLSession
    let delegate = URLSessionTransportDelegate()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Invalidates the session. Requests in progress end first.
    func end() { session.finishTasksAndInvalidate() }
}

extension URLSessionTask {
    /// Cancels the task; on Linux a second later.
    ///
    /// libcurl closes the socket of a connection that is not yet established without calling Foundation, which has a Dispatch
    /// source for it. Dispatch then reports no events of the next file or socket with the same number, in the whole process.
    /// Most connections are established or refused within a second. A host that does not answer at all is not covered.
    func cancelAfterConnecting() {
        #if AUTH_DARWIN
            cancel()
        #else
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.cancel() }
        #endif
    }
}
