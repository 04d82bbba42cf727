import AuthStreams
import LoopbackHTTP

extension UInt16 {
    /// A free port that neither the system nor another test, of this process or of another one, gives to a socket.
    ///
    /// A test that expects a port to be closed uses it: another test's socket would be given one of the ephemeral ports, and a
    /// client that connects to one of these may even meet itself.
    package static func unsharedPort() throws -> UInt16 { try PortBlock.claimed.get().next() }
}

/// A hundred ports of which the first is listened on for as long as the process lives: other test processes keep away from
/// the rest.
private final class PortBlock: Sendable {
    /// The block of this process.
    static let claimed = Result { try PortBlock() }

    private let claim: LoopbackServer
    private let last = Lock<UInt16>(0)

    /// Claims the first block that no other process has.
    private init() throws {
        // Below the ephemeral ports of Linux (32768) and of Apple platforms (49152).
        for first in stride(from: UInt16(20_000), to: 32_000, by: 100) {
            do throws(LoopbackServerError) {
                claim = try LoopbackServer.start(port: first) { _ in .html("") }
                return
            } catch {
                guard case .portInUse = error else { throw error }
            }
        }
        throw LoopbackServerError.portInUse(20_000)
    }

    func next() throws -> UInt16 {
        while true {
            let place = last.withLock { last in
                last = last % 99 + 1
                return last
            }
            if try LoopbackServer.isFree(claim.port + place) { return claim.port + place }
        }
    }
}
