public import AuthStreams
import Foundation

extension AuthHTTPTransport where Self == URLSessionTransport {
    /// Makes a transport for tests over sockets: its requests wait for the answer as long as the server takes.
    ///
    /// On a busy machine an emulator may need longer for an answer than the request's timeout, which says nothing about the
    /// code under test. To test a timeout, make the transport with a ``ManualClock``.
    ///
    /// - Returns: A transport with connections of its own. It ends with the last reference to it.
    public static func untimed() -> URLSessionTransport {
        URLSessionTransport(clock: ManualClock().authClock(startingAt: .distantPast))
    }
}
