import Foundation
import Testing

@testable import AuthStreams

/// Who wins when two processes decided, rule by rule.
@Suite struct PendingWriteTests {
    private static func session(_ user: String, tokens: Int = 1, name: String? = nil) -> AuthSession {
        AuthSession(
            accessToken: Secret("a\(tokens)"), refreshToken: Secret("r\(tokens)"), expiresAt: nil,
            user: AuthUser(id: user, displayName: name), provider: .kakao)
    }

    private static func kept(
        _ user: String, as id: SessionID, revision: Int = 0, renewal: Int = 0, edition: Int = 0, name: String? = nil,
        isSent: Bool = false
    ) -> KeptSession {
        KeptSession(
            session(user, tokens: revision, name: name), as: id, revision: revision, renewal: renewal,
            edition: edition,
            savedAt: Date(timeIntervalSince1970: 0), isSent: isSent)
    }

    private static let old = KeptSession(AdoptableSession(refreshToken: Secret("old")))
    private static var found: KeptSession {
        KeptSession(AdoptableSession(refreshToken: Secret("old")), isFoundAtLaunch: true)
    }

    /// What the store holds.
    enum Found: Sendable {
        case nothing(version: UInt64)
        case record(KeptSession?, ended: [SessionID] = [], count: Int = 0, since: UInt64? = nil)
        /// The session of another server.
        case others(KeptSession)
        case damaged(version: UInt64)
        case newer(KeptSession.Stage?, ended: [SessionID] = [])

        var snapshot: RecordSnapshot {
            switch self {
            case .nothing(let version): return RecordSnapshot(nil, version: version)
            case .record(let session, let ended, let count, let first):
                var history = SessionRecord.History()
                history.end(ended)
                history.endedCount += count
                history.firstVersion = first.map(RecordVersion.init)
                return RecordSnapshot(SessionRecord(session, history), version: 7)
            case .others(let session):
                let data = (try? SessionRecord(session).data()) ?? Data()
                return RecordSnapshot(StoredRecord(data: data, version: RecordVersion(rawValue: 7))) { _ in false }
            case .damaged(let version):
                return RecordSnapshot(StoredRecord(data: Data("{".utf8), version: RecordVersion(rawValue: version)))
            case .newer(let stage, let ended):
                let session =
                    stage.map { #","session":{"id":"\#($0.id.rawValue)","revision":0,"renewal":0,"edition":0}"# } ?? ""
                let record = #"{"version":4\#(session),"ended":\#(ended.map(\.rawValue))}"#
                return RecordSnapshot(StoredRecord(data: Data(record.utf8), version: .init(rawValue: 7)))
            }
        }
    }

    /// What a decision leads to.
    enum Result: Sendable, Equatable {
        case yields
        /// The session that is written, and those that are noted as ended.
        case writes(KeptSession?, ended: [SessionID])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let decision: PendingWrite
        let found: Found
        let adopts: Bool
        let result: Result

        /// - Parameters:
        ///   - adopts: Whether the session of another SDK is looked for.
        ///   - mark: The version of the record with the mark of the request whose answer is to be stored.
        ///   - reading: What the first reading found; `nil` if this is the first.
        init(
            _ name: String, _ kind: PendingWrite.Kind, ending ends: [SessionID] = [], next: KeptSession? = nil,
            isUnread: Bool = false, isUserUnread: Bool = false, adopts: Bool = false, answering mark: UInt64? = nil,
            after reading: Found? = nil, over found: Found,
            _ result: Result
        ) {
            (testDescription, self.found, self.adopts, self.result) = (name, found, adopts, result)
            var decision = PendingWrite(kind, ending: ends, next: next)
            (decision.isUnread, decision.isUserUnread) = (isUnread, isUserUnread)
            decision.answeredMark = mark.map(RecordVersion.init)
            decision.reading = reading.map { PendingWrite.Reading($0.snapshot) }
            self.decision = decision
        }
    }

