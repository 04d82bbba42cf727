/// The gate that a restored session passes before it is used; see ``SessionGate``.
extension AuthService {
    /// Whether the session may be used now. A view covers its content unless it is open.
    ///
    /// It is open for a service without a gate, and while no user is known. Time in the background counts once the app returns from
    /// there, before its first frame.
    ///
    /// SwiftUI does not observe it: a view follows ``gateStates``, or reads `AuthViewModel` of AuthStreamsApple, which learn of a change
    /// a moment later.
    public var gateState: SessionGate.State { manager.read { $0.gateState } }

    /// ``gateState`` now and after each change; the newest only. Ends when the service is released.
    public var gateStates: Broadcast<SessionGate.State>.Latest { manager.gateStates.latest }

    /// Asks the person to pass the gate, such as for a button 'Unlock'. It joins the question that they are asked already, and returns
    /// at once if the gate is open or no user is known.
    ///
    /// While the app is not active, it waits.
    ///
    /// - Throws: ``AuthError``; why the gate refused, such as `cancelled`; `superseded` when the person signed out, or another user
    ///   signed in meanwhile; `storage` when the store could not be read.
    public func openGate() async throws(AuthError) {
        try await AuthError.during(.unlock) { () throws(AuthError) in
            try await manager.waitUntilRead()
            try await manager.passGate()
        }
    }
}
