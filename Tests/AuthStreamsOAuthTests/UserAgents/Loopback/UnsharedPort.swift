@testable import AuthStreamsOAuth

extension UInt16 {
    /// A free port that the system gives to no socket by itself.
    ///
    /// A test that expects a port to be closed uses it: another test's socket would be given one of the ephemeral ports, and a
    /// client that connects to one of these may even meet itself.
    static func unsharedPort() throws -> UInt16 {
        while true {
            // Below the ephemeral ports of Linux (32768) and of Apple platforms (49152).
            let port = UInt16.random(in: 20_000..<32_000)
            do throws(LoopbackServerError) {
                try LoopbackServer.start(port: port) { _ in .html("") }.stop()
                return port
            } catch .portInUse { continue }
        }
    }
}
