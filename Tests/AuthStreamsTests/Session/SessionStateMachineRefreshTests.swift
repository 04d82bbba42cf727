import Foundation
import Testing

@testable import AuthStreams

@Suite struct SessionStateMachineRefreshTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private static func moment(_ seconds: Int) -> Timestamp {
        Timestamp(date: noon.addingTimeInterval(TimeInterval(seconds)), uptime: .seconds(seconds))
    }

    private static func session(
        _ token: String, of user: String = "ada", refresh: String? = "r1", lasting seconds: TimeInterval = 3600,
        from begin: Int = 0
    ) -> AuthSession {
        AuthSession(
            accessToken: Secret(token), refreshToken: refresh.map { Secret($0) },
            expiresAt: noon.addingTimeInterval(TimeInterval(begin) + seconds), user: AuthUser(id: user),
            provider: .kakao)
    }

    /// One thing that happens to the machine. Facts count for the present generation unless they say otherwise.
    enum Fact: Sendable {
        case signIn(AuthSession, at: Int)
        case signOut
        case begin
        case refreshed(AuthSession, at: Int, stored: Bool = true)
        case staleRefreshed(AuthSession)
        case failed(AuthError, at: Int)
        case staleFailed
        case refused(SignOutReason)
        case staleRefused
        case elsewhere(AuthSession?, at: Int)
        case stored
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: [Fact]
        let state: AuthState
        /// What a caller is told at that second.
        let token: (second: Int, answer: String)
        var due: ClosedRange<Int>?

        init(
            _ name: String, _ facts: [Fact], _ state: AuthState, _ token: (Int, String), due: ClosedRange<Int>? = nil
        ) {
            testDescription = name
            self.facts = facts
            self.state = state
            self.token = token
            self.due = due
        }
    }

    private static let ada = AuthUser(id: "ada")
    private static let bob = AuthUser(id: "bob")
    private static let network = AuthError(.network, "Scripted.")
    private static let busy = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(120))
    private static let first = session("a1")
    private static let second = session("a2", refresh: "r2", from: 3400)

    static let rows: [Row] = [
        Row("before the store was read no token is known", [], .restoring(.reading), (0, "unknown")),
        Row(
            "a token is handed out while it is good", [.signIn(first, at: 0)], .signedIn(ada, .verified),
            (3569, "token a1"), due: 1650...3300),
        Row(
            "a token that is about to end is not", [.signIn(first, at: 0)], .signedIn(ada, .verified),
            (3570, "refresh"), due: 1650...3300),
        Row(
            "a refresh brings the next", [.signIn(first, at: 0), .begin, .refreshed(second, at: 3400)],
            .signedIn(ada, .verified), (3600, "token a2"), due: 5050...6700),
        Row(
            "while one is under way no other is due", [.signIn(first, at: 0), .begin], .signedIn(ada, .verified),
            (3600, "refresh")),
        Row(
            "a failure ends nothing, and is tried again soon",
            [.signIn(first, at: 0), .begin, .failed(network, at: 3300)],
            .signedIn(ada, .offline(since: noon.addingTimeInterval(3300))), (3301, "token a1"), due: 3300...3301),
        Row(
            "offline is since the first failure",
            [.signIn(first, at: 0), .begin, .failed(network, at: 3300), .begin, .failed(network, at: 3310)],
            .signedIn(ada, .offline(since: noon.addingTimeInterval(3300))), (3600, "refresh"), due: 3311...3312),
        Row(
            "after a failure a refresh confirms again",
            [.signIn(first, at: 0), .begin, .failed(network, at: 3300), .begin, .refreshed(second, at: 3400)],
            .signedIn(ada, .verified), (3600, "token a2"), due: 5050...6700),
        Row(
            "the server is left alone for as long as it asks",
            [.signIn(first, at: 0), .begin, .failed(busy, at: 3580)],
            .signedIn(ada, .offline(since: noon.addingTimeInterval(3580))), (3600, "rateLimited 100"), due: 3700...4900),
        Row(
            "what was held is asked again afterwards",
            [.signIn(first, at: 0), .begin, .failed(busy, at: 3580)],
            .signedIn(ada, .offline(since: noon.addingTimeInterval(3580))), (3700, "refresh"), due: 3700...4900),
        Row(
            "the server's no ends the session", [.signIn(first, at: 0), .begin, .refused(.revoked)],
            .signedOut(.revoked), (0, "notSignedIn")),
        Row(
            "an answer for an older generation changes nothing",
            [
                .signIn(first, at: 0), .begin, .signOut, .signIn(session("b1", of: "bob"), at: 10),
                .staleRefreshed(second),
            ],
            .signedIn(bob, .verified), (20, "token b1"), due: 1650...3300),
        Row(
            "nor does its failure",
            [.signIn(first, at: 0), .begin, .signOut, .signIn(session("b1", of: "bob"), at: 10), .staleFailed],
            .signedIn(bob, .verified), (20, "token b1"), due: 1650...3300),
        Row(
            "nor its refusal",
            [.signIn(first, at: 0), .begin, .signOut, .signIn(session("b1", of: "bob"), at: 10), .staleRefused],
            .signedIn(bob, .verified), (20, "token b1"), due: 1650...3300),
        Row(
            "new tokens that are not stored are not handed out",
            [.signIn(first, at: 0), .begin, .refreshed(second, at: 3400, stored: false)], .signedIn(ada, .verified),
            (3500, "withheld"), due: nil),
        Row(
            "once they are stored they are",
            [
                .signIn(first, at: 0), .begin, .refreshed(second, at: 3400, stored: false),
                .failed(AuthError(.storage, "Scripted."), at: 3400), .stored,
            ],
            .signedIn(ada, .verified), (3500, "token a2"), due: 5050...6700),
        Row(
            "a refresh token that stays the same need not be stored first",
            [.signIn(first, at: 0), .begin, .refreshed(session("a2", from: 3400), at: 3400, stored: false)],
            .signedIn(ada, .verified), (3500, "token a2"), due: 5050...6700),
        Row(
            "without a refresh token nothing is due, and its end is asked about",
            [.signIn(session("a1", refresh: nil), at: 0)], .signedIn(ada, .verified), (3600, "refresh")),
        Row(
            "another process's refresh counts here", [.signIn(first, at: 0), .elsewhere(second, at: 3400)],
            .signedIn(ada, .verified), (3600, "token a2"), due: 5050...6700),
        Row(
            "another process's sign-out does too", [.signIn(first, at: 0), .elsewhere(nil, at: 10)],
            .signedOut(.elsewhere), (10, "notSignedIn")),
        Row(
            "and its change of user", [.signIn(first, at: 0), .elsewhere(session("b1", of: "bob"), at: 10)],
            .signedIn(bob, .cached), (10, "token b1"), due: 1650...3300),
    ]

    @Test(arguments: rows) func theRefreshFollowsItsRules(row: Row) {
        var machine = SessionStateMachine()
        var refresh: RefreshOperation?
        for fact in row.facts { Self.apply(fact, to: &machine, &refresh) }
        #expect(machine.authState == row.state)
        #expect(Self.text(machine.tokenDecision(.valid, at: .seconds(row.token.second))) == row.token.answer)
        if let due = row.due {
            #expect(machine.refreshDue.map { $0 >= .seconds(due.lowerBound) && $0 <= .seconds(due.upperBound) } == true)
        } else {
            #expect(machine.refreshDue == nil)
        }
    }

    private static func apply(_ fact: Fact, to machine: inout SessionStateMachine) {
        var refresh: RefreshOperation?
        apply(fact, to: &machine, &refresh)
    }

    private static func apply(_ fact: Fact, to machine: inout SessionStateMachine, _ refresh: inout RefreshOperation?) {
        let stale = RefreshRequest(kept: KeptSession(first, as: "ada"), refresh: nil, isRepeat: false)
        switch fact {
        case .signIn(let session, let second):
            let operation = machine.began(.kakao)
            _ = machine.established(session, by: operation, at: moment(second))
        case .signOut: machine.signedOut(for: .user)
        case .begin: refresh = machine.refreshBegan()
        case .refreshed(let session, let second, let isStored):
            guard let refresh, let request = machine.request(for: refresh) else { return }
            guard machine.answerArrived(session, to: request, at: moment(second)) else { return }
            let failure = isStored ? nil : AuthError(.storage, "Scripted.")
            machine.write(at: moment(second), failing: failure)
            if case .success = machine.answerSettled(session, to: request, failure, at: moment(second)) {
                machine.refreshEnded(refresh, .success(session.accessToken), at: moment(second))
            }
        case .staleRefreshed(let session):
            let counts = machine.answerArrived(session, to: stale, at: moment(0))
            #expect(!counts)
        case .failed(let error, let second):
            guard let refresh else { return }
            machine.refreshEnded(refresh, .failure(error), at: moment(second))
        case .staleFailed:
            guard let refresh else { return }
            machine.refreshEnded(refresh, .failure(network), at: moment(30))
        case .refused(let reason):
            guard let refresh, let request = machine.request(for: refresh) else { return }
            let counts = machine.refreshRejected(request, reason, because: network, at: .zero)
            #expect(counts)
        case .staleRefused:
            let counts = machine.refreshRejected(stale, .revoked, because: network, at: .zero)
            #expect(!counts)
        case .elsewhere(let session, let second):
            let kept = session.map { KeptSession($0, revision: 1, savedAt: moment(second).date) }
            machine.observed(kept, ending: kept == nil ? ["ada"] : [], at: moment(second))
        case .stored: machine.write()
        }
    }

    private static func text(_ decision: TokenDecision?) -> String {
        switch decision {
        case .token(let token)?: "token \(token.reveal())"
        case .join?, .start?, nil: "refresh"
        case .persistFirst?: "withheld"
        case .waitUntilKnown?: "unknown"
        case .fail(let error)?:
            "\(error.code.rawValue)\(error.retryAfter.map { " \(Int($0 / .seconds(1)))" } ?? "")"
        }
    }

    @Test func aTokenThatWasRefusedIsReplacedOnlyWhileItIsThePresentOne() {
        var machine = SessionStateMachine()
        let forced = machine.demandOfNewToken
        Self.apply(.signIn(Self.first, at: 0), to: &machine)
        #expect(Self.text(machine.tokenDecision(forced, at: .seconds(1))) == "refresh", "No token was known.")
        #expect(Self.text(machine.tokenDecision(.replacing(Secret("a1")), at: .seconds(1))) == "refresh")
        #expect(Self.text(machine.tokenDecision(.replacing(Secret("a0")), at: .seconds(1))) == "token a1")
        #expect(Self.text(machine.tokenDecision(machine.demandOfNewToken, at: .seconds(1))) == "refresh")
    }

    @Test func theOnlyTokenIsNotReplaced() {
        var machine = SessionStateMachine()
        Self.apply(.signIn(Self.session("a1", refresh: nil), at: 0), to: &machine)
        #expect(Self.text(machine.tokenDecision(machine.demandOfNewToken, at: .seconds(1))) == "sessionExpired")
        #expect(Self.text(machine.tokenDecision(.replacing(Secret("a1")), at: .seconds(1))) == "sessionExpired")
    }

    /// A server that answers with a token that it caches is asked again later, and not at once.
    @Test func aRefreshThatBringsTheSameTokenIsNotDueAtOnce() {
        var machine = SessionStateMachine()
        var refresh: RefreshOperation?
        for fact in [Fact.signIn(Self.first, at: 0), .begin, .refreshed(Self.first, at: 3400)] {
            Self.apply(fact, to: &machine, &refresh)
        }
        #expect(machine.refreshDue == .seconds(3400 + (3570 - 3400) / 2))
    }

    @Test func aSignInUnderWaySurvivesASignOutElsewhere() {
        var machine = SessionStateMachine()
        Self.apply(.signIn(Self.first, at: 0), to: &machine)
        let operation = machine.began(.naver)
        Self.apply(.elsewhere(nil, at: 10), to: &machine)
        #expect(machine.authState == .signingIn(.naver, .presenting))
        #expect(machine.operations.signIn?.operation === operation)
    }
}

