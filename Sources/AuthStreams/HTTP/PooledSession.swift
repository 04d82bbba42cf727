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

    /// Invalidates the session once its requests have ended.
    func end() { session.finishTasksAndInvalidate() }
}

extension URLSessionTask {
    /// Cancels the task; on Linux a second later.
    ///
    /// libcurl closes the socket of a connection that is not yet established without telling Foundation, while Dispatch still
    /// watches it. Dispatch would report nothing of the next file or socket with the same number, in the whole process.
    /// A host that answers has a connection after a second.
    func cancelOnceConnected() {
        #if AUTH_DARWIN
            cancel()
        #else
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { self.cancel() }
        #endif
    }
}
