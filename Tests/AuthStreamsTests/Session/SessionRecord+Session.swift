import Foundation

@testable import AuthStreams

extension SessionRecord {
    init(_ session: Session) { self.init(.established(session), isUnanswered: false, savedAt: Date()) }

    init(_ session: AdoptableSession) { self.init(.adoptable(session), isUnanswered: false, savedAt: Date()) }

    /// What a record holds.
    static func kept(in data: Data) throws -> KeptSession? { try SessionRecord(reading: data).kept }

    /// The session of a record that holds one.
    static func session(in data: Data) throws -> Session? {
        if case .established(let session) = try kept(in: data) { session } else { nil }
    }
}

/// The machine at a time that does not matter.
extension SessionMachine {
    private static let now = Moment(date: Date(timeIntervalSince1970: 1_800_000_000), uptime: .zero)

    var kept: KeptSession? { record(at: Self.now.date)?.kept }

    mutating func restored(_ kept: KeptSession?, in generation: UInt64) -> Bool {
        let record = kept.map { SessionRecord($0, isUnanswered: false, savedAt: Self.now.date) }
        return restored(record, at: Self.now, in: generation)
    }

    mutating func sessionEstablished(_ session: Session, by id: UInt64) -> Bool {
        attemptCommits(id: id) && sessionEstablished(session, at: Self.now, by: id)
    }

    mutating func adopted(_ session: Session, in generation: UInt64) -> Bool {
        adopted(session, at: Self.now, in: generation)
    }
}