    private static let bob = kept("bob", as: "b")
    private static let ada = kept("ada", as: "a")

    static let rows: [Row] = [
        // Rule 0.
        Row(
            "0: a sign-in ends what its first reading finds", .signIn, next: bob, over: .record(ada),
            .writes(bob, ended: ["a"])),
        Row(
            "0: and nothing that comes later", .signIn, ending: ["x"], next: bob, after: .record(nil),
            over: .record(ada),
            .yields),
        Row(
            "0: a sign-out ends another session of that user", .signOut(of: "ada"), ending: ["a"],
            over: .record(kept("ada", as: "a2")), .writes(nil, ended: ["a", "a2"])),
        Row(
            "0: not one that came later", .signOut(of: "ada"), ending: ["a"], after: .record(ada),
            over: .record(kept("ada", as: "a2")), .yields),
        Row(
            "0: one that was in the damaged record which was found", .signOut(of: "ada"), ending: ["a"],
            after: .damaged(version: 3), over: .record(kept("ada", as: "a2"), since: 3),
            .writes(nil, ended: ["a", "a2"])),
        Row(
            "0: also for a sign-in", .signIn, ending: ["x"], next: bob, after: .damaged(version: 3),
            over: .record(ada, since: 2), .writes(bob, ended: ["x", "a"])),
        Row(
            "0: one that was signed in over it came later", .signOut(of: "ada"), ending: ["a"],
            after: .damaged(version: 3), over: .record(kept("ada", as: "a2"), since: 4), .yields),
        Row(
            "0: nor one in a store that was emptied and counts anew", .signOut(of: "ada"), ending: ["a"],
            after: .damaged(version: 12), over: .record(kept("ada", as: "a2"), since: 7), .yields),
        Row("0: and no other user's", .signOut(of: "ada"), ending: ["a"], over: .record(bob), .yields),
        Row(
            "0: before any reading it ends what is found", .signOut(of: "ada"), isUnread: true, over: .record(bob),
            .writes(nil, ended: ["b"])),
        Row(
            "0: so does a resumed sign-in in its place", .resumedSignIn(replacing: nil), next: bob, isUnread: true,
            over: .record(ada), .writes(bob, ended: ["a"])),
        Row(
            "0: a resumed sign-in replaces the attempt's user", .resumedSignIn(replacing: "ada"), ending: ["a"],
            next: bob,
            over: .record(kept("ada", as: "a2")), .writes(bob, ended: ["a", "a2"])),
        Row(
            "0: and a session that was ended here, whatever user it replaces", .resumedSignIn(replacing: nil),
            ending: ["a"],
            next: bob, over: .record(ada), .writes(bob, ended: ["a"])),
        Row(
            "0: and no other", .resumedSignIn(replacing: "ada"), ending: ["a"], next: bob,
            over: .record(kept("eve", as: "e")), .yields),
        Row(
            "0: nor one where there was none", .resumedSignIn(replacing: nil), next: bob, over: .record(ada), .yields),
        Row(
            "0: nor an adoptable one", .resumedSignIn(replacing: nil), next: bob, over: .record(found), .yields),
        Row(
            "0: revoked access ends one session", .revocation, ending: ["a"], over: .record(kept("ada", as: "a2")),
            .yields),
        Row(
            "0: another server's user of that name is another user", .signOut(of: "ada"), ending: ["a"],
            over: .others(kept("ada", as: "a2")), .yields),
        Row(
            "0: but before any reading it is what is found", .signOut(of: "ada"), isUnread: true,
            over: .others(kept("ada", as: "a2")), .writes(nil, ended: ["a2"])),
        Row(
            "0: whose session no resumed sign-in replaces", .resumedSignIn(replacing: "ada"), ending: ["a"], next: bob,
            over: .others(kept("ada", as: "a2")), .yields),
        // Rule 1.
        Row(
            "1b: what has ended does not come back", .adoption, next: old, over: .record(nil, ended: [old.id]),
            .yields),
        Row(
            "1b: also a sign-in that may have landed", .signIn, next: bob, after: .record(ada),
            over: .record(nil, ended: ["b"]), .yields),
        Row(
            "1b: nor what may have ended and is forgotten", .signIn, next: bob, after: .record(nil),
            over: .record(nil, count: 17), .yields),
        Row(
            "1b: as many as a record names are not forgotten", .signIn, next: bob, after: .record(nil),
            over: .record(nil, count: 16), .writes(bob, ended: [])),
        // Rule 2.
        Row(
            "2: over no session a sign-in is written", .signIn, next: bob, over: .nothing(version: 0),
            .writes(bob, ended: [])),
        Row("2: new tokens are not", .tokens, next: kept("ada", as: "a", revision: 1), over: .record(nil), .yields),
        Row("2: nor a refusal", .refusal(revision: 0), ending: ["a"], over: .record(nil), .yields),
        Row(
            "2: an adoption is, on request", .adoption, next: KeptSession(AdoptableSession(refreshToken: Secret("x"))),
            over: .record(nil),
            .writes(KeptSession(AdoptableSession(refreshToken: Secret("x"))), ended: [])),
        Row(
            "2: one found at launch only where nothing was ever stored", .adoption, next: found, over: .record(nil),
            .yields),
        Row("2: then it is", .adoption, next: found, over: .nothing(version: 0), .writes(found, ended: [])),
        Row(
            "2: a sign-in that may have landed yields to a removal", .signIn, next: bob, after: .nothing(version: 3),
            over: .nothing(version: 5), .yields),
        Row(
            "2: not to its own, which has the next version", .signIn, next: bob, after: .nothing(version: 3),
            over: .nothing(version: 4), .writes(bob, ended: [])),
        Row(
            "2: nor to one before it", .signIn, next: bob, after: .nothing(version: 3), over: .nothing(version: 3),
            .writes(bob, ended: [])),
        Row(
            "2: so does an adoption", .adoption, next: old, after: .nothing(version: 3), over: .nothing(version: 5),
            .yields),
        Row(
            "2: revoked access is noted after a removal", .revocation, ending: ["a"], after: .record(ada),
            over: .nothing(version: 8), .writes(nil, ended: ["a"])),
        Row(
            "2: where nothing was ever stored, a sign-out is not", .signOut(of: nil), over: .nothing(version: 0),
            .yields),
        Row(
            "2: unless another SDK's session is looked for", .signOut(of: nil), adopts: true,
            over: .nothing(version: 0),
            .writes(nil, ended: [])),
        Row(
            "2: what has ended need not end again", .signOut(of: "ada"), ending: ["a"],
            over: .record(nil, ended: ["a"]), .yields),
        Row(
            "2: what is not known to have ended does", .signOut(of: "ada"), ending: ["a"], over: .record(nil),
            .writes(nil, ended: ["a"])),
        // Rule 3.
        Row(
            "3: a session that the decision ends", .signIn, ending: ["a"], next: bob, after: .record(ada),
            over: .record(kept("ada", as: "a", revision: 3)), .writes(bob, ended: ["a"])),
        Row(
            "3: a refusal ends the tokens that it is about", .refusal(revision: 0), ending: ["a"], over: .record(ada),
            .writes(nil, ended: ["a"])),
        Row(
            "3: and those that they had replaced", .refusal(revision: 1), ending: ["a"], over: .record(ada),
            .writes(nil, ended: ["a"])),
        Row(
            "3: and every access token beside the refresh token", .refusal(revision: 0), ending: ["a"],
            over: .record(kept("ada", as: "a", renewal: 3)), .writes(nil, ended: ["a"])),
        Row(
            "3: and no newer ones", .refusal(revision: 0), ending: ["a"],
            over: .record(kept("ada", as: "a", revision: 1)), .yields),
        Row(
            "3: what was found at a launch is older than a sign-in", .signIn, next: bob, after: .nothing(version: 1),
            over: .record(found), .writes(bob, ended: [found.id])),
        Row(
            "3: and than a sign-out", .signOut(of: nil), after: .nothing(version: 1), over: .record(found),
            .writes(nil, ended: [found.id])),
        Row(
            "3: and than a resumed sign-in that may have landed", .resumedSignIn(replacing: nil), next: bob,
            after: .nothing(version: 1), over: .record(found), .writes(bob, ended: [found.id])),
        // Rule 4.
        Row(
            "4a: a changed user is newer than what the next reading finds", .tokens,
            next: kept("ada", as: "a", edition: 1, name: "Ada"), isUserUnread: true,
            over: .record(kept("ada", as: "a", edition: 1, name: "Eve")),
            .writes(kept("ada", as: "a", edition: 2, name: "Ada"), ended: [])),
        Row(
            "4a: also where the sign-in before it is not stored", .signIn,
            next: kept("ada", as: "a", edition: 1, name: "Ada"), isUserUnread: true, after: .record(nil),
            over: .record(kept("ada", as: "a", edition: 1, name: "Eve")),
            .writes(kept("ada", as: "a", edition: 2, name: "Ada"), ended: [])),
        Row(
            "4b: a tie is the record's", .tokens, next: kept("ada", as: "a", edition: 1, name: "Ada"),
            after: .record(ada),
            over: .record(kept("ada", as: "a", edition: 1, name: "Eve")), .yields),
        Row(
            "4b: tokens of the higher revision, user of the higher edition", .tokens,
            next: kept("ada", as: "a", revision: 2, edition: 0),
            over: .record(kept("ada", as: "a", revision: 1, edition: 1, name: "Ada", isSent: true)),
            .writes(kept("ada", as: "a", revision: 2, edition: 1, name: "Ada"), ended: [])),
        Row(
            "4b: the mark belongs to the tokens", .tokens, next: kept("ada", as: "a", edition: 1, name: "Ada"),
            after: .record(ada),
            over: .record(kept("ada", as: "a", revision: 1, isSent: true)),
            .writes(kept("ada", as: "a", revision: 1, edition: 1, name: "Ada", isSent: true), ended: [])),
        Row(
            "4b: what came for a later refresh token is newer than an access token beside the earlier one", .tokens,
            next: kept("ada", as: "a", revision: 1), over: .record(kept("ada", as: "a", renewal: 3)),
            .writes(kept("ada", as: "a", revision: 1), ended: [])),
        Row(
            "4b: beside the same one, the later access token is", .tokens, next: kept("ada", as: "a", renewal: 2),
            over: .record(kept("ada", as: "a", renewal: 1)), .writes(kept("ada", as: "a", renewal: 2), ended: [])),
        Row(
            "4b: the mark stays beside a later access token", .tokens, next: kept("ada", as: "a", renewal: 1),
            over: .record(kept("ada", as: "a", isSent: true)),
            .writes(kept("ada", as: "a", renewal: 1, isSent: true), ended: [])),
        Row(
            "4b: unless it is that of the request which was answered", .tokens, next: kept("ada", as: "a", renewal: 1),
            answering: 7, over: .record(kept("ada", as: "a", isSent: true)),
            .writes(kept("ada", as: "a", renewal: 1), ended: [])),
        Row(
            "4b: a later one is another process's", .tokens, next: kept("ada", as: "a", renewal: 1), answering: 6,
            over: .record(kept("ada", as: "a", isSent: true)),
            .writes(kept("ada", as: "a", renewal: 1, isSent: true), ended: [])),
        Row("4b: what is there already is settled", .tokens, next: ada, over: .record(ada), .yields),
        // Rule 5.
        Row("5: another session counts", .tokens, next: kept("ada", as: "a", revision: 1), over: .record(bob), .yields),
        // Rule 6.
        Row(
            "6: over a damaged record a sign-in is written", .signIn, next: bob, over: .damaged(version: 3),
            .writes(bob, ended: ["z"])),
        Row(
            "6: new tokens only at the version that was seen whole", .tokens, next: ada, over: .damaged(version: 9),
            .writes(ada, ended: ["z"])),
        Row("6: and at no other", .tokens, next: ada, over: .damaged(version: 8), .yields),
        Row(
            "6: a refusal is noted there", .refusal(revision: 0), ending: ["a"], over: .damaged(version: 9),
            .writes(nil, ended: ["z", "a"])),
        Row("6: and only there, too", .refusal(revision: 0), ending: ["a"], over: .damaged(version: 8), .yields),
        Row(
            "6: a sign-out is noted at any version", .signOut(of: "ada"), ending: ["a"], over: .damaged(version: 8),
            .writes(nil, ended: ["z", "a"])),
        // A newer form.
        Row(
            "a sign-in replaces a session of a newer form", .signIn, next: bob, over: .newer(.init(id: "n")),
            .writes(bob, ended: ["n"])),
        Row(
            "what has ended in one need not end again", .signOut(of: "ada"), ending: ["n"],
            over: .newer(nil, ended: ["n"]), .yields),
        Row(
            "new tokens of it are left to the newer version", .tokens, next: kept("ada", as: "n", revision: 1),
            over: .newer(.init(id: "n")), .yields),
    ]

