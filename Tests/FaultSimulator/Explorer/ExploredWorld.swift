import AuthStreams
import Foundation

/// What is there before either process was launched.
enum Beginning: Hashable {
    case empty
    /// A user is signed in.
    case stored
    /// Another SDK has a session.
    case adoptable(isUserKnown: Bool)
}

/// What two processes of an app share: the record on disk, the server, the time, and how many faults are left.
struct SharedWorld: Hashable {
    /// One session at the server, and what became of it. Its tokens are a family: each request replaces them.
    struct Family: Hashable {
        let user: UInt8
        /// How often the server has replaced the tokens.
        var version: UInt8 = 0
        /// How often the server has given an access token beside the same refresh token.
        var renewal: UInt8 = 0
        var isRevoked = false
        /// How many of its refresh tokens were sent.
        var sent: UInt8 = 0
        /// Whether there is a cause to send the last of them again: no answer was read, or the process that sent it died or lost
        /// the lock.
        var mayBeSentAgain = false
        /// Whether a process has read its present tokens, and has not written them yet.
        var isAnswerRead = false
        /// Whether its mark may be in the memory of one process alone, because the record was damaged.
        var isMarkMissing = false
        /// Whether its sign-in was committed.
        var isDecided = false
        /// Whether a decision ended it, which its process may not have stored yet.
        var isEnded = false
        /// Whether a record without it replaced it, so that it must not come back.
        var isGone = false
        /// Whether it may be missing, although nothing ended it: another process decided later, its process died before it was
        /// stored, or its record was damaged.
        var mayBeMissing = false
    }

    /// How often each fault and each decision of a person may still happen.
    struct Budget: Hashable {
        var storeFailures: UInt8 = 0
        var lostAnswers: UInt8 = 0
        var deaths: UInt8 = 0
        var lockTimeouts: UInt8 = 0
        var lockLosses: UInt8 = 0
        /// How often the record may become unreadable.
        var damages: UInt8 = 0
        var signIns: UInt8 = 0
        /// How often a sign-in of an earlier process may be resumed.
        var resumedSignIns: UInt8 = 0
        var signOuts: UInt8 = 0
        /// How often the person may sign out on all devices.
        var signOutsEverywhere: UInt8 = 0
        var deletions: UInt8 = 0
        /// How often a provider may report that a person withdrew the app's access.
        var withdrawals: UInt8 = 0
        var refreshes: UInt8 = 0
        /// How often the person may change the profile.
        var changes: UInt8 = 0
        /// How often the server may give an access token beside the same refresh token.
        var renewals: UInt8 = 0
        var revocations: UInt8 = 0
        var hours: UInt8 = 0
    }

    /// The session of another SDK, which has the tokens of the first family; `nil` for nothing.
    var adoptable: AdoptableSession?
    /// The record on disk, as the number that the table of records gave it.
    var disk: RecordTable.Number
    var families: [Family]
    /// How often each of two users has changed the profile, as the server knows it.
    var profiles: [UInt8] = [0, 0]
    /// Whether a change of the profile was lost with its answer or its process, or was made after the lock was lost.
    var isProfileUncertain = false
    /// Whether the record was damaged, after which nothing on disk says what ended.
    var wasDamaged = false
    /// The family whose session the record held that was damaged last. By the order of decisions, a reading of it finds that one.
    private(set) var hidden: Int?
    var budget: Budget
    var hours: UInt8 = 0

    /// - Parameter records: Gets the record of a session that is stored already.
    init(_ beginning: Beginning, _ budget: Budget, _ records: RecordTable) {
        (disk, families, self.budget) = (RecordTable.unwritten, [], budget)
        switch beginning {
        case .empty: break
        case .stored:
            families = [Family(user: 0, isDecided: true)]
            let kept = KeptSession(
                .established(session(0, version: 0)), at: KeptSession.Stage(id: Self.id(of: 0)), savedAt: now.date)
            var record = SessionRecord(kept)
            if budget.damages > 0 { record.history.firstVersion = RecordTable.present }
            disk = records.number(of: record)
        case .adoptable(let isUserKnown):
            families = [Family(user: 0)]
            let session = session(0, version: 0)
            adoptable = AdoptableSession(
                refreshToken: Self.adoptableToken, user: isUserKnown ? session.user : nil, provider: .kakao)
        }
    }

