import AuthStreams

@testable import AuthStreamsOAuth

extension UInt16 {
    /// Below the ephemeral ports of Linux (32768) and of Apple platforms (49152).
    private static let next = Lock(UInt16.random(in: 20_000..<31_000))

    /// A free port that neither the system nor another test of this process gives to a socket.
    ///
    /// A test that expects a port to be closed uses it: another test's socket would be given one of the ephemeral ports, and a
    /// client that connects to one of these may even meet itself.
    static func unsharedPort() throws -> UInt16 {
        while true {
            let port = next.withLock { next in
                defer { next += 1 }
                return next
            }
            do throws(LoopbackServerError) {
                try LoopbackServer.start(port: port) { _ in .html("") }.stop()
                return port
            } catch {
                guard case .portInUse = error else { throw error }
            }
        }
    }
}
