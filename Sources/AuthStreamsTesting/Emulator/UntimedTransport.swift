public import AuthStreams
import Foundation

extension HTTPTransport where Self == URLSessionTransport {
    /// A transport for tests over sockets: its requests wait for the answer as long as the server takes.
    ///
    /// On a busy machine an emulator may need longer for an answer than ``HTTPRequest/timeout``, which says nothing about the
    /// code under test. To test a timeout, make the transport with a ``ManualClock``.
    public static var untimed: URLSessionTransport {
        URLSessionTransport(clock: ManualClock().authClock(startingAt: .distantPast))
    }
}
