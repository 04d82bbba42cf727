/// Something that a contract may ask of a part's surroundings, such as disabling a user: the way to do it, or why there
/// is none.
///
/// There is no default, so that no check is left out without somebody having said why.
public enum ContractCapability<Action: Sendable>: Sendable {
    /// How it is done.
    case can(Action)
    /// Why it cannot be done. The report gives this reason for every check that needs it.
    case cannot(String)

    /// - Throws: What ends a check that needs it.
    func required() throws(ContractLeftOut) -> Action {
        switch self {
        case .can(let action): return action
        case .cannot(let reason): throw ContractLeftOut(reason: reason)
        }
    }
}
