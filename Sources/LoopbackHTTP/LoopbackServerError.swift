/// Why a ``LoopbackServer`` could not be started.
package enum LoopbackServerError: Error, Equatable, Sendable {
    /// Another socket listens on this port. Port 0 takes any free one.
    case portInUse(UInt16)
    /// The system refused, with this `errno`: for instance 13 for a port below 1024, or 97 or 99 on Linux where IPv6 is
    /// not available.
    case cannotListen(Int32)
}

extension LoopbackServerError: CustomStringConvertible {
    /// The problem and its remedy.
    package var description: String {
        switch self {
        case .portInUse(let port): "Port \(port) is taken on this machine. Choose another one, or 0 for any free one."
        case .cannotListen(let code):
            "The system lets no server listen on this machine's loopback address (errno \(code))."
        }
    }
}
