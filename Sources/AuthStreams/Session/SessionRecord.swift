package import Foundation

/// What the store holds: the session, or none, and which sessions ended. The one place that writes secrets down, on purpose.
package struct SessionRecord: Hashable, Sendable {
    /// What is remembered beside the session, also when it is over.
    package struct History: Hashable, Sendable {
        /// The sessions that ended or were replaced, the newest ``limit`` of them.
        package internal(set) var ended: [SessionID] = []
        /// How many there ever were.
        package internal(set) var endedCount = 0
        /// Whether the session of another SDK was adopted, or is older than one that ended here.
        package internal(set) var isAdopted = false
        /// Whether the other SDK has discarded its copy, too.
        package internal(set) var isDiscarded = false
        /// The first version that held the session; `nil` without a session. It says whether the session is older than a decision
        /// that is not stored yet.
        package var firstVersion: RecordVersion?

        package static let limit = 16

        package init() {}

        /// Adds sessions that ended.
        mutating func end(_ ids: [SessionID]) {
            for id in ids where !ended.contains(id) {
                ended.append(id)
                endedCount += 1
                if ended.count > Self.limit { ended.removeFirst() }
            }
        }
    }

    package var session: KeptSession?
    package var history = History()

    package init(_ session: KeptSession?, _ history: History = History()) {
        (self.session, self.history) = (session, history)
    }

    /// Why a record cannot be read. Its bytes stay as they are.
    enum Problem: Error, Hashable {
        /// A newer version of the library wrote it, and will read it.
        case newer(version: Int)
        /// It is no record of any version.
        case damaged(AuthError.Cause?)
    }
}

// MARK: The stored form

extension SessionRecord: Codable {
    /// The first form with identifiers.
    private static let version = 3

    private enum CodingKeys: String, CodingKey {
        case version, session, ended, endedCount, isAdopted, isDiscarded, firstVersion
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.version, forKey: .version)
        try container.encodeIfPresent(session.map(StoredSession.init), forKey: .session)
        try container.encode(history.ended, forKey: .ended)
        try container.encode(history.endedCount, forKey: .endedCount)
        if history.isAdopted { try container.encode(true, forKey: .isAdopted) }
        if history.isDiscarded { try container.encode(true, forKey: .isDiscarded) }
        try container.encodeIfPresent(history.firstVersion?.rawValue, forKey: .firstVersion)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == Self.version else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "The record is of another form.")
        }
        session = try container.decodeIfPresent(StoredSession.self, forKey: .session)?.kept()
        history = try Self.history(in: container)
        // No decision ends the session that it brings.
        history.ended.removeAll { $0 == session?.id }
    }

    private static func history(in container: KeyedDecodingContainer<CodingKeys>) throws -> History {
        var history = History()
        history.end(try container.decodeIfPresent([SessionID].self, forKey: .ended) ?? [])
        history.endedCount = max(
            try counted(container.decodeIfPresent(Int.self, forKey: .endedCount) ?? 0), history.ended.count)
        history.isAdopted = try container.decodeIfPresent(Bool.self, forKey: .isAdopted) ?? false
        history.isDiscarded = try container.decodeIfPresent(Bool.self, forKey: .isDiscarded) ?? false
        history.firstVersion = try container.decodeIfPresent(UInt64.self, forKey: .firstVersion)
            .map(RecordVersion.init)
        return history
    }

    /// Checks a number that processes count up.
    ///
    /// - Throws: `DecodingError` if no process can have counted to it. Adding one to such a number could overflow.
    fileprivate static func counted(_ number: Int) throws -> Int {
        guard (0...1_000_000_000).contains(number) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The record has a count that is out of range."))
        }
        return number
    }

    package func data() throws(AuthError) -> Data {
        do { return try JSONEncoder().encode(self) } catch {
            throw AuthError(.storage, "The session could not be encoded.", cause: error)
        }
    }

    /// What every form says, also a newer one.
    struct Outline: Decodable {
        let version: Int
        let stage: KeptSession.Stage?
        let history: History

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            version = try container.decode(Int.self, forKey: .version)
            stage = try? container.decodeIfPresent(KeptSession.Stage.self, forKey: .session)
            history = (try? SessionRecord.history(in: container)) ?? History()
        }

        /// Reads the outline of a newer form; `nil` of any other.
        init?(ofNewer data: Data) {
            guard let outline = try? JSONDecoder().decode(Outline.self, from: data),
                outline.version > SessionRecord.version
            else { return nil }
            self = outline
        }
    }

    /// Reads a record.
    init(reading data: Data) throws(Problem) {
        do { self = try JSONDecoder().decode(Self.self, from: data) } catch {
            throw Outline(ofNewer: data).map { .newer(version: $0.version) }
                ?? .damaged(AuthError.Cause(scrubbing: error))
        }
    }
}

