import AuthStreams

/// A decision of the person or the server, as one process made it: which sessions it ends, and which it brings.
///
/// It is made at its first reading: that of the first write that the store did not refuse. What the store held before is older,
/// what it was given later is newer. The versions of the store are that order, so no clock is asked.
struct Decision {
    /// What it ends of what its first reading finds.
    enum Scope: Hashable {
        /// Any session: a sign-in.
        case anyone
        /// The sessions of a user; none for `nil`.
        case user(Int?)
        /// The session with that token, also with those that it had replaced.
        case token(TokenName, revision: Int)
    }

    let process: ProcessID
    let scope: Scope
    /// The session that it brings.
    let next: Int?
    /// The sessions that were present in the process, or about to be.
    var over: Set<Int>
    /// How often the record had been written when it was made.
    let present: RecordVersion
    /// Whether the process did not know what the store holds; see ``Ledger/isUnread(in:)``. Then it ends any session that its first
    /// reading finds.
    var isUnread: Bool
    /// What its first reading found; `nil` before, and where nothing had to be written.
    var base: RecordVersion?
    /// Whether the process goes by another session since.
    var isSettled = false
    /// Whether the person made it, and not the server.
    var isOfPerson: Bool { if case .token = scope { false } else { true } }
}

/// One write of the session's record, as a process asks for it.
struct WriteAttempt {
    let process: AppProcess
    let content: RecordContent?
    /// Whether it only says that the other SDK has discarded its session.
    let isDiscardNote: Bool
    /// How many of the process's decisions it is made of: none where it goes by a session that it did not bring.
    let decisions: Int
}

extension Ledger {
    /// A process made a decision.
    func decided(
        _ scope: Decision.Scope, next: Int? = nil, over families: [Int?], isUnread: Bool = false, in process: AppProcess
    ) {
        var over = Set(families.compactMap { $0.map(lineage.root) })
        // A decision of the person also ends what an earlier one brings. The server refuses one session.
        if case .token = scope {} else { over.formUnion(decisions(of: process).compactMap(\.next)) }
        if let next { over.remove(next) }
        decisions[process.id, default: []].append(
            Decision(
                process: process.id, scope: scope, next: next, over: over,
                present: present, isUnread: isUnread))
    }

    /// Whether a process makes its next decision without knowing what the store holds, or in the place of one that it made so
    /// and that has not had its first reading.
    func isUnread(in process: AppProcess) -> Bool {
        guard let before = process.conduct.snapshot else { return true }
        guard before.isWriting else { return before.isUnread }
        return decisions(of: process).last.map { $0.isUnread && $0.base == nil && !$0.isSettled } ?? false
    }

    /// The version of the session's record.
    var present: RecordVersion { RecordVersion(rawValue: UInt64(log.count - 1)) }

    func decisions(of process: AppProcess) -> [Decision] { decisions[process.id] ?? [] }

    /// A process of a sign-in gives its session to the store, or shows it.
    func signsIn(_ family: Int, in process: AppProcess) {
        let root = lineage.root(family)
        guard origins[root] == process.id, !decisions(of: process).contains(where: { $0.next == root }) else { return }
        decided(
            .anyone, next: root, over: [process.conduct.present?.family], isUnread: isUnread(in: process), in: process)
    }

    /// Whether a decision ends a session that the store holds, by a reading of that version.
    func ends(_ decision: Decision, _ root: Int, _ stored: RecordContent.Kept?, at base: RecordVersion?) -> Bool {
        if decision.over.contains(root) { return true }
        guard let base, let landing = landings[root], landing <= base else { return false }
        switch decision.scope {
        case _ where decision.isUnread, .anyone: return true
        case .user(let user): return user == world.server.user(of: root)
        case .token(let refused, let revision):
            return refused == stored?.token
                || lineage.root(refused.family) == root && stored.map { $0.revision < revision } ?? false
        }
    }
}
