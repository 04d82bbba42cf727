import Foundation
import Testing

@testable import AuthStreams

@Suite struct TokenLifetimeTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private static func session(expiringIn seconds: TimeInterval?, issuedAt: Date? = nil) -> AuthSession {
        AuthSession(
            accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: seconds.map(noon.addingTimeInterval),
            user: AuthUser(id: "ada"), provider: .kakao, issuedAt: issuedAt)
    }

    private static func moment(_ seconds: TimeInterval = 0) -> Timestamp {
        Timestamp(date: noon.addingTimeInterval(seconds), uptime: .seconds(1000))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let remaining: TimeInterval?
        let end: Duration?
        /// The earliest and the latest, in seconds.
        let due: ClosedRange<Double>?
    }

    static let fresh: [Row] = [
        Row(testDescription: "an hour", remaining: 3600, end: .seconds(3570), due: 1650...3300),
        Row(
            testDescription: "a minute keeps most of it", remaining: 60, end: .seconds(54),
            due: 24...48),
        Row(testDescription: "not known", remaining: nil, end: nil, due: nil),
        Row(testDescription: "in the past", remaining: -5, end: .zero, due: 30...30),
        Row(testDescription: "not a number", remaining: .nan, end: .zero, due: 30...30),
        Row(testDescription: "for ever", remaining: .infinity, end: .zero, due: 30...30),
        Row(
            testDescription: "enormous is ten years", remaining: 1e18, end: .seconds(315_360_000 - 30),
            due: 157_679_850...315_360_000 - 300),
    ]

    @Test(arguments: fresh) func aNewTokenEndsALittleBeforeItsExpiry(row: Row) {
        let life = TokenLifetime(of: Self.session(expiringIn: row.remaining), at: Self.moment())
        #expect(life.end == row.end.map { $0 + .seconds(1000) })
        #expect((life.due == nil) == (row.due == nil))
        if let due = life.due { #expect(row.due?.contains(due / .seconds(1) - 1000) == true) }
    }

    @Test func devicesThatSignedInTogetherAreRefreshedApart() {
        let early = (0..<1000).filter { number in
            var session = Self.session(expiringIn: 3600)
            session.accessToken = Secret("token \(number)")
            return TokenLifetime(of: session, at: Self.moment()).due.map { $0 < .seconds(1000 + 1650 + 165) } ?? false
        }
        #expect((70...130).contains(early.count), "A tenth of them in a tenth of the time.")
    }

    @Test func aStoredTokenIsDueWhenItWasBefore() throws {
        let session = Self.session(expiringIn: 3600)
        let due = try #require(TokenLifetime(of: session, at: Self.moment()).due)
        let later = TokenLifetime(of: session, storedAt: Self.noon, at: Self.moment(600)).due
        #expect(later == due - .seconds(600))
    }

    /// Its leeway is that of its whole life, also when little is left at launch.
    @Test func storedTokenWithoutARefreshTokenKeepsItsLeeway() {
        var session = Self.session(expiringIn: 60)
        session.refreshToken = nil
        let life = TokenLifetime(of: session, storedAt: Self.noon.addingTimeInterval(-3540), at: Self.moment())
        #expect(life.end == .seconds(1000 + 30))
    }

    /// A server that answers every refresh with one cached token is not asked in a loop.
    @Test func aTokenThatARefreshDidNotReplaceIsDueAfterHalfOfTheRest() {
        let lifetime = TokenLifetime(of: Self.session(expiringIn: 3600), at: Self.moment(0))
        let end = lifetime.end ?? .zero
        #expect(lifetime.postponed(at: end - .seconds(100)).due == end - .seconds(50))
        #expect(lifetime.postponed(at: end).due == end + .seconds(30))
        #expect(lifetime.postponed(at: .zero).due == lifetime.due)
    }

    @Test func aTokenIsOverFromItsEndOn() {
        let life = TokenLifetime(of: Self.session(expiringIn: 3600), at: Self.moment())
        #expect(!life.isOver(at: .seconds(1000 + 3569)))
        #expect(life.isOver(at: .seconds(1000 + 3570)))
        #expect(!TokenLifetime.endless.isOver(at: .seconds(1e12)))
    }

    struct StoredRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// When it was stored and when it is read, in seconds from noon; it expires an hour after noon.
        let stored: TimeInterval?
        let read: TimeInterval
        /// By how much the server's clock was ahead when it was stored.
        var skew: TimeInterval?
        let isOver: Bool
    }

    static let stored: [StoredRow] = [
        StoredRow(testDescription: "read soon", stored: 0, read: 60, isOver: false),
        StoredRow(testDescription: "read late", stored: 0, read: 3700, isOver: true),
        StoredRow(testDescription: "of the first version", stored: nil, read: 60, isOver: false),
        StoredRow(testDescription: "the clock was set back a day", stored: 0, read: -86_400, isOver: true),
        StoredRow(testDescription: "the clock was set back a little", stored: 0, read: -30, isOver: false),
        StoredRow(testDescription: "the clock was set back a minute", stored: 0, read: -60, isOver: false),
        StoredRow(testDescription: "the clock was set back more than a minute", stored: 0, read: -61, isOver: true),
        StoredRow(testDescription: "more is left than there ever was", stored: 3000, read: 0, isOver: true),
        StoredRow(testDescription: "the clock was a day ahead then", stored: 0, read: 90, skew: -86_400, isOver: true),
        StoredRow(
            testDescription: "and a moment ago it was the same clock", stored: 0, read: 60, skew: -86_400, isOver: false
        ),
        StoredRow(testDescription: "the clock was a day behind then", stored: 0, read: 90, skew: 86_400, isOver: false),
        StoredRow(testDescription: "a second is no skew", stored: 0, read: 90, skew: -1, isOver: false),
    ]

    @Test(arguments: stored) func aStoredTokenIsOverWhereTheClocksDisagree(row: StoredRow) {
        let stored = row.stored.map(Self.noon.addingTimeInterval)
        let issuedAt = row.skew.map { Self.noon.addingTimeInterval((row.stored ?? 0) + $0) }
        let life = TokenLifetime(
            of: Self.session(expiringIn: 3600, issuedAt: issuedAt), storedAt: stored, at: Self.moment(row.read))
        #expect(life.isOver(at: .seconds(1000)) == row.isOver)
    }

    @Test func aDoubtEndsNoSessionThatCannotBeRefreshed() {
        var session = Self.session(expiringIn: 3600, issuedAt: Self.noon.addingTimeInterval(-86_400))
        session.refreshToken = nil
        let life = TokenLifetime(of: session, storedAt: Self.noon.addingTimeInterval(120), at: Self.moment(60))
        #expect(!life.isOver(at: .seconds(1000)))
    }
}
