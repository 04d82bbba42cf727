import Foundation
import Testing

@testable import AuthStreams

/// What a decision ends that is made before it is known what the store holds, and what one ends that takes its place.
@Suite struct FirstReadingTests {
    private static let eve = AuthSession.sample(user: "eve")
    private static let bob = AuthSession.sample(user: "bob")
    private static let now = Timestamp(date: Date(timeIntervalSince1970: 1_800_000_000), uptime: .zero)
    private static let storeFailed = AuthError(.storage, "Scripted.")
    private static let nothing = RecordSnapshot(nil, version: 0)
    /// What another process wrote.
    private static let bobs = RecordSnapshot(SessionRecord(bob), version: 1)
    private static let adoptable = AdoptableSession(refreshToken: Secret("left"))

    /// What is pending is written over that record.
    private func write(
        over found: RecordSnapshot, _ machine: inout SessionStateMachine
    ) throws -> SessionStateMachine.WriteAttempt? {
        machine.storage.beginWriting()
        return try machine.writeBegan(over: .success(found), at: Self.now).get()
    }

    /// The store was read before the app was asked, so the process knows what its sign-out ends.
    @Test func signOutWhileAnAdoptionIsStoredEndsNoLaterSession() throws {
        var machine = SessionStateMachine(adopts: true)
        let isDecided = machine.adoptionDecided(Self.adoptable, after: Self.nothing)
        #expect(isDecided)
        _ = machine.signOut()
        let attempt = try write(over: Self.bobs, &machine)
        #expect(attempt == nil && machine.session == Self.bob && machine.storage.pending == nil)
    }

    /// Another process was first, and what it stored could not be read: it is not known who is signed in.
    @Test func signOutAfterAnAdoptionWasGivenUpEndsWhatIsFound() throws {
        var machine = SessionStateMachine(adopts: true)
        _ = machine.adoptionDecided(Self.adoptable, after: Self.nothing)
        let adoption = try write(over: Self.bobs, &machine)
        #expect(adoption == nil && machine.isUnread && machine.storage.pending == nil)
        _ = machine.signOut()
        let attempt = try write(over: Self.bobs, &machine)
        #expect(attempt?.record.history.ended == ["bob"] && attempt?.record.session == nil)
    }

    /// The first reading of the sign-in was the one before its write, which failed.
    @Test func signOutOverASignInThatWasReadEndsNoLaterSession() throws {
        var machine = SessionStateMachine()
        let operation = machine.began(.kakao)
        let isCommitted = machine.committed(operation, Self.eve, as: "eve", at: Self.now)
        #expect(isCommitted)
        let signIn = try #require(try write(over: Self.nothing, &machine))
        machine.writeEnded(signIn, .failure(Self.storeFailed), at: Self.now)
        #expect(machine.session == Self.eve)
        _ = machine.signOut()
        let attempt = try write(over: Self.bobs, &machine)
        #expect(attempt == nil && machine.session == Self.bob)
    }

    /// The other process signed in after that write.
    @Test func signOutDuringTheWriteOfASignInEndsNoLaterSession() throws {
        var machine = SessionStateMachine()
        let operation = machine.began(.kakao)
        _ = machine.committed(operation, Self.eve, as: "eve", at: Self.now)
        let signIn = try #require(try write(over: Self.nothing, &machine))
        _ = machine.signOut()
        machine.writeEnded(signIn, .success(RecordVersion(rawValue: 1)), at: Self.now)
        let attempt = try write(over: RecordSnapshot(SessionRecord(Self.bob), version: 2), &machine)
        #expect(attempt == nil && machine.session == Self.bob)
    }

    /// It was not read at all, so what is found is what the sign-in was to replace.
    @Test(arguments: [false, true]) func endOfASignInThatWasNotReadEndsWhatIsFound(isRevoked: Bool) throws {
        var machine = SessionStateMachine()
        let operation = machine.began(.kakao)
        var eve = Self.eve
        eve.user.providers = [.init(id: .kakao, userID: "1")]
        _ = machine.committed(operation, eve, as: "eve", at: Self.now)
        machine.nothingWritten(Self.storeFailed, at: Self.now)
        #expect(machine.session == eve)
        if isRevoked {
            let identity = try #require(machine.providerIdentity)
            let ended = machine.accessRevoked(by: identity)
            #expect(ended == eve)
        } else {
            _ = machine.signOut()
        }
        let attempt = try write(over: Self.bobs, &machine)
        #expect(attempt?.record.history.ended == ["eve", "bob"] && attempt?.record.session == nil)
    }

    /// A record that is damaged was read. Another process may write it again, and sign a user in.
    @Test func resumedSignInReplacesNoSessionOfALaterRecord() throws {
        var machine = SessionStateMachine()
        let damage = RecordSnapshot(StoredRecord(data: Data("{".utf8), version: .none))
        machine.restored(damage, at: Self.now, since: .zero)
        let resumed = machine.signInResumed(with: .google, replacing: nil, at: .presenting, .zero)
        let isCommitted = machine.committed(try #require(resumed), Self.eve, as: "eve", at: Self.now)
        #expect(isCommitted)
        let attempt = try write(over: Self.bobs, &machine)
        #expect(attempt == nil && machine.session == Self.bob)
    }

    @Test func failedReadingSaysNothingOfALaterDecision() {
        var machine = SessionStateMachine()
        _ = machine.signOut()
        machine.storage.beginWriting()
        _ = machine.signOut()
        machine.nothingWritten(Self.storeFailed, at: Self.now)
        #expect(machine.storage.isQueued && machine.storage.retryAt == nil)
    }
}
