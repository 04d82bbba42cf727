import AuthStreams
import Foundation

/// What is there before either process was launched.
enum Beginning: Hashable {
    case empty
    /// A user is signed in.
    case stored
    /// Another SDK left a session.
    case legacy(isUserKnown: Bool)
}

/// What two processes of an app share: the record on disk, the server, the time, and how many faults are left.
struct SharedWorld: Hashable {
    /// One sign-in at the server, and what became of it.
    struct Family: Hashable {
        let user: UInt8
        /// When the sign-in was committed, by the uptime that both processes share.
        var bornAt: Int32
        /// How often the server has replaced the tokens.
        var version: UInt8 = 0
        var isRevoked = false
        /// Whether the answer that brought the present tokens was lost, or read by a process that died before it stored them.
        var isAnswerLost = false
        /// Whether its end is stored: a sign-out, a terminal rejection or a later sign-in.
        var isEnded = false
        /// Whether it was stored, and a sign-out superseded its sign-in meanwhile.
        var isSuperseded = false
        /// Whether it was stored after its end, by a process that did not know that its own write had landed before it.
        var wasStoredAgain = false
    }

    /// How often each fault and each decision of a person may still happen.
    struct Budget: Hashable {
        var storeFailures: UInt8 = 0
        var lostAnswers: UInt8 = 0
        var deaths: UInt8 = 0
        var lockTimeouts: UInt8 = 0
        var signIns: UInt8 = 0
        var signOuts: UInt8 = 0
        /// How often a provider may report that a person withdrew the app's access.
        var withdrawals: UInt8 = 0
        var refreshes: UInt8 = 0
        var revocations: UInt8 = 0
        var clockChanges: UInt8 = 0
        var hours: UInt8 = 0
    }

    /// What another SDK left, which has the tokens of the first family; `nil` for nothing.
    var legacy: LegacySession?
    /// Whether the store says that it was taken over, or that it is older than what ended here.
    var isAdopted = false
    /// The record on disk, as the number that the table of records gave it.
    var disk: RecordTable.Number
    var families: [Family]
    var budget: Budget
    /// Seconds.
    var uptime: Int32 = 1000
    /// Seconds by which the device's date was changed.
    var dateChange: Int32 = 0

    /// - Parameter records: Gets the record of a session that is stored already.
    init(_ beginning: Beginning, _ budget: Budget, _ records: RecordTable) {
        (disk, families, self.budget) = (0, [], budget)
        switch beginning {
        case .empty: break
        case .stored:
            families = [Family(user: 0, bornAt: uptime)]
            disk = records.number(
                of: SessionRecord(
                    .established(session(0, version: 0)), isUnanswered: false, signedInAt: date, savedAt: date))
            tick()
        case .legacy(let isUserKnown):
            families = [Family(user: 0, bornAt: uptime)]
            let session = session(0, version: 0)
            legacy = LegacySession(
                refreshToken: session.refreshToken ?? Secret(""), user: isUserKnown ? session.user : nil,
                provider: .kakao)
            tick()
        }
    }

    var now: Timestamp { Timestamp(date: date, uptime: .seconds(Int64(uptime))) }

    var date: Date { Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(uptime) + Double(dateChange)) }

    /// Whether the device's date was changed, after which the order of sign-ins and sign-outs is not known by their dates.
    var wasDateChanged: Bool { dateChange != 0 }

    /// Whether the server gives new tokens for these.
    func answers(_ tokens: TokenNumber) -> Bool {
        !families[tokens.family].isRevoked && families[tokens.family].version == tokens.version
    }

    /// Every decision has a moment of its own.
    mutating func tick() { uptime += 1 }

    /// The session that the server gives: the tokens of that family and version.
    func session(_ family: Int, version: UInt8) -> Session {
        let number = families[family].user
        let identity = AuthUser.LinkedProvider(id: .kakao, userID: "\(number)")
        return Session(
            accessToken: Secret("a\(family).\(version)"), refreshToken: Secret("r\(family).\(version)"),
            expiresAt: date.addingTimeInterval(3600), user: AuthUser(id: "user\(number)", providers: [identity]),
            provider: .kakao)
    }
}

/// Which tokens a session has.
struct TokenNumber: Hashable {
    let family: Int
    let version: UInt8

    /// The tokens that ``SharedWorld/session(_:version:)`` gave.
    init?(_ token: Secret?) {
        let digits = token.map { Array($0.reveal().utf8) } ?? []
        guard digits.count == 4 else { return nil }
        (family, version) = (Int(digits[1] - 48), digits[3] - 48)
    }

    /// The tokens of a record.
    init?(of kept: KeptSession?) {
        switch kept {
        case .established(let session)?: self.init(session.refreshToken)
        case .adoptable(let session)?: self.init(session.refreshToken)
        case nil: return nil
        }
    }
}

/// The records that were ever written, each once.
final class RecordTable {
    /// A number for a record; 0 for none.
    typealias Number = UInt16

    private var numbers: [SessionRecord: Number] = [:]
    /// As a process reads them.
    private(set) var snapshots: [RecordSnapshot]
    private(set) var tokens: [TokenNumber?] = [nil]

    /// The version of the record that is on disk. Each write makes the versions that processes know stale.
    static let present = RecordVersion(rawValue: 2)
    static let stale = RecordVersion(rawValue: 1)

    init() { snapshots = [RecordSnapshot(nil, as: StoredRecord(data: nil, version: Self.present))] }

    func number(of record: SessionRecord?) -> Number {
        guard let record else { return 0 }
        if let number = numbers[record] { return number }
        let number = Number(snapshots.count)
        numbers[record] = number
        let data = withUnsafeBytes(of: number) { Data($0) }
        snapshots.append(RecordSnapshot(record, as: StoredRecord(data: data, version: Self.present)))
        tokens.append(TokenNumber(of: record.kept))
        return number
    }
}