    /// The order of decisions is that of readings and writes, so time stands still between hours.
    var now: Timestamp {
        let seconds = 1000 + 3600 * Int64(hours)
        return Timestamp(
            date: Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(seconds)), uptime: .seconds(seconds))
    }

    /// Whether the server gives new tokens for these.
    func answers(_ tokens: TokenNumber) -> Bool {
        !families[tokens.family].isRevoked && families[tokens.family].version == tokens.version
    }

    /// The session that the server gives: the tokens of that family and version, and the user as the server has them now.
    func session(_ family: Int, version: UInt8) -> AuthSession {
        let (number, renewal) = (families[family].user, families[family].renewal)
        let identity = AuthUser.LinkedProvider(id: .kakao, userID: "\(number)")
        return AuthSession(
            accessToken: Secret("a\(family).\(version).\(renewal)"), refreshToken: Secret("r\(family).\(version)"),
            expiresAt: now.date.addingTimeInterval(3600),
            user: AuthUser(
                id: Self.user(number), displayName: "\(profiles[Int(number)])", providers: [identity]),
            provider: .kakao)
    }

    static func user(_ number: UInt8) -> AuthUser.ID { "user\(number)" }

    // MARK: Names

    private static let adoptableToken = Secret("r0.0")
    static let adoptableID = SessionID(
        adopting: AdoptableSession(refreshToken: adoptableToken, user: nil, provider: nil))

    static func id(of family: Int) -> SessionID { SessionID(rawValue: "\(family)") }

    /// The family of a session.
    static func family(of id: SessionID) -> Int { Int(id.rawValue) ?? 0 }

    /// What that family's user is called.
    func user(of family: Int) -> AuthUser.ID { Self.user(families[family].user) }

    /// The record becomes unreadable, and with it what ended.
    ///
    /// - Parameter session: The family of its session.
    mutating func damage(hiding session: Int?) {
        budget.damages -= 1
        (disk, wasDamaged, hidden) = (RecordTable.damaged, true, session)
        for family in families.indices {
            (families[family].isEnded, families[family].isGone) = (false, false)
            (families[family].mayBeMissing, families[family].isMarkMissing) = (true, true)
        }
    }

    /// The server gives a new access token beside the same refresh token.
    mutating func renewToken(of family: Int) {
        budget.renewals -= 1
        families[family].renewal += 1
    }

    /// The server ends all sessions of a user.
    mutating func revokeAll(of user: AuthUser.ID) {
        for family in families.indices where self.user(of: family) == user { families[family].isRevoked = true }
    }
}

/// Which tokens a session has.
struct TokenNumber: Hashable {
    let family: Int
    let version: UInt8

    /// The tokens that ``SharedWorld/session(_:version:)`` gave.
    init?(_ token: Secret?) {
        let digits = token.map { Array($0.reveal().utf8) } ?? []
        // Each number has one digit. An access token has that of its renewal, too.
        guard digits.count == 4 || digits.count == 6, digits[2] == UInt8(ascii: ".") else { return nil }
        (family, version) = (Int(digits[1] - 48), digits[3] - 48)
    }
}

/// The records that were ever written, each once.
final class RecordTable {
    /// A number for a record.
    typealias Number = UInt16

    private var numbers: [SessionRecord: Number] = [:]
    /// As a process reads them.
    private(set) var snapshots: [RecordSnapshot]
    private(set) var tokens: [TokenNumber?] = [nil, nil, nil]

    /// Nothing was ever written.
    static let unwritten: Number = 0
    /// A record was removed.
    static let removed: Number = 1
    /// A record that cannot be read.
    static let damaged: Number = 2

    /// The version of the record that is on disk. The versions before it that a process knows have the numbers below.
    static let present = RecordVersion(rawValue: 100)

    init() {
        snapshots = [
            RecordSnapshot(nil, as: StoredRecord(data: nil, version: .none)),
            RecordSnapshot(nil, as: StoredRecord(data: nil, version: Self.present)),
            RecordSnapshot(StoredRecord(data: Data("damaged".utf8), version: Self.present)),
        ]
    }

    func number(of record: SessionRecord) -> Number {
        if let number = numbers[record] { return number }
        let number = Number(snapshots.count)
        numbers[record] = number
        snapshots.append(RecordSnapshot(record, as: StoredRecord(data: Data(), version: Self.present)))
        tokens.append(TokenNumber(record.session?.refreshToken))
        return number
    }

    /// The number of the record that replaces the present one.
    func number(ofNext record: SessionRecord) -> Number {
        number(of: record.renumbered { RecordVersion(rawValue: $0.rawValue - 1) })
    }
}

extension SessionRecord {
    /// The same record after the first version of its session got another number.
    func renumbered(_ first: (RecordVersion) -> RecordVersion) -> Self {
        var copy = self
        copy.history.firstVersion = history.firstVersion.map(first)
        return copy
    }
}

extension RecordSnapshot {
    /// The same record after its version, and the first one of its session, got other numbers.
    func map(
        _ change: (RecordVersion) -> RecordVersion, _ first: (RecordVersion) -> RecordVersion
    ) -> RecordSnapshot {
        let (version, copy) = (change(version), record?.renumbered(first))
        if version == self.version, copy == record { return self }
        let stored = StoredRecord(data: stored.data, version: version)
        return copy == nil && stored.data != nil ? RecordSnapshot(stored) : RecordSnapshot(copy, as: stored)
    }
}
