import Foundation

/// What is remembered beside the session, in one record, so that a sign-in reads and writes it once.
///
/// Each part is a text of its own. One that cannot be decoded counts as absent. Parts that only a newer version of the library
/// knows stay.
struct Notes: Equatable, Sendable {
    /// The name of a part.
    enum Name: String {
        /// Profiles that a provider returns only once, until the server has them.
        case profiles
        /// A deletion of an account that is not known to be complete.
        case deletion
        /// The attempt that the person is away for.
        case attempt
        /// The address to which a link was sent.
        case link
        /// The method of the last sign-in.
        case lastSignIn
    }

    private var parts: [String: String]

    /// Reads a record. A damaged one has no parts.
    init(_ data: Data?) {
        parts = data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
    }

    var isEmpty: Bool { parts.isEmpty }

    /// The record; `nil` without parts.
    func data() throws(AuthError) -> Data? { parts.isEmpty ? nil : try Self.encode(parts) }

    /// What a part says; `nil` if there is none, or it cannot be decoded.
    func part<Content: Decodable>(_ name: Name, as: Content.Type = Content.self) -> Content? {
        parts[name.rawValue].flatMap { try? JSONDecoder().decode(Content.self, from: Data($0.utf8)) }
    }

    /// Replaces or removes a part.
    mutating func set<Content: Encodable>(_ name: Name, to content: Content?) throws(AuthError) {
        parts[name.rawValue] = try content.map { content throws(AuthError) in
            String(decoding: try Self.encode(content), as: UTF8.self)
        }
    }

    /// Changes a part.
    ///
    /// - Parameter change: Receives what the part says, `nil` if there is none or it cannot be decoded.
    mutating func change<Content: Codable>(_ name: Name, _ change: (inout Content?) -> Void) throws(AuthError) {
        var content: Content? = part(name)
        change(&content)
        try set(name, to: content)
    }

    mutating func remove(_ name: Name) { parts[name.rawValue] = nil }

    /// Whether a part says the same in other notes. Nothing is decoded.
    func agrees(with other: Notes, on name: Name) -> Bool { parts[name.rawValue] == other.parts[name.rawValue] }

    /// Removes what a user began, as it was in other notes: a sign-in or a sign-out takes its place. What was noted since stays.
    mutating func removeUnfinished(of earlier: Notes) {
        for name in [Name.deletion, .attempt, .link] where agrees(with: earlier, on: name) { remove(name) }
    }

    private static func encode(_ content: some Encodable) throws(AuthError) -> Data {
        // Equal contents must encode to equal bytes, or every reading would write.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return try encoder.encode(content) } catch {
            throw AuthError(
                .storage, "The record '\(SessionStoreKey.notes.rawValue)' could not be encoded.", cause: error)
        }
    }
}

extension Notes: CustomReflectable {
    /// A mirror without children, because an attempt has secrets.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// What is remembered beside the session, as one operation reads and writes it.
///
/// The record is read once, and once more after each write of another process.
struct NotesFile: Sendable {
    private let manager: SessionManager
    /// The record that was read or written last; `nil` before that, and after a write that the store refused or that failed, which
    /// may have landed.
    private var seen: (record: StoredRecord, notes: Notes)?
    /// What the last write was to replace, if it failed.
    private(set) var unwritten: Notes?

    init(_ manager: SessionManager) { self.manager = manager }

    /// What was read or written last; `nil` before that.
    var notes: Notes? { seen?.notes }

    /// Changes the record.
    ///
    /// - Parameter change: Called once more after each write of another process. If it changes nothing, nothing is written.
    @inline(never)
    mutating func change(_ change: (inout Notes) throws(AuthError) -> Void) async throws(AuthError) {
        unwritten = nil
        for _ in 0..<StoredRecord.attempts {
            var notes = try await read()
            try change(&notes)
            if try await write(notes) { return }
        }
        throw .recordIsBusy(.notes)
    }

    /// Does the same. A store that fails stops nothing: it is reported as an event.
    @inline(never)
    mutating func update(_ change: (inout Notes) throws(AuthError) -> Void) async {
        do throws(AuthError) { try await self.change(change) } catch { report(error) }
    }

    // The compiler makes a copy of the functions above for each closure, so what every copy does stands apart.

    @inline(never)
    private func report(_ error: AuthError) {
        manager.emit(AuthEvent(.storageFailed, failure: .of(error)))
    }

    @inline(never)
    private mutating func read() async throws(AuthError) -> Notes {
        if let notes { return notes }
        let read = try await manager.readNotes()
        seen = read
        return read.notes
    }

    /// - Returns: `false` if another process has written since.
    @inline(never)
    private mutating func write(_ notes: Notes) async throws(AuthError) -> Bool {
        guard let (record, before) = seen else { return false }
        // Bytes that are no notes are removed.
        guard notes != before || before.isEmpty && record.data != nil else { return true }
        let data = try notes.data()
        seen = nil
        do throws(AuthError) {
            let version = try await manager.store.write(data, for: .notes, replacing: record.version)
            guard let version else { return false }
            let record = StoredRecord(data: data, version: version)
            seen = (record, notes)
            manager.decodedNotes.withLock { $0 = (record, notes) }
            return true
        } catch {
            unwritten = before
            throw error
        }
    }
}

extension SessionManager {
    /// Reads the record. What this process read or wrote last is not decoded again.
    func readNotes() async throws(AuthError) -> (record: StoredRecord, notes: Notes) {
        let record = try await store.read(.notes)
        return decodedNotes.withLock { decoded in
            // By the bytes, since a store may forget versions.
            decoded = (record, decoded.record.data == record.data ? decoded.notes : Notes(record.data))
            return decoded
        }
    }
}