    @Test(arguments: rows) func decides(_ row: Row) {
        var history = SessionRecord.History()
        history.end(["z"])
        let known = PendingWrite.Knowledge(
            version: RecordVersion(rawValue: 9), history: history, adopts: row.adopts)
        let result: Result =
            switch row.decision.outcome(over: row.found.snapshot, knowing: known) {
            case .yield: .yields
            case .write(let record, let decision):
                .writes(record.session, ended: record.history.ended.filter { $0 != "z" || row.found.isDamaged })
                    .checked(decision.reading != nil)
            }
        #expect(result == row.result)
    }

    /// A decision, what it found, and the first version in the record that it writes.
    private static let firstVersions: [(String, PendingWrite, Found, UInt64?)] = [
        ("a sign-in", .init(.signIn, ending: [], next: bob), .record(ada, since: 2), 8),
        ("an adoption", .init(.adoption, ending: [], next: old), .record(nil), 8),
        (
            "a sign-in that was stored although the write failed",
            .init(.signIn, ending: [], next: kept("bob", as: "b", revision: 1)), .record(bob, since: 4), 4
        ),
        ("new tokens", .init(.tokens, ending: [], next: kept("ada", as: "a", revision: 1)), .record(ada, since: 2), 2),
        ("new tokens over the damaged record", .init(.tokens, ending: [], next: ada), .damaged(version: 9), 6),
        ("a sign-in over it", .init(.signIn, ending: [], next: bob), .damaged(version: 9), 10),
        ("a sign-out", .init(.signOut(of: "ada"), ending: ["a"]), .record(ada, since: 2), nil),
        ("a sign-out over the damaged record", .init(.signOut(of: "ada"), ending: ["a"]), .damaged(version: 9), nil),
    ]

