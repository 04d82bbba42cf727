package import LoopbackHTTP

/// One service of the outside world, as the emulator plays it: the endpoints of a few hosts.
///
/// A service keeps its rules in its own file and what it must remember in ``EmulatorContext/grants`` or under a lock of
/// its own. It answers in the dialect of the service it stands for, mistakes of the client included.
///
/// ## What an implementation promises
///
/// - It never traps, whatever the request holds.
/// - It suspends only to call another service; time is ``EmulatorContext/now``.
/// - It honours ``EmulatorRequest/requestedError`` and hands ``EmulatorRequest/tokenFault`` to the signer.
package protocol EmulatorService: Sendable {
    /// The production hosts it stands for, such as `kauth.kakao.com`.
    var hosts: [String] { get }

    /// Answers a request to one of the hosts.
    ///
    /// - Returns: `nil` when the service has no such endpoint; the emulator then answers 404.
    func respond(to request: EmulatorRequest, in context: EmulatorContext) async -> LoopbackResponse?
}
