/// What is to happen, and when. What is due at the same moment has no order but the one that is drawn.
struct Agenda {
    /// Names an entry.
    typealias ID = Int

    private struct Entry {
        let id: ID
        let time: Milliseconds
        let owner: ProcessID?
        let action: () -> Void
    }

    // A few dozen at most, so a list does.
    private var entries: [Entry] = []
    /// What waits until a process resumes, for each that stands still.
    private var parked: [ProcessID: [Entry]] = [:]
    private var lastID = 0

    init() {}

    /// How many are to come.
    var count: Int { entries.count }

    /// When the next is due.
    var next: Milliseconds? {
        var next: Milliseconds?
        for entry in entries { next = min(next ?? entry.time, entry.time) }
        return next
    }

    /// How many are due at that moment.
    func due(at now: Milliseconds) -> Int {
        var due = 0
        for entry in entries where entry.time <= now { due += 1 }
        return due
    }

    /// Enters something.
    ///
    /// - Parameter owner: The process that it dies with; `nil` for none.
    @discardableResult
    mutating func add(
        at time: Milliseconds, of owner: ProcessID?, _ action: @escaping () -> Void
    ) -> ID {
        lastID += 1
        let entry = Entry(id: lastID, time: time, owner: owner, action: action)
        if let owner, parked[owner] != nil { parked[owner]?.append(entry) } else { entries.append(entry) }
        return lastID
    }

    /// Cancels an entry that is not due yet.
    mutating func remove(_ id: ID) {
        entries.removeAll { $0.id == id }
        for owner in parked.keys { parked[owner]?.removeAll { $0.id == id } }
    }

    /// Cancels the entries of a process.
    mutating func removeAll(of owner: ProcessID) {
        parked[owner] = nil
        entries.removeAll { $0.owner == owner }
    }

    /// Holds the entries of a process until it resumes.
    mutating func freeze(_ owner: ProcessID) {
        guard parked[owner] == nil else { return }
        parked[owner] = entries.filter { $0.owner == owner }
        entries.removeAll { $0.owner == owner }
    }

    /// Resumes a process. The entries that were held are due at once.
    mutating func thaw(_ owner: ProcessID) {
        entries += parked.removeValue(forKey: owner) ?? []
    }

    /// Takes one of those that are due, to be done.
    mutating func take(_ place: Int, dueAt now: Milliseconds) -> () -> Void {
        var rest = place
        for (index, entry) in entries.enumerated() where entry.time <= now {
            if rest == 0 {
                entries.remove(at: index)
                return entry.action
            }
            rest -= 1
        }
        return {}
    }
}

/// A moment or a span of simulated time.
typealias Milliseconds = Int

/// Counts the processes of a schedule from zero.
typealias ProcessID = Int
