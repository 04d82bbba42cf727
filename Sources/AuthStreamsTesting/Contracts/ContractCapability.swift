/// An action of a port's environment that a contract may need, such as disabling a user, or the reason why it is not
/// possible.
///
/// There is no default, so that each omitted check has a stated reason.
public enum ContractCapability<Action: Sendable>: Sendable {
    /// The action.
    case can(Action)
    /// The reason why it is not possible. The report gives this reason for every check that needs it.
    case cannot(String)

    /// - Throws: The error that ends a check that needs the action.
    func required() throws(ContractSkip) -> Action {
        switch self {
        case .can(let action): return action
        case .cannot(let reason): throw ContractSkip(reason: reason)
        }
    }
}
