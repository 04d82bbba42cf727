/// What is remembered beside the session, as one operation reads and writes it.
///
/// The record is read once, and once more after each write of another process.
struct NotesFile: Sendable {
    private let manager: SessionManager
    /// The record that was read or written last; `nil` before that, and after a write that the store refused or that failed, which
    /// may have landed.
    private var seen: StoredRecord?
    /// What the last write was to replace, if it failed.
    private(set) var unwritten: Notes?

    init(_ manager: SessionManager) { self.manager = manager }

    /// What was read or written last; `nil` before that.
    var notes: Notes? { seen.map { Notes($0.data) } }

    /// Changes the record.
    ///
    /// - Parameter change: Called once more after each write of another process. If it changes nothing, nothing is written.
    /// - Returns: The result of the last call.
    mutating func change<Value>(
        _ change: (inout Notes) throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        unwritten = nil
        for _ in 0..<StoredRecord.attempts {
            var notes = try await read()
            let value = try change(&notes)
            if try await write(notes) { return value }
        }
        throw .recordIsBusy(.notes)
    }

    /// Does the same. A store that fails stops nothing: it is reported as an event.
    ///
    /// - Parameter kind: The change of the account that the event belongs to.
    /// - Returns: The result of the last call; `nil` when the store failed.
    @discardableResult
    mutating func update<Value>(
        in kind: AuthEvent.Change? = nil, _ change: (inout Notes) throws(AuthError) -> Value
    ) async -> Value? {
        do throws(AuthError) { return try await self.change(change) } catch {
            report(error, in: kind)
            return nil
        }
    }

    // The compiler makes a copy of the functions above for each closure, so what every copy does stands apart.

    @inline(never)
    private mutating func read() async throws(AuthError) -> Notes {
        if let notes { return notes }
        let record = try await manager.store.read(.notes)
        seen = record
        return Notes(record.data)
    }

    /// - Returns: `false` if another process has written since.
    @inline(never)
    private mutating func write(_ notes: Notes) async throws(AuthError) -> Bool {
        guard let record = seen else { return false }
        let data = try notes.data()
        guard data != record.data else { return true }
        seen = nil
        do throws(AuthError) {
            let version = try await manager.store.write(data, for: .notes, replacing: record.version)
            seen = version.map { StoredRecord(data: data, version: $0) }
            return version != nil
        } catch {
            unwritten = Notes(record.data)
            throw error
        }
    }

    @inline(never)
    private func report(_ error: AuthError, in kind: AuthEvent.Change?) {
        manager.emit(AuthEvent(.storageFailed, failure: error, change: kind))
    }
}

extension SessionManager {
    /// Changes one part of what is remembered beside the session. A store that fails stops nothing: it is reported as an event.
    ///
    /// - Parameter kind: The change of the account that the event belongs to.
    /// - Returns: The result of the last call; `nil` when the store failed.
    @discardableResult
    func updateNote<Content: Codable, Value>(
        _ name: Notes.Name, in kind: AuthEvent.Change? = nil, _ change: (inout Content?) -> Value
    ) async -> Value? {
        var file = NotesFile(self)
        return await file.update(in: kind) { notes throws(AuthError) in try notes.change(name, change) }
    }

    /// Changes one part of it, and reports a store that fails to the caller.
    func changeNote<Content: Codable, Value>(
        _ name: Notes.Name, _ change: (inout Content?) -> Value
    ) async throws(AuthError) -> Value {
        var file = NotesFile(self)
        return try await file.change { notes throws(AuthError) in try notes.change(name, change) }
    }
}
