import Foundation
import Testing

@testable import AuthStreams

/// Rule 1a: a change of the account is not lost when another process signs the same person in before the change is stored.
@Suite struct ChangedUserTests {
    private static let now = Timestamp(date: Date(timeIntervalSince1970: 1_800_000_000), uptime: .zero)
    private static let ada = AuthSession.sample(user: "ada")
    private static let storeFailed = AuthError(.storage, "Scripted.")

    /// The session of the same person that another process stored.
    private static func elsewhere(_ user: String = "ada") -> RecordSnapshot {
        let session = AuthSession.sample(user: user, token: "elsewhere")
        return RecordSnapshot(
            SessionRecord(KeptSession(session, as: "later", revision: 4, edition: 2)), version: 9)
    }

    /// The server has changed the present user's name, which is to be stored.
    private func changeArrived(_ machine: inout SessionStateMachine) throws {
        let request = try #require(machine.request())
        var session = try #require(machine.session)
        session.user.displayName = "Ada"
        let isKept = machine.answerArrived(session, to: request, at: Self.now)
        #expect(isKept)
    }

    /// What is pending reads that record.
    private func reads(
        _ found: RecordSnapshot, _ machine: inout SessionStateMachine
    ) throws -> SessionStateMachine.WriteAttempt? {
        machine.storage.beginWriting()
        return try machine.writeBegan(over: .success(found), at: Self.now).get()
    }

    /// - Parameter isStored: Whether the session that was changed was stored. Otherwise its write failed.
    @Test(arguments: [true, false]) func isThatOfALaterSession(isStored: Bool) throws {
        var machine = SessionStateMachine()
        machine.restored(RecordSnapshot(nil, version: 0), at: Self.now, since: .zero)
        let operation = machine.began(.kakao)
        _ = machine.committed(operation, Self.ada, as: "ada", at: Self.now)
        machine.write(failing: isStored ? nil : Self.storeFailed)
        try changeArrived(&machine)
        let yielded = try reads(Self.elsewhere(), &machine)
        #expect(yielded == nil && machine.kept?.id == "later")
        let attempt = try #require(try reads(Self.elsewhere(), &machine))
        machine.writeEnded(attempt, .success(RecordVersion(rawValue: 10)), at: Self.now)
        #expect(attempt.record.session?.stage == KeptSession.Stage(id: "later", revision: 4, edition: 3))
        #expect(machine.user?.displayName == "Ada" && machine.session?.accessToken == Secret("elsewhere-of-ada"))
        #expect(machine.storage.pending == nil)
    }

    /// The store fails while it is written into that session: it is retried there.
    @Test func isRetriedForThatSession() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.ada))
        try changeArrived(&machine)
        _ = try reads(Self.elsewhere(), &machine)
        let attempt = try #require(try reads(Self.elsewhere(), &machine))
        machine.writeEnded(attempt, .failure(Self.storeFailed), at: Self.now)
        #expect(machine.user?.displayName == "Ada")
        let again = try reads(Self.elsewhere(), &machine)
        #expect(again?.record.session?.session?.user.displayName == "Ada")
    }

    @Test func isNotThatOfASessionThatCameAfterIt() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.ada))
        try changeArrived(&machine)
        machine.write(failing: Self.storeFailed)
        let attempt = try reads(Self.elsewhere(), &machine)
        #expect(attempt == nil && machine.storage.pending == nil && machine.user?.displayName != "Ada")
    }

    @Test func isNoOtherUsers() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.ada))
        try changeArrived(&machine)
        let attempt = try reads(Self.elsewhere("bob"), &machine)
        #expect(attempt == nil && machine.storage.pending == nil && machine.user?.id == "bob")
    }

    @Test func isNotThatOfAnotherServersSession() throws {
        var machine = SessionStateMachine()
        machine.restored(KeptSession(Self.ada))
        try changeArrived(&machine)
        let data = try #require(Self.elsewhere().record).data()
        let others = RecordSnapshot(StoredRecord(data: data, version: RecordVersion(rawValue: 9))) { _ in false }
        let attempt = try reads(others, &machine)
        #expect(attempt == nil && machine.storage.pending == nil && machine.user == nil)
    }
}
