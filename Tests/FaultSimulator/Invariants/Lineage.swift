/// The sessions that the server made, as the device has seen them: which continues which, and in what order they took effect.
///
/// A sign-in takes effect when its record is first written, or when it is first shown because its record could not be written.
/// It is newer than every sign-in that took effect before it was given to the store. Two that overlap came at once, and either may
/// count as the newer one. A session that another SDK left is older than all.
struct Lineage {
    private struct Family {
        let birth: Ledger.Mark
        /// The session of the sign-in that this one continues. A change of the account may bring a session of its own.
        let root: Int
        /// Before the moment in which the sign-in was first given to the store, or was shown; meaningful for roots.
        var begin: Ledger.Mark?
        /// When the sign-in took effect; meaningful for roots.
        var rank: Ledger.Mark?
        /// When its record was first written.
        var landing: Ledger.Mark?
        /// When the process of the sign-in last wrote its record; meaningful for roots.
        var lastWrite: Ledger.Mark?
        /// When a process first learned that a record of the sign-in is stored; meaningful for roots.
        var confirmation: Ledger.Mark?
    }
    private var families: [Family] = []

    /// The server made a session.
    ///
    /// - Parameter parent: The session by whose access token it was asked for; `nil` for a sign-in.
    mutating func made(at mark: Ledger.Mark, from parent: Int?) {
        families.append(Family(birth: mark, root: parent.map(root) ?? families.count))
    }

    /// Another SDK left that session, before any sign-in.
    mutating func wasLeft(_ family: Int) { (families[family].begin, families[family].rank) = (0, 0) }

    /// The record of a session is about to be written, or it is shown.
    ///
    /// - Parameter moment: Before everything of the present moment.
    mutating func began(_ family: Int, in moment: Ledger.Mark) {
        if families[root(family)].begin == nil { families[root(family)].begin = moment }
    }

    /// Before the moment in which the sign-in was given to the store, or was shown; `nil` if it was neither.
    func begin(_ family: Int) -> Ledger.Mark? { families[root(family)].begin }

    /// The record of a session was written.
    mutating func landed(_ family: Int, at mark: Ledger.Mark) {
        for place in [family, root(family)] where families[place].landing == nil { families[place].landing = mark }
        tookEffect(family, at: mark)
    }

    /// The process of the sign-in wrote its record.
    mutating func wrote(_ family: Int, at mark: Ledger.Mark) { families[root(family)].lastWrite = mark }

    /// A process learned that the record of its session is stored. A write that is told to have failed is repeated.
    mutating func confirmed(_ family: Int, at mark: Ledger.Mark) {
        if families[root(family)].confirmation == nil { families[root(family)].confirmation = mark }
    }

    /// When the process of the sign-in last may have repeated its write. Until then it may store the session again, although
    /// another process has ended it.
    func lastRepetition(_ family: Int) -> Ledger.Mark? { confirmation(family) ?? families[root(family)].lastWrite }

    /// When a process first learned that a record of the sign-in is stored.
    func confirmation(_ family: Int) -> Ledger.Mark? { families[root(family)].confirmation }

    /// A session is shown, or its record was written.
    mutating func tookEffect(_ family: Int, at mark: Ledger.Mark) {
        if families[root(family)].rank == nil { families[root(family)].rank = mark }
    }

    func root(_ family: Int) -> Int { families[family].root }

    /// When the sign-in was made at the server.
    func birth(_ family: Int) -> Ledger.Mark { families[root(family)].birth }

    /// When the sign-in took effect; `nil` if it did not.
    func rank(_ family: Int) -> Ledger.Mark? { families[root(family)].rank }

    /// When the record of the sign-in was first written.
    func landing(_ family: Int) -> Ledger.Mark? { families[root(family)].landing }

    /// Whether one token is of the same sign-in as another, and as new.
    func isContinued(_ token: TokenName, by other: TokenName) -> Bool {
        root(token.family) == root(other.family) && (token.family, token.number) <= (other.family, other.number)
    }

    /// Whether one session may be what took the other's place: a sign-in that came later or at once, or a later session of the
    /// same sign-in.
    func isNewer(_ family: Int, than other: Int) -> Bool {
        guard root(family) != root(other) else { return family >= other }
        return rank(family) ?? -1 > families[root(other)].begin ?? -1
    }

    /// The sessions that may count as newer than one, although that is the newest.
    func rivals(of family: Int) -> [Int] {
        families.indices.filter { root($0) != root(family) && rank($0) != nil && isNewer($0, than: family) }
    }

    /// The newest session on the device, by ``isNewer(_:than:)``.
    var newest: Int? {
        let roots = families.indices.filter { families[$0].root == $0 && families[$0].rank != nil }
        let root = roots.max { families[$0].rank ?? 0 < families[$1].rank ?? 0 }
        return families.indices.last { families[$0].root == root && (families[$0].landing != nil || $0 == root) }
    }
}