    @Test(arguments: firstVersions)
    func recordSaysWhichVersionHeldItsSessionFirst(_: String, decision: PendingWrite, found: Found, first: UInt64?) {
        var history = SessionRecord.History()
        history.firstVersion = RecordVersion(rawValue: 6)
        let known = PendingWrite.Knowledge(version: RecordVersion(rawValue: 9), history: history, adopts: false)
        guard case .write(let record, _) = decision.outcome(over: found.snapshot, knowing: known) else {
            Issue.record("Nothing is written.")
            return
        }
        #expect(record.session?.id == decision.next?.id && record.history.firstVersion?.rawValue == first)
    }

    /// A record that was removed does not say how many sessions ended before.
    @Test func sessionsThatEndedBeforeAreNotCountedAgain() throws {
        let removed = RecordSnapshot(nil, version: 7)
        var history = SessionRecord.History()
        history.endedCount = 40
        let known = PendingWrite.Knowledge(version: removed.version, history: history, adopts: false)
        let signIn = PendingWrite(.signIn, ending: [], next: Self.bob)
        guard case .write(_, let tried) = signIn.outcome(over: removed, knowing: known) else {
            Issue.record("The sign-in is given up.")
            return
        }
        let later = RecordSnapshot(SessionRecord(nil, history), version: 8)
        guard case .write(let record, _) = tried.outcome(over: later, knowing: known) else {
            Issue.record("The sign-in is given up once it was tried.")
            return
        }
        #expect(record.session == Self.bob)
    }

