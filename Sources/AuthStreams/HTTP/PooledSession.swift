import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session with the delegate that hears it.
struct PooledSession: Sendable {
    let session: URLSession
    let delegate = URLSessionTransportDelegate()

    init(_ configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Lets go of everything once what is under way has ended.
    func end() { session.finishTasksAndInvalidate() }

    /// Lets go of everything now.
    func cut() { session.invalidateAndCancel() }
}
