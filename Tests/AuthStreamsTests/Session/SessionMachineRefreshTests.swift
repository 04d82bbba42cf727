import Foundation
import Testing

@testable import AuthStreams

@Suite struct SessionMachineRefreshTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private static func moment(_ seconds: Int) -> Moment {
        Moment(date: noon.addingTimeInterval(TimeInterval(seconds)), uptime: .seconds(seconds))
    }

    private static func session(
        _ token: String, of user: String = "ada", refresh: String? = "r1", lasting seconds: TimeInterval = 3600,
        from begin: Int = 0
    ) -> Session {
        Session(
            accessToken: Secret(token), refreshToken: refresh.map { Secret($0) },
            expiresAt: noon.addingTimeInterval(TimeInterval(begin) + seconds), user: AuthUser(id: user),
            provider: .kakao)
    }

    /// One thing that happens to the machine. Facts count for the present generation unless they say otherwise.
    enum Fact: Sendable {
        case signIn(Session, at: Int)
        case signOut
        case begin
        case refreshed(Session, at: Int, stored: Bool = true)
        case staleRefreshed(Session)
        case failed(AuthError, at: Int)
        case staleFailed
        case refused(SignOutReason)
        case staleRefused
        case elsewhere(Session?, at: Int)
        case stored
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: [Fact]
        let state: AuthState
        /// What somebody is told at that second.
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
        Row("nobody has no token", [], .restoring(.reading), (0, "nobody")),
        Row(
            "a token is handed out while it is good", [.signIn(first, at: 0)], .signedIn(ada, .verified),
            (3569, "token a1"), due: 3300...3300),
        Row(
            "a token that is about to end is not", [.signIn(first, at: 0)], .signedIn(ada, .verified),
            (3570, "refresh"), due: 3300...3300),
        Row(
            "a refresh brings the next", [.signIn(first, at: 0), .begin, .refreshed(second, at: 3400)],
            .signedIn(ada, .verified), (3600, "token a2"), due: 6700...6700),
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
            .signedIn(ada, .verified), (3600, "token a2"), due: 6700...6700),
        Row(
            "the server is left alone for as long as it asks",
            [.signIn(first, at: 0), .begin, .failed(busy, at: 3580)],
            .signedIn(ada, .offline(since: noon.addingTimeInterval(3580))), (3600, "held 100"), due: 3700...3700),
        Row(
            "what was held is asked again afterwards",
            [.signIn(first, at: 0), .begin, .failed(busy, at: 3580)],
            .signedIn(ada, .offline(since: noon.addingTimeInterval(3580))), (3700, "refresh"), due: 3700...3700),
        Row(
            "the server's no ends the session", [.signIn(first, at: 0), .begin, .refused(.revoked)],
            .signedOut(.revoked), (0, "nobody")),
        Row(
            "an answer for an older generation changes nothing",
            [
                .signIn(first, at: 0), .begin, .signOut, .signIn(session("b1", of: "bob"), at: 10),
                .staleRefreshed(second),
            ],
            .signedIn(bob, .verified), (20, "token b1"), due: 3300...3300),
        Row(
            "nor does its failure",
            [.signIn(first, at: 0), .begin, .signOut, .signIn(session("b1", of: "bob"), at: 10), .staleFailed],
            .signedIn(bob, .verified), (20, "token b1"), due: 3300...3300),
        Row(
            "nor its refusal",
            [.signIn(first, at: 0), .begin, .signOut, .signIn(session("b1", of: "bob"), at: 10), .staleRefused],
            .signedIn(bob, .verified), (20, "token b1"), due: 3300...3300),
        Row(
            "new tokens that are not stored are not handed out",
            [.signIn(first, at: 0), .begin, .refreshed(second, at: 3400, stored: false)], .signedIn(ada, .verified),
            (3500, "unstored"), due: nil),
        Row(
            "once they are stored they are",
            [
                .signIn(first, at: 0), .begin, .refreshed(second, at: 3400, stored: false),
                .failed(AuthError(.storage, "Scripted."), at: 3400), .stored,
            ],
            .signedIn(ada, .verified), (3500, "token a2"), due: 6700...6700),
        Row(
            "a refresh token that stays the same need not be stored first",
            [.signIn(first, at: 0), .begin, .refreshed(session("a2", from: 3400), at: 3400, stored: false)],
            .signedIn(ada, .verified), (3500, "token a2"), due: 6700...6700),
        Row(
            "without a refresh token nothing is due, and its end is asked about",
            [.signIn(session("a1", refresh: nil), at: 0)], .signedIn(ada, .verified), (3600, "refresh")),
        Row(
            "another process's refresh counts here", [.signIn(first, at: 0), .elsewhere(second, at: 3400)],
            .signedIn(ada, .verified), (3600, "token a2"), due: 6700...6700),
        Row(
            "another process's sign-out does too", [.signIn(first, at: 0), .elsewhere(nil, at: 10)],
            .signedOut(.elsewhere), (10, "nobody")),
        Row(
            "and its change of user", [.signIn(first, at: 0), .elsewhere(session("b1", of: "bob"), at: 10)],
            .signedIn(bob, .cached), (10, "token b1"), due: 3300...3300),
    ]

    @Test(arguments: rows) func theRefreshFollowsItsRules(row: Row) {
        var machine = SessionMachine()
        for fact in row.facts { Self.apply(fact, to: &machine) }
        #expect(machine.state == row.state)
        #expect(Self.text(machine.token(at: .seconds(row.token.second), for: .good)) == row.token.answer)
        if let due = row.due {
            #expect(machine.refreshDue.map { $0 >= .seconds(due.lowerBound) && $0 <= .seconds(due.upperBound) } == true)
        } else {
            #expect(machine.refreshDue == nil)
        }
    }

    private static func apply(_ fact: Fact, to machine: inout SessionMachine) {
        let (now, past) = (machine.generation, machine.generation - min(machine.generation, 2))
        switch fact {
        case .signIn(let session, let second):
            let attempt = machine.attemptBegan(with: .kakao, at: .presenting)
            _ = machine.attemptCommits(id: attempt.id)
            _ = machine.sessionEstablished(session, at: moment(second), by: attempt.id)
        case .signOut: _ = machine.signedOut(.user)
        case .begin: machine.refreshBegan()
        case .refreshed(let session, let second, let isStored):
            _ = machine.refreshed(session, at: moment(second), isStored: isStored, in: now)
        case .staleRefreshed(let session):
            let counts = machine.refreshed(session, at: moment(30), isStored: true, in: past)
            #expect(!counts)
        case .failed(let error, let second): _ = machine.refreshFailed(error, at: moment(second), in: now)
        case .staleFailed:
            let delay = machine.refreshFailed(network, at: moment(30), in: past)
            #expect(delay == nil)
        case .refused(let reason):
            let counts = machine.refreshRefused(reason, in: now)
            #expect(counts)
        case .staleRefused:
            let counts = machine.refreshRefused(.revoked, in: past)
            #expect(!counts)
        case .elsewhere(let session, let second):
            let record = session.map {
                SessionRecord(.established($0), isUnanswered: false, savedAt: moment(second).date)
            }
            machine.changedElsewhere(record, at: moment(second))
        case .stored: machine.wasStored()
        }
    }

    private static func text(_ answer: SessionMachine.TokenAnswer) -> String {
        switch answer {
        case .token(let token): "token \(token.reveal())"
        case .refresh: "refresh"
        case .nobody: "nobody"
        case .adopting: "adopting"
        case .unstored: "unstored"
        case .held(let rest): "held \(Int(rest / .seconds(1)))"
        case .onlyOne: "onlyOne"
        }
    }

    @Test func aTokenThatWasRefusedIsReplacedOnlyWhileItIsThePresentOne() {
        var machine = SessionMachine()
        Self.apply(.signIn(Self.first, at: 0), to: &machine)
        #expect(Self.text(machine.token(at: .seconds(1), for: .replacing(Secret("a1")))) == "refresh")
        #expect(Self.text(machine.token(at: .seconds(1), for: .replacing(Secret("a0")))) == "token a1")
        #expect(Self.text(machine.token(at: .seconds(1), for: .new)) == "refresh")
    }

    @Test func theOnlyTokenIsNotReplaced() {
        var machine = SessionMachine()
        Self.apply(.signIn(Self.session("a1", refresh: nil), at: 0), to: &machine)
        #expect(Self.text(machine.token(at: .seconds(1), for: .new)) == "onlyOne")
        #expect(Self.text(machine.token(at: .seconds(1), for: .replacing(Secret("a1")))) == "onlyOne")
    }

    @Test func theJournalIsOfOneGeneration() {
        var machine = SessionMachine()
        Self.apply(.signIn(Self.first, at: 0), to: &machine)
        machine.answerIs(true, in: machine.generation)
        #expect(machine.record(at: Self.noon)?.isUnanswered == true)
        Self.apply(.signIn(Self.session("b1", of: "bob"), at: 10), to: &machine)
        #expect(machine.record(at: Self.noon)?.isUnanswered == false)
        machine.answerIs(true, in: machine.generation - 1)
        #expect(machine.record(at: Self.noon)?.isUnanswered == false)
    }

    @Test func aSignInUnderWaySurvivesASignOutElsewhere() {
        var machine = SessionMachine()
        Self.apply(.signIn(Self.first, at: 0), to: &machine)
        let attempt = machine.attemptBegan(with: .naver, at: .presenting)
        Self.apply(.elsewhere(nil, at: 10), to: &machine)
        #expect(machine.state == .signingIn(.naver, .presenting))
        #expect(machine.attempt?.id == attempt.id)
    }
}

