import AuthStreams

/// Locks that all processes share: one holder at a time, first come first served.
struct DiskLocks {
    /// A holder of a lock, or a waiter for it.
    final class Claim {
        let owner: ProcessID
        let name: SessionStoreKey
        let grant: () -> Void

        init(_ name: SessionStoreKey, of owner: ProcessID, grant: @escaping () -> Void) {
            self.name = name
            self.owner = owner
            self.grant = grant
        }
    }

    private var holders: [SessionStoreKey: Claim] = [:]
    private var queue: [Claim] = []

    /// How many hold a lock or wait for one.
    var count: Int { holders.count + queue.count }

    /// Whether a claim holds its lock.
    func isHeld(_ claim: Claim) -> Bool { holders[claim.name] === claim }

    /// Whether a process holds a lock.
    func isHeld(_ name: SessionStoreKey, by owner: ProcessID) -> Bool { holders[name]?.owner == owner }

    /// - Returns: Whether the claim holds its lock at once.
    mutating func enter(_ claim: Claim) -> Bool {
        guard holders[claim.name] == nil else {
            queue.append(claim)
            return false
        }
        holders[claim.name] = claim
        return true
    }

    /// Releases a lock, or stops waiting for it.
    ///
    /// - Returns: Who holds it now.
    mutating func leave(_ claim: Claim) -> Claim? {
        queue.removeAll { $0 === claim }
        guard holders[claim.name] === claim else { return nil }
        holders[claim.name] = nil
        guard let next = queue.firstIndex(where: { $0.name == claim.name }) else { return nil }
        let successor = queue.remove(at: next)
        holders[claim.name] = successor
        return successor
    }

    /// Frees what a process held, and what it waits for.
    ///
    /// - Returns: Who holds it now.
    mutating func left(by owner: ProcessID) -> [Claim] {
        queue.removeAll { $0.owner == owner }
        return lost(by: owner)
    }

    /// Frees what a process holds, as a lease that was given back or not renewed.
    ///
    /// - Returns: Who holds it now.
    mutating func lost(by owner: ProcessID) -> [Claim] {
        let held = holders.values.filter { $0.owner == owner }.sorted { $0.name.rawValue < $1.name.rawValue }
        return held.compactMap { leave($0) }
    }
}

extension SessionStoreKey {
    /// The lock of the process that sends a refresh token.
    static let refresh = Self(rawValue: "refresh")
}
