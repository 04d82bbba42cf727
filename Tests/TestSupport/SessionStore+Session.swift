package import AuthStreams
package import Foundation

extension SessionStore {
    /// The session that the store holds.
    package func session() async throws -> KeptSession? {
        guard let data = try await read(.session).data else { return nil }
        return try JSONDecoder().decode(SessionRecord.self, from: data).session
    }
}

/// A part of what the library remembers beside the session.
package enum StoredNote: String { case profiles, deletion, attempt, lastSignIn }

extension SessionStore {
    /// A part of what is remembered beside the session; `nil` if there is none.
    package func note(_ name: StoredNote) async throws(AuthError) -> Data? {
        Self.notes(try await read(.notes))[name.rawValue].map { Data($0.utf8) }
    }

    /// Replaces or removes a part.
    package func setNote(_ name: StoredNote, to data: Data?) async throws(AuthError) {
        let record = try await read(.notes)
        var notes = Self.notes(record)
        notes[name.rawValue] = data.map { String(decoding: $0, as: UTF8.self) }
        _ = try await write(try? JSONEncoder().encode(notes), for: .notes, replacing: record.version)
    }

    private static func notes(_ record: StoredRecord) -> [String: String] {
        record.data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
    }
}
