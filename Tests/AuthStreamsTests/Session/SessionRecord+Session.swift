import Foundation

@testable import AuthStreams

extension SessionRecord {
    init(_ session: Session) { self.init(.established(session), isUnanswered: false, savedAt: Date()) }

    init(_ session: LegacySession) { self.init(.adoptable(session), isUnanswered: false, savedAt: Date()) }

    /// What a record holds.
    static func kept(in data: Data) throws -> KeptSession? { try SessionRecord(reading: data).kept }

    /// The session of a record that holds one.
    static func session(in data: Data) throws -> Session? {
        if case .established(let session) = try kept(in: data) { session } else { nil }
    }
}

extension RecordSnapshot {
    /// A record without bytes.
    init(_ record: SessionRecord?) { self.init(record, as: StoredRecord(data: nil, version: .none)) }
}

/// The machine at a time that does not matter.
extension SessionStateMachine {
    private static let now = Timestamp(date: Date(timeIntervalSince1970: 1_800_000_000), uptime: .zero)

    var kept: KeptSession? { record(at: Self.now.date)?.kept }

    mutating func restored(_ kept: KeptSession?, of generation: UInt64) {
        let record = kept.map { SessionRecord($0, isUnanswered: false, savedAt: Self.now.date) }
        restored(RecordSnapshot(record), of: generation, at: Self.now, since: .zero)
    }

    mutating func locked(in generation: UInt64) {
        restoreFailed(
            AuthError(.storageLocked, "Locked."), of: generation, isRetry: false, at: .zero, since: .zero)
    }

    mutating func began(_ provider: ProviderID) -> SignInOperation {
        signInBegan(with: provider, at: .presenting, .zero)
    }

    mutating func established(_ session: Session, by operation: SignInOperation, at now: Timestamp? = nil) -> Bool {
        let now = now ?? Self.now
        return operations.commit(operation) && signedIn(session, by: operation, begun: now, at: now, failure: nil)
    }

    mutating func failed(_ operation: SignInOperation) {
        _ = signInFailed(operation, AuthError(.network, "Scripted."), at: .zero)
    }

    mutating func signedOut(for reason: SignOutReason) {
        if reason == .user { _ = signedOut(at: Self.now) } else { end(reason) }
    }

    mutating func observed(_ record: SessionRecord?, at now: Timestamp) {
        recordObserved(RecordSnapshot(record), at: now)
    }

    /// The events since the last call.
    mutating func takeEvents() -> [AuthEvent] { takeEffects().events }

    /// Begins a refresh.
    mutating func refreshBegan(at now: Duration = .zero) -> RefreshOperation? {
        if case .start(let refresh) = tokenRequested(.new, at: now) { refresh } else { nil }
    }
}
