/// Why a ``LoopbackServer`` could not be started.
package enum LoopbackServerError: Error, Equatable, Sendable {
    /// Another socket listens on this port. Port 0 takes any free one.
    case portInUse(UInt16)
    /// The system refused, with this `errno`: for instance 13 for a port below 1024.
    case cannotListen(Int32)
}
