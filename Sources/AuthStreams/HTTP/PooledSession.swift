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

    /// Invalidates the session and cancels its requests.
    func cut() { session.invalidateAndCancel() }
}