extension SessionStateMachineRefreshTests {
    @Test func markOfAnotherProcessEndsNoWait() throws {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        func moment(_ second: Int) -> Timestamp {
            Timestamp(date: noon.addingTimeInterval(TimeInterval(second)), uptime: .seconds(second))
        }
        let session = AuthSession(
            accessToken: Secret("a1"), refreshToken: Secret("r1"), expiresAt: noon.addingTimeInterval(60),
            user: AuthUser(id: "ada"), provider: .kakao)
        var machine = SessionStateMachine()
        let operation = machine.began(.kakao)
        _ = machine.established(session, by: operation, at: moment(0))
        let begun = machine.refreshBegan()
        let refresh = try #require(begun)
        let failure = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(100))
        machine.refreshEnded(refresh, .failure(failure), at: moment(60))
        machine.observed(KeptSession(session, savedAt: moment(61).date, isSent: true), at: moment(61))
        #expect(machine.kept?.isSent == true)
        #expect(machine.authState == .signedIn(session.user, .offline(since: moment(60).date)))
        #expect(machine.refreshDue.map { (160...1360).contains($0 / .seconds(1)) } == true)
        guard case .fail(let error)? = machine.tokenDecision(.valid, at: .seconds(62)) else {
            Issue.record("The server asked to be left alone.")
            return
        }
        #expect(error.code == .rateLimited)
    }

    /// The mark is of the tokens that another process stored, which it is about to send.
    @Test func lateAnswerKeepsTheMarkOfNewerTokens() throws {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        let moment = Timestamp(date: noon, uptime: .zero)
        func session(_ number: Int) -> AuthSession {
            AuthSession(
                accessToken: Secret("a\(number)"), refreshToken: Secret("r\(number)"), expiresAt: nil,
                user: AuthUser(id: "ada"), provider: .kakao)
        }
        var machine = SessionStateMachine()
        let operation = machine.began(.kakao)
        _ = machine.established(session(1), by: operation, at: moment)
        let begun = machine.refreshBegan()
        let refresh = try #require(begun)
        let request = try #require(machine.request(for: refresh))
        let theirs = KeptSession(session(2), revision: 1, savedAt: noon, isSent: true)
        machine.observed(theirs, at: moment)
        let counts = machine.answerArrived(session(9), to: request, at: moment)
        #expect(!counts)
        #expect(machine.kept == theirs)
    }

    /// A process that had lost the lock changed the account meanwhile, and got an access token alone. The refresh token beside it
    /// has been sent, so that its successor counts.
    @Test func answerCountsWhereAnotherProcessReplacedTheAccessTokenAlone() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.session("a1")))
        let begun = machine.refreshBegan()
        let refresh = try #require(begun)
        let request = try #require(machine.request(for: refresh))
        machine.observed(KeptSession(Self.session("a2"), renewal: 1, edition: 1), at: Self.moment(1))
        let counts = machine.answerArrived(Self.session("a3", refresh: "r2"), to: request, at: Self.moment(2))
        #expect(counts)
        machine.write(at: Self.moment(2))
        #expect(machine.kept?.refreshToken == Secret("r2"))
        #expect(machine.kept?.stage == KeptSession.Stage(id: "ada", revision: 1, edition: 1))
    }

    /// The server may have answered before the other process changed the user.
    @Test func answerKeepsAUserThatAnotherProcessChangedMeanwhile() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.session("a1")))
        let begun = machine.refreshBegan()
        let refresh = try #require(begun)
        let request = try #require(machine.request(for: refresh))
        var changed = Self.session("a2")
        changed.user.displayName = "Ada"
        machine.observed(KeptSession(changed, renewal: 1, edition: 1), at: Self.moment(1))
        let counts = machine.answerArrived(Self.session("a3", refresh: "r2"), to: request, at: Self.moment(2))
        #expect(counts)
        machine.write(at: Self.moment(2))
        #expect(machine.kept?.user?.displayName == "Ada")
        #expect(machine.kept?.refreshToken == Secret("r2"))
    }

    /// The same, where the answer is read first and the record before it is written.
    @Test func answerIsStoredOverAnAccessTokenThatAnotherProcessGotAlone() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.session("a1")))
        let begun = machine.refreshBegan()
        let refresh = try #require(begun)
        let request = try #require(machine.request(for: refresh))
        let counts = machine.answerArrived(Self.session("a3", refresh: "r2"), to: request, at: Self.moment(1))
        #expect(counts)
        let theirs = KeptSession(Self.session("a2"), renewal: 1, edition: 1)
        machine.storage.beginWriting()
        let found = RecordSnapshot(SessionRecord(theirs), version: 2)
        let attempt = try machine.writeBegan(over: .success(found), at: Self.moment(1)).get()
        #expect(attempt?.record.session?.refreshToken == Secret("r2"))
        #expect(attempt?.record.session?.stage == KeptSession.Stage(id: "ada", revision: 1, edition: 1))
    }

    /// The same, where this process changed the account, too: another refresh token counts, and an access token alone does not.
    @Test(arguments: ["r1", "r2"]) func changeCountsWhereItBringsAnotherRefreshToken(refresh: String) throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.session("a1")))
        let request = try #require(machine.request())
        machine.observed(KeptSession(Self.session("a2"), renewal: 1, edition: 1), at: Self.moment(1))
        let counts = machine.answerArrived(Self.session("a3", refresh: refresh), to: request, at: Self.moment(2))
        #expect(counts)
        machine.write(at: Self.moment(2))
        let isRotated = refresh == "r2"
        #expect(machine.session?.accessToken == Secret(isRotated ? "a3" : "a2"))
        #expect(
            machine.kept?.stage
                == .init(id: "ada", revision: isRotated ? 1 : 0, renewal: isRotated ? 0 : 1, edition: 2))
    }

    /// The same, where the server refuses the refresh token: no process can use it any more.
    @Test(arguments: [true, false]) func refusalCountsWhereAnotherProcessReplacedTheAccessTokenAlone(isAlone: Bool)
        throws
    {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.session("a1")))
        let begun = machine.refreshBegan()
        let refresh = try #require(begun)
        let request = try #require(machine.request(for: refresh))
        let theirs = isAlone ? Self.session("a2") : Self.session("a2", refresh: "r2")
        let revision = isAlone ? 0 : 1
        machine.observed(KeptSession(theirs, revision: revision, renewal: 1, edition: 1), at: Self.moment(1))
        let error = AuthError(.sessionExpired, "Refused.")
        let ends = machine.refreshRejected(request, .expired, because: error, at: .seconds(2))
        #expect(ends == isAlone)
        #expect((machine.kept == nil) == isAlone)
    }

    /// The write of a sign-in failed, and landed all the same. The refresh token that the store holds is consumed by then.
    @Test(arguments: [true, false]) func newTokensAreWithheldWhereTheFailedWriteOfTheOldOnesHasLanded(
        hasLanded: Bool
    ) throws {
        let failure = Result<RecordVersion, AuthError>.failure(AuthError(.storage, "Scripted."))
        var machine = SessionStateMachine()
        machine.restored(nil)
        let operation = machine.began(.kakao)
        _ = machine.committed(operation, Self.session("a1"), as: "a", at: Self.moment(0))
        let empty = RecordSnapshot(nil, as: StoredRecord(data: nil, version: .none))
        let begun = try machine.writeBegan(over: .success(empty), at: Self.moment(0)).get()
        let signIn = try #require(begun)
        machine.writeEnded(signIn, failure, at: Self.moment(0))
        let refreshBegun = machine.refreshBegan(at: .seconds(1))
        let refresh = try #require(refreshBegun)
        let request = try #require(machine.request(for: refresh))
        let isKept = machine.answerArrived(Self.session("a2", refresh: "r2"), to: request, at: Self.moment(2))
        #expect(isKept)
        machine.storage.beginWriting()
        let landed = RecordSnapshot(
            signIn.record, as: StoredRecord(data: Data("landed".utf8), version: RecordVersion.none.next))
        let begunAgain = try machine.writeBegan(over: .success(hasLanded ? landed : empty), at: Self.moment(2)).get()
        machine.writeEnded(try #require(begunAgain), failure, at: Self.moment(2))
        #expect(machine.kept?.refreshToken == Secret("r2"))
        #expect(machine.storage.withholdsToken == hasLanded)
    }

    /// A caller that waited while the user changed.
    @Test(arguments: [TokenDemand.valid, .replacing(Secret("a1"))])
    func tokenOfTheNextUserIsNotForTheCallersOfTheOneBefore(demand: TokenDemand) {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.session("a1")))
        let operation = machine.began(.kakao)
        _ = machine.established(Self.session("b1", of: "bob"), by: operation, at: Self.moment(1))
        #expect(Self.text(machine.tokenDecision(demand, of: "ada", at: .seconds(1))) == "superseded")
        #expect(Self.text(machine.tokenDecision(demand, of: "bob", at: .seconds(1))) == "token b1")
        #expect(Self.text(machine.tokenDecision(demand, at: .seconds(1))) == "token b1")
    }

    /// Another process may have refreshed, or the same user signed in there. The session takes that over and continues.
    @Test(arguments: ["ada", "later"] as [SessionID])
    func newTokensOfTheSameUserAreTakenOverDuringARefresh(id: SessionID) throws {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        func session(_ number: Int) -> AuthSession {
            AuthSession(
                accessToken: Secret("a\(number)"), refreshToken: Secret("r\(number)"), expiresAt: nil,
                user: AuthUser(id: "ada"), provider: .kakao)
        }
        var machine = SessionStateMachine()
        let operation = machine.began(.kakao)
        _ = machine.established(session(1), by: operation, at: Timestamp(date: noon, uptime: .zero))
        let refresh = machine.refreshBegan()
        let theirs = KeptSession(session(2), as: id, revision: 1, savedAt: noon)
        machine.observed(theirs, at: Timestamp(date: noon.addingTimeInterval(9), uptime: .seconds(9)))
        #expect(machine.active?.refresh.operation === refresh)
        #expect(machine.kept == theirs)
    }

    /// Otherwise what another process gets for the stored refresh token meanwhile would be as new as it.
    @Test func accessTokenOfAChangeThatCannotBeStoredKeepsTheLock() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.session("a1")))
        let request = try #require(machine.request())
        let isWanted = machine.answerArrived(Self.session("a2"), to: request, at: Self.moment(1))
        #expect(isWanted)
        machine.write(at: Self.moment(1), failing: AuthError(.storage, "Scripted."))
        #expect(machine.currentToken?.token == Secret("a2"))
        let isRetained = machine.storage.retain(SessionStoreLock {})
        #expect(isRetained)
        machine.write(at: Self.moment(2))
        #expect(!machine.storage.retainsLock)
    }
}
