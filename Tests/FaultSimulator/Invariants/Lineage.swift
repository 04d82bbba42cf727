/// The sessions that the server made: which continues which.
struct Lineage {
    private struct Family {
        let birth: Ledger.Mark
        /// The session of the sign-in that this one continues. A change of the account may bring a session of its own.
        let root: Int
    }
    private var families: [Family] = []

    /// The server made a session.
    ///
    /// - Parameter parent: The session by whose access token it was asked for; `nil` for a sign-in.
    mutating func made(at mark: Ledger.Mark, from parent: Int?) {
        families.append(Family(birth: mark, root: parent.map(root) ?? families.count))
    }

    func root(_ family: Int) -> Int { families[family].root }

    /// When the sign-in was made at the server.
    func birth(_ family: Int) -> Ledger.Mark { families[root(family)].birth }
}