    /// Rule 9: so that a restart brings no earlier user back. The same user's session is better than none.
    @Test(arguments: [
        (Found.record(kept("ada", as: "a")), true), (.record(kept("bob", as: "b0")), false),
        (.others(kept("bob", as: "b0")), true), (.record(nil), false),
    ])
    func recordIsRemovedWhereASignInCannotBeWritten(found: Found, isRemoved: Bool) throws {
        var machine = SessionStateMachine()
        let now = Timestamp(date: Date(timeIntervalSince1970: 1_800_000_000), uptime: .zero)
        let operation = machine.began(.kakao)
        let isCommitted = machine.committed(operation, Self.session("bob"), as: "b", at: now)
        #expect(isCommitted)
        machine.storage.beginWriting()
        let attempt = try #require(try machine.writeBegan(over: .success(found.snapshot), at: now).get())
        #expect(machine.removedInstead(of: attempt) == (isRemoved ? RecordVersion(rawValue: 7) : nil))
    }

    /// Every new decision also ends what was decided before and is not stored.
    @Test func decisionEndsTheOneBefore() {
        var storage = StorageStateMachine()
        storage.decide(PendingWrite(.signIn, ending: [], next: Self.bob), over: "a")
        storage.decide(PendingWrite(.signIn, ending: [], next: Self.kept("eve", as: "e")), over: "a")
        #expect(storage.pending?.ends == ["a", "b"] && storage.pending?.next?.id == "e")
        storage.decide(PendingWrite(.signOut(of: "eve"), ending: []), over: "e")
        #expect(storage.pending?.ends == ["e", "a", "b"] && storage.pending?.next == nil)
    }