/// A session in its stored form.
private struct StoredSession: Codable {
    let id: SessionID
    let revision: Int
    let renewal: Int
    let edition: Int
    let accessToken: String?
    let refreshToken: String?
    let expiresAt: Date?
    let issuedAt: Date?
    let user: AuthUser?
    let provider: ProviderID?
    let idToken: String?
    let scopes: [String]?
    let keyThumbprint: String?
    let isSent: Bool?
    let savedAt: Date?
    let isFoundAtLaunch: Bool?

    init(_ kept: KeptSession) {
        (id, revision, renewal, edition) = (
            kept.stage.id, kept.stage.revision, kept.stage.renewal, kept.stage.edition
        )
        isSent = kept.isSent ? true : nil
        savedAt = kept.savedAt
        isFoundAtLaunch = kept.isFoundAtLaunch ? true : nil
        refreshToken = kept.refreshToken?.reveal()
        switch kept.content {
        case .established(let session):
            accessToken = session.accessToken.reveal()
            (expiresAt, issuedAt) = (session.expiresAt, session.issuedAt)
            (user, provider) = (session.user, session.provider)
            (idToken, scopes) = (session.openID?.idToken.reveal(), session.openID?.scopes)
            keyThumbprint = session.keyThumbprint
        case .adoptable(let adoptable):
            (accessToken, expiresAt, issuedAt, idToken, scopes, keyThumbprint) = (nil, nil, nil, nil, nil, nil)
            (user, provider) = (adoptable.user, adoptable.provider)
        }
    }

    /// - Throws: `DecodingError` if something is missing that a session needs, or a count is out of range.
    func kept() throws -> KeptSession {
        let stage = KeptSession.Stage(
            id: id, revision: try SessionRecord.counted(revision), renewal: try SessionRecord.counted(renewal),
            edition: try SessionRecord.counted(edition))
        return KeptSession(
            try content(), at: stage, savedAt: savedAt, isSent: isSent ?? false,
            isFoundAtLaunch: isFoundAtLaunch ?? false)
    }

    private func content() throws -> KeptSession.Content {
        guard let accessToken else {
            guard let refreshToken else { throw Self.incomplete }
            return .adoptable(AdoptableSession(refreshToken: Secret(refreshToken), user: user, provider: provider))
        }
        guard let user, let provider else { throw Self.incomplete }
        return .established(
            AuthSession(
                accessToken: Secret(accessToken), refreshToken: refreshToken.map { Secret($0) }, expiresAt: expiresAt,
                user: user, provider: provider, issuedAt: issuedAt,
                openID: idToken.map { AuthSession.OpenID(idToken: Secret($0), scopes: scopes) },
                keyThumbprint: keyThumbprint))
    }

    private static var incomplete: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "The session lacks its tokens, user or provider."))
    }
}

extension SessionRecord.Problem {
    /// What is told of it.
    var error: AuthError {
        switch self {
        case .newer(let version):
            return AuthError(
                .storage,
                "The stored session was written by a newer version (form \(version)). Update the app, or sign in again."
            )
        case .damaged(let cause):
            var error = AuthError(
                .storage, "The stored session is damaged or of another form. Signing in again replaces it.")
            error.cause = cause
            return error
        }
    }
}

/// The shape of a record that cannot be decoded, kept for diagnosis without any token.
enum DamagedRecord {
    private static let names: Set<String> = [
        "version", "session", "ended", "endedCount", "isAdopted", "isDiscarded", "firstVersion", "revision", "renewal",
        "edition", "accessToken", "refreshToken", "expiresAt", "issuedAt", "user", "provider", "isSent",
        "isFoundAtLaunch", "savedAt", "id", "idToken", "scopes", "keyThumbprint",
    ]

    /// Returns as many bytes as there were, of which only JSON's punctuation and the names of the record's members are kept.
    /// Every other one is an `x`.
    ///
    /// So a record that was cut off, or with a missing or misspelt member, is recognized without the person's data.
    static func shape(of data: Data) -> Data {
        var shape = Data(capacity: data.count)
        var word: [UInt8] = []
        func endWord() {
            shape.append(contentsOf: names.contains(String(decoding: word, as: UTF8.self)) ? word : word.map { _ in x })
            word = []
        }
        for byte in data {
            if punctuation.contains(byte) {
                endWord()
                shape.append(byte)
            } else {
                word.append(byte)
            }
        }
        endWord()
        return shape
    }

    private static let punctuation = Set(#"{}[]":, "#.utf8)
    private static let x = UInt8(ascii: "x")
}

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
    package init(_ stored: StoredRecord, ownedIf owns: (AuthSession) -> Bool = { _ in true }) {
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
    @inline(never)  // Not repeated in each of its callers.
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
