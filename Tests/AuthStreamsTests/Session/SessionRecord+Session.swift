import Foundation

@testable import AuthStreams

extension SessionID: ExpressibleByStringLiteral {
    /// A name that a test gives.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension KeptSession {
    /// A session whose name is its user's, unless given.
    init(
        _ session: AuthSession, as id: SessionID? = nil, revision: Int = 0, renewal: Int = 0, edition: Int = 0,
        savedAt: Date = Date(), isSent: Bool = false
    ) {
        let id = id ?? SessionID(rawValue: session.user.id)
        self.init(
            .established(session), at: Stage(id: id, revision: revision, renewal: renewal, edition: edition),
            savedAt: savedAt, isSent: isSent)
    }

    /// An adoptable session.
    init(_ adoptable: AdoptableSession, isSent: Bool = false, isFoundAtLaunch: Bool = false) {
        self.init(
            .adoptable(adoptable), at: Stage(id: SessionID(adopting: adoptable)), isSent: isSent,
            isFoundAtLaunch: isFoundAtLaunch)
    }
}

extension SessionRecord {
    init(_ session: AuthSession) { self.init(KeptSession(session)) }

    init(_ session: AdoptableSession) { self.init(KeptSession(session)) }

    /// What a record holds.
    static func content(of data: Data) throws -> KeptSession.Content? {
        try SessionRecord(reading: data).session?.content
    }

    /// The session of a record that holds one.
    static func session(in data: Data) throws -> AuthSession? { try SessionRecord(reading: data).session?.session }

    /// Whether its refresh token was sent.
    var isSent: Bool { session?.isSent == true }
}

extension RecordSnapshot {
    /// A record of that version, without bytes.
    init(_ record: SessionRecord?, version: UInt64 = 1) {
        self.init(
            record, as: StoredRecord(data: record.map { _ in Data() }, version: RecordVersion(rawValue: version)))
    }
}

/// The machine at a time that does not matter.
extension SessionStateMachine {
    private static let now = Timestamp(date: Date(timeIntervalSince1970: 1_800_000_000), uptime: .zero)

    /// The version after the one that is known.
    private var next: UInt64 { (storage.known?.version.rawValue ?? 0) + 1 }

    mutating func restored(_ kept: KeptSession?) {
        restored(RecordSnapshot(kept.map { SessionRecord($0) }), at: Self.now, since: .zero)
    }

    mutating func locked() {
        restoreFailed(AuthError(.storageLocked, "Locked."), .showSignedOut, at: .zero, since: .zero)
    }

    mutating func began(_ provider: ProviderID) -> SignInOperation {
        signInBegan(with: provider, at: .presenting, .zero)
    }

    /// Writes what is pending.
    ///
    /// - Parameter failure: Why the store fails.
    mutating func write(at now: Timestamp? = nil, failing failure: AuthError? = nil) {
        let now = now ?? Self.now
        let found = storage.known ?? RecordSnapshot(nil, version: 0)
        storage.beginWriting()
        guard let attempt = try? writeBegan(over: .success(found), at: now).get() else { return }
        writeEnded(attempt, failure.map { .failure($0) } ?? .success(found.version.next), at: now)
    }

    /// - Parameter id: The name of the session, that of the user unless given.
    mutating func established(
        _ session: AuthSession, by operation: SignInOperation, as id: SessionID? = nil, at now: Timestamp? = nil
    ) -> Bool {
        let id = id ?? SessionID(rawValue: session.user.id)
        guard committed(operation, session, as: id, at: now ?? Self.now) else { return false }
        write(at: now)
        return operations.established == operation.id
    }

    mutating func failed(_ operation: SignInOperation) {
        _ = signInFailed(operation, AuthError(.network, "Scripted."), at: .zero)
    }

    mutating func signedOut(for reason: SignOutReason) {
        if reason == .user { _ = signOut() } else { end(reason) }
    }

    /// Another process has written a record, which is read.
    mutating func observed(_ session: KeptSession?, ending ended: [SessionID] = [], at now: Timestamp) {
        var history = storage.history
        history.end(ended)
        _ = observed(RecordSnapshot(SessionRecord(session, history), version: next), at: now)
    }

    /// Adopts a session of another SDK.
    mutating func adopted(_ adoptable: AdoptableSession) {
        if adoptionDecided(adoptable) { write() }
    }

    /// The events since the last call.
    mutating func takeEvents() -> [AuthEvent] { takeEffects().events }

    /// Begins a refresh.
    mutating func refreshBegan(at now: Duration = .zero) -> RefreshOperation? {
        if case .start(let refresh) = tokenRequested(demandOfNewToken, at: now) { refresh } else { nil }
    }
}