    /// A thousand entries of another writer, with duplicates, an empty one and a long one.
    @Test func historyHasALimit() throws {
        let names = ["", String(repeating: "f", count: 100_000)] + (2..<1000).map { "\($0)" }
        let ids = names.flatMap { [SessionID(rawValue: $0), SessionID(rawValue: $0)] }
        var history = SessionRecord.History()
        history.end(ids)
        #expect(history.ended.count == 16 && history.endedCount == 1000 && history.ended.last == "999")
        let list = ids.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let read = try SessionRecord(reading: Data(#"{"version":3,"endedCount":1000,"ended":[\#(list)]}"#.utf8))
        #expect(read.history == history)
        // The session that it holds has not ended.
        let own = try SessionRecord(KeptSession(Self.session("ada"), as: "a")).data()
        let named = String(decoding: own, as: UTF8.self).replacing(#""ended":[]"#, with: #""ended":["a","b"]"#)
        #expect(try SessionRecord(reading: Data(named.utf8)).history.ended == ["b"])
        // Fewer than it names.
        for count in ["", #","endedCount":2"#] {
            let few = try SessionRecord(reading: Data(#"{"version":3,"ended":["","b","b","c"]\#(count)}"#.utf8))
            #expect(few.history.ended == ["", "b", "c"] && few.history.endedCount == 3)
        }
    }
}

extension PendingWriteTests.Found {
    fileprivate var isDamaged: Bool { if case .damaged = self { true } else { false } }
}

extension PendingWriteTests.Result {
    /// A decision that is written has had its first reading.
    fileprivate func checked(_ hasReading: Bool) -> Self { hasReading ? self : .yields }
}
