import Foundation

/// The session's record as it stood in the store at one moment, decoded once.
package struct RecordSnapshot: Hashable, Sendable {
    /// The bytes and their version.
    package let stored: StoredRecord
    /// What the bytes say; `nil` where there are none, or they cannot be read.
    package let record: SessionRecord?
    /// Why they cannot be read.
    let problem: SessionRecord.Problem?
    /// Which session it is, and how far it has come, which also a newer form says.
    package let stage: KeptSession.Stage?
    /// What is remembered of sessions that ended, which also a newer form says.
    package let history: SessionRecord.History
    /// Whether its session is one of the server; see ``AuthRepository/owns(_:)``. Another one is none here.
    let isOwned: Bool

    /// Decodes what the store holds.
    package init(_ stored: StoredRecord, ownedIf owns: (Session) -> Bool = { _ in true }) {
        guard let data = stored.data else {
            self.init(nil, as: stored)
            return
        }
        do throws(SessionRecord.Problem) {
            let record = try SessionRecord(reading: data)
            self.init(record, as: stored, isOwned: record.session?.session.map(owns) ?? true)
        } catch {
            self.init(unreadable: data, as: stored, because: error)
        }
    }

    private init(unreadable data: Data, as stored: StoredRecord, because problem: SessionRecord.Problem) {
        let outline = SessionRecord.Outline(ofNewer: data)
        (self.stored, record, self.problem) = (stored, nil, problem)
        (stage, history, isOwned) = (outline?.stage, outline?.history ?? SessionRecord.History(), true)
    }

    /// A record and its bytes.
    ///
    /// - Parameters:
    ///   - record: What the bytes say; `nil` for a removal.
    ///   - stored: The bytes and their version.
    package init(_ record: SessionRecord?, as stored: StoredRecord) { self.init(record, as: stored, isOwned: true) }

    private init(_ record: SessionRecord?, as stored: StoredRecord, isOwned: Bool) {
        (self.stored, self.record, problem, self.isOwned) = (stored, record, nil, isOwned)
        (stage, history) = (record?.session?.stage, record?.history ?? SessionRecord.History())
    }

    package var version: RecordVersion { stored.version }

    package var session: KeptSession? { record?.session }

    /// The session, if it is one of the server.
    var ownSession: KeptSession? { isOwned ? session : nil }

    var isDamaged: Bool { if case .damaged? = problem { true } else { false } }

    /// Whether another version of the library wrote it, which will read it.
    var isNewer: Bool { if case .newer? = problem { true } else { false } }

    /// Whether it says which sessions ended: not if it is damaged or was removed.
    var saysWhatEnded: Bool { record != nil || isNewer }

    /// Whether it holds a session, of this version of the library or a newer one.
    var hasSession: Bool { stage != nil }

    /// Whether nothing was ever written.
    var isUnwritten: Bool { stored.data == nil && stored.version == .none }
}
