import Foundation
import Testing

@testable import AuthStreams

/// Whose word counts when another process wrote while something was not in the store.
@Suite struct PendingWriteTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private static let signedIn = Timestamp(date: noon, uptime: .zero)
    private static let signedOut = Timestamp(date: noon.addingTimeInterval(30), uptime: .seconds(30))
    private static let now = Timestamp(date: noon.addingTimeInterval(60), uptime: .seconds(60))
    private static let ada = session("ada", "1")

    private static func session(_ user: String, _ number: String) -> Session {
        Session(
            accessToken: Secret("a\(number)"), refreshToken: Secret("r\(number)"), expiresAt: nil,
            user: AuthUser(id: AuthUser.ID(user)), provider: .kakao)
    }

    private static func record(_ session: Session, at second: TimeInterval = 0) -> SessionRecord {
        SessionRecord(
            .established(session), isUnanswered: false, signedInAt: noon.addingTimeInterval(second), savedAt: noon)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cause: PendingWrite.Reason
        let spentToken: Secret?
        let theirs: SessionRecord?
        var known: SessionRecord?
        var isKnown = true
        let yields: Bool

        init(
            _ name: String, _ cause: PendingWrite.Reason, spent: String? = nil, theirs: SessionRecord?,
            known: SessionRecord? = PendingWriteTests.record(ada), isKnown: Bool = true, yields: Bool
        ) {
            (testDescription, spentToken) = (name, spent.map { Secret($0) })
            (self.cause, self.theirs, self.known, self.isKnown, self.yields) = (cause, theirs, known, isKnown, yields)
        }
    }

    static let rows: [Row] = [
        Row("a sign-out elsewhere ends what was refreshed here", .change, theirs: nil, yields: true),
        Row("a new sign-in elsewhere replaces it", .change, theirs: record(session("ada", "2")), yields: true),
        Row("so does another user", .change, theirs: record(session("bob", "2")), yields: true),
        Row(
            "but not what still has the token whose answer came here", .change, spent: "r1",
            theirs: record(ada), yields: false),
        Row(
            "what replaced that token elsewhere does", .change, spent: "r1", theirs: record(session("ada", "2")),
            yields: true),
        Row(
            "a sign-out elsewhere does not undo a sign-in here", .signIn(of: "ada", at: signedIn),
            theirs: nil, yields: false),
        Row(
            "nor does an older sign-in", .signIn(of: "ada", at: signedIn),
            theirs: record(session("bob", "2"), at: -1), yields: false),
        Row(
            "a newer one does", .signIn(of: "ada", at: signedIn),
            theirs: record(session("bob", "2"), at: 1),
            yields: true),
        Row(
            "who signs out ends what another process refreshed", .signOut(of: AuthUser.ID("ada"), at: signedIn),
            theirs: record(session("ada", "2")),
            yields: false),
        Row(
            "but no other user's session", .signOut(of: AuthUser.ID("ada"), at: signedIn),
            theirs: record(session("bob", "2")),
            yields: true),
        Row(
            "of what was never read nothing stays", .signOut(of: AuthUser.ID("ada"), at: signedIn),
            theirs: record(session("bob", "2")), known: nil,
            isKnown: false, yields: false),
        Row(
            "but what was signed in later", .signOut(of: nil, at: signedIn), theirs: record(session("bob", "2"), at: 1),
            known: nil, isKnown: false, yields: true),
        Row(
            "where no user was, a new sign-in stays", .signOut(of: AuthUser.ID("ada"), at: signedIn),
            theirs: record(session("bob", "2")), known: nil,
            yields: true),
        Row(
            "another user's sign-in elsewhere since the one that was never stored stays",
            .signOut(of: AuthUser.ID("ada"), at: signedOut, signedIn: signedIn),
            theirs: record(session("bob", "2"), at: 1), known: record(session("bob", "1"), at: -1), yields: true),
        Row(
            "and none that it took the place of",
            .signOut(of: AuthUser.ID("ada"), at: signedOut, signedIn: signedIn),
            theirs: record(session("bob", "2"), at: -1), known: nil, isKnown: false, yields: false),
        Row(
            "nor the same user's",
            .signOut(of: AuthUser.ID("ada"), at: signedOut, signedIn: signedIn),
            theirs: record(session("ada", "2"), at: 1), yields: false),
        Row(
            "the server's no ends the session it is about", .terminalRejection, theirs: record(ada, at: 5),
            yields: false),
        Row("and no newer sign-in", .terminalRejection, theirs: record(session("ada", "2")), yields: true),
        Row("nor another user's", .terminalRejection, theirs: record(session("bob", "2")), yields: true),
        Row(
            "whom a sign-in took the place of does not come back by going on elsewhere",
            .signIn(of: "ada", at: signedIn), theirs: record(session("ada", "2"), at: -1), yields: false),
        Row(
            "who signs out is not brought back by signing in elsewhere before",
            .signOut(of: AuthUser.ID("bob"), at: signedIn),
            theirs: record(session("bob", "2")), known: nil, yields: false),
        Row(
            "but by signing in elsewhere afterwards", .signOut(of: AuthUser.ID("bob"), at: signedIn),
            theirs: record(session("bob", "2"), at: 1), known: nil, yields: true),
        Row(
            "nor by a session of any user that was being taken over", .signOut(of: nil, at: signedIn),
            theirs: record(session("bob", "2")),
            known: SessionRecord(
                .adoptable(LegacySession(refreshToken: Secret("old"))), isUnanswered: false, savedAt: noon),
            yields: false),
        Row(
            "nor by one that another process took over once more", .signOut(of: nil, at: signedIn),
            theirs: SessionRecord(.established(session("bob", "2")), isUnanswered: false, savedAt: noon), known: nil,
            yields: false),
        Row(
            "a sign-in afterwards stays in its place", .signOut(of: nil, at: signedIn),
            theirs: record(session("bob", "2"), at: 1),
            known: SessionRecord(
                .adoptable(LegacySession(refreshToken: Secret("old"))), isUnanswered: false, savedAt: noon),
            yields: true),
        Row(
            "another user's sign-in at the same moment does not", .signIn(of: "ada", at: signedIn),
            theirs: record(session("bob", "2")), yields: false),
        Row(
            "newer tokens of the sign-in here count", .signIn(of: "ada", at: signedIn),
            theirs: record(session("ada", "2")),
            yields: true),
        Row(
            "a note on what they had before does not", .signIn(of: "ada", at: signedIn),
            theirs: record(ada, at: -1), yields: false),
        Row(
            "newer tokens of the session that ended are no later sign-in, though the clock was set back since",
            .signOut(of: AuthUser.ID("ada"), at: signedIn), theirs: record(session("ada", "2"), at: 1),
            known: record(ada, at: 1), yields: false),
        Row("an empty store agrees with it", .terminalRejection, theirs: nil, yields: false),
    ]

    @Test(arguments: rows) func decides(_ row: Row) throws {
        let known = row.isKnown ? RecordSnapshot(StoredRecord(data: try row.known?.data(), version: .none)) : nil
        let pending = PendingWrite(
            reason: row.cause, storedToken: row.spentToken.map { .consumed($0) } ?? .usable)
        #expect(pending.yields(to: row.theirs, after: known, at: Self.now) == row.yields)
    }

    @Test func signOutOfWhatWasNeverStoredKnowsWhenThatBegan() {
        var storage = StorageStateMachine()
        storage.enqueue(.signIn(of: "ada", at: Self.signedIn))
        storage.enqueue(.signOut(of: AuthUser.ID("ada"), at: Self.signedOut))
        #expect(
            storage.pending?.reason == .signOut(of: AuthUser.ID("ada"), at: Self.signedOut, signedIn: Self.signedIn))
    }

    /// The store was not reached in between, and another process signed a user in: the same, or any where the process does not
    /// know whom it signed out.
    @Test(arguments: [nil, AuthUser.ID("ada")])
    func repeatedSignOutEndsWhatWasSignedInToUntilThen(user: AuthUser.ID?) {
        let again = Timestamp(date: Self.signedOut.date.addingTimeInterval(4), uptime: .seconds(34))
        let between = Self.signedOut.date.addingTimeInterval(2)
        let theirs = SessionRecord(
            .established(Self.session("ada", "2")), isUnanswered: false, signedInAt: between, savedAt: between)
        let now = Timestamp(date: Self.signedOut.date.addingTimeInterval(5), uptime: .seconds(35))
        var storage = StorageStateMachine()
        storage.enqueue(.signOut(of: user, at: Self.signedOut))
        #expect(storage.pending?.yields(to: theirs, after: nil, at: now) == true)
        storage.enqueue(.signOut(of: nil, at: again))
        #expect(storage.pending?.reason == .signOut(of: user, at: again))
        #expect(storage.pending?.yields(to: theirs, after: nil, at: now) == false)
    }

    @Test(arguments: [
        PendingWrite.Reason.signIn(of: "ada", at: signedIn), .signOut(of: nil, at: signedIn), .terminalRejection,
        .change,
    ])
    func whatIsToBeAdoptedCountsLess(than cause: PendingWrite.Reason) {
        let theirs = SessionRecord(
            .adoptable(LegacySession(refreshToken: Secret("old"))), isUnanswered: false,
            savedAt: Self.noon.addingTimeInterval(9))
        let empty = RecordSnapshot(nil)
        #expect(!PendingWrite(reason: cause).yields(to: theirs, after: empty, at: Self.now))
    }

    /// The device's clock is ten minutes slow, and a record of before says that it was written later.
    @Test(arguments: [-590.0, 10]) func signInDoesNotYieldToAnOlderRecordWhereTheClockWasSet(now: TimeInterval) {
        let signIn = PendingWrite(
            reason: .signIn(
                of: "carl", at: Timestamp(date: Self.noon.addingTimeInterval(-600), uptime: .zero)))
        let older = Self.record(Self.session("bob", "2"), at: -30)
        // Either the clock is still slow, or it was set right since.
        let now = Timestamp(date: Self.noon.addingTimeInterval(now), uptime: .seconds(10))
        #expect(!signIn.yields(to: older, after: nil, at: now))
    }

    /// The device's clock was set back after the sign-in. What was saved in what is the future now was there before.
    @Test func signInDoesNotYieldToARecordOfTheFuture() {
        let signIn = PendingWrite(reason: .signIn(of: "carl", at: Timestamp(date: Self.noon, uptime: .zero)))
        let bob = Self.session("bob", "2")
        let signedInAt = Self.noon.addingTimeInterval(-595)
        let now = Timestamp(date: Self.noon.addingTimeInterval(-590), uptime: .seconds(10))
        func record(savedAt: Date) -> SessionRecord {
            SessionRecord(.established(bob), isUnanswered: false, signedInAt: signedInAt, savedAt: savedAt)
        }
        #expect(!signIn.yields(to: record(savedAt: Self.noon.addingTimeInterval(-5)), after: nil, at: now))
        #expect(signIn.yields(to: record(savedAt: signedInAt), after: nil, at: now))
    }
}
