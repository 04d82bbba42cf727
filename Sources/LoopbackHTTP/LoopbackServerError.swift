/// Why a ``LoopbackServer`` could not be started.
package enum LoopbackServerError: Error, Equatable, Sendable {
    /// Another socket listens on this port. Port 0 takes any free one.
    case portInUse(UInt16)
    /// The system refused, with this `errno`: for instance 13 for a port below 1024.
    case cannotListen(Int32)
}

extension LoopbackServerError: CustomStringConvertible {
    /// The problem and its remedy.
    package var description: String {
        switch self {
        case .portInUse(let port): "Port \(port) on 127.0.0.1 is taken. Choose another one, or 0 for any free one."
        case .cannotListen(let code): "The system does not let a server listen on 127.0.0.1 (errno \(code))."
        }
    }
}