extension SessionMachineRefreshTests {
    @Test func theNoteOfAnotherProcessEndsNobodysWaiting() {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        func moment(_ second: Int) -> Moment {
            Moment(date: noon.addingTimeInterval(TimeInterval(second)), uptime: .seconds(second))
        }
        let session = Session(
            accessToken: Secret("a1"), refreshToken: Secret("r1"), expiresAt: noon.addingTimeInterval(60),
            user: AuthUser(id: "ada"), provider: .kakao)
        var machine = SessionMachine()
        let attempt = machine.attemptBegan(with: .kakao, at: .presenting)
        _ = machine.attemptCommits(id: attempt.id)
        _ = machine.sessionEstablished(session, at: moment(0), by: attempt.id)
        machine.refreshBegan()
        let failure = AuthError(.rateLimited, "Scripted.", retryAfter: .seconds(100))
        _ = machine.refreshFailed(failure, at: moment(60), in: machine.generation)
        let note = SessionRecord(.established(session), isUnanswered: true, savedAt: moment(61).date)
        machine.changedElsewhere(note, at: moment(61))
        #expect(machine.isUnanswered)
        #expect(machine.state == .signedIn(session.user, .offline(since: moment(60).date)))
        #expect(machine.refreshDue == .seconds(160))
        guard case .held = machine.token(at: .seconds(62), for: .good) else {
            Issue.record("The server asked to be left alone.")
            return
        }
    }

    /// Another process may have refreshed, or the same user signed in there. The session takes that over and goes on.
    @Test(arguments: [0, 5]) func newTokensOfTheSameUserAreTakenOverDuringARefresh(signedInAt second: Int) throws {
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        func session(_ number: Int) -> Session {
            Session(
                accessToken: Secret("a\(number)"), refreshToken: Secret("r\(number)"), expiresAt: nil,
                user: AuthUser(id: "ada"), provider: .kakao)
        }
        var machine = SessionMachine()
        let attempt = machine.attemptBegan(with: .kakao, at: .presenting)
        _ = machine.attemptCommits(id: attempt.id)
        _ = machine.sessionEstablished(session(1), at: Moment(date: noon, uptime: .zero), by: attempt.id)
        machine.refreshBegan()
        let generation = machine.generation
        let theirs = SessionRecord(
            .established(session(2)), isUnanswered: false, signedInAt: noon.addingTimeInterval(TimeInterval(second)),
            savedAt: noon)
        machine.changedElsewhere(theirs, at: Moment(date: noon.addingTimeInterval(9), uptime: .seconds(9)))
        #expect(machine.generation == generation)
        #expect(machine.session == session(2))
        #expect(machine.record(at: noon) == theirs)
    }
}
