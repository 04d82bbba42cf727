import AuthStreamsTesting
import Foundation
import Testing

@testable import AuthStreams

/// When the sign-in of an earlier process may begin, and when its session may be written.
@Suite struct ResumedSignInTests {
    private func machine(signedInAs user: AuthUser.ID?) -> SessionStateMachine {
        var machine = SessionStateMachine()
        machine.restored(user.map { KeptSession(.sample(user: $0)) })
        return machine
    }

    private func resume(_ machine: inout SessionStateMachine, replacing user: AuthUser.ID?) -> SignInOperation? {
        machine.signInResumed(with: .google, replacing: user, at: .presenting, .zero)
    }

    @Test(arguments: [nil, "ada", "tom"] as [AuthUser.ID?], [nil, "ada", "tom"] as [AuthUser.ID?])
    func userMustBeTheOneOfTheBeginning(present: AuthUser.ID?, atBeginning: AuthUser.ID?) {
        var machine = machine(signedInAs: present)
        #expect((resume(&machine, replacing: atBeginning) != nil) == (present == atBeginning))
    }

    @Test func nothingIsResumedBeforeTheStoreWasRead() {
        var unread = SessionStateMachine()
        #expect(resume(&unread, replacing: nil) == nil)
        unread.restoreFailed(
            AuthError(.storage, "Scripted."), .showSignedOut, at: .zero, since: .zero)
        #expect(unread.authState == .signedOut(nil), "What is shown does not say that the store is empty.")
        #expect(resume(&unread, replacing: nil) == nil)
    }

    @Test(arguments: [nil, "ada"] as [AuthUser.ID?]) func signInOfThePersonIsNotSuperseded(user: AuthUser.ID?) {
        var machine = machine(signedInAs: user)
        let theirs = machine.began(.kakao)
        #expect(resume(&machine, replacing: user) == nil)
        #expect(theirs.interruption.current == nil)
    }

    /// The code of the link is used up, and the server asks for a second factor.
    @Test func resumedSignInWhoseCredentialWasSentDoesNotYield() throws {
        var machine = machine(signedInAs: nil)
        let resumed = machine.signInResumed(with: .google, replacing: nil, at: .presenting, .zero)
        let first = try #require(resumed)
        for step in [AuthState.SignInStep.waitingForAnswer, .establishingSession, .waitingForAnswer] {
            machine.reached(step, in: first, at: .zero)
        }
        #expect(resume(&machine, replacing: nil) == nil)
        #expect(first.interruption.current == nil)
    }

    /// The person has opened a later link. What is on its way to the server, and another provider's question, stay.
    @Test(
        arguments: [
            (.waitingForAnswer, .google, true), (.waitingForAnswer, .kakao, false), (.presenting, .google, false),
            (.establishingSession, .google, false),
        ] as [(AuthState.SignInStep, ProviderID, Bool)])
    func resumedSignInThatAsksYieldsToALaterOne(
        step: AuthState.SignInStep, provider: ProviderID, yields: Bool
    ) throws {
        var machine = machine(signedInAs: nil)
        let asking = machine.signInResumed(with: provider, replacing: nil, at: .presenting, .zero)
        let first = try #require(asking)
        machine.reached(step, in: first, at: .zero)
        let later = resume(&machine, replacing: nil)
        #expect((later != nil) == yields)
        let actions = machine.takeEffects().actions
        let isInterrupted = actions.contains { action in
            if case .interrupt(let promise, let error) = action {
                promise === first.interruption && error.code == .superseded
            } else {
                false
            }
        }
        #expect(isInterrupted == yields)
    }

    @Test func userWhoCameMeanwhileIsNotReplaced() throws {
        var machine = machine(signedInAs: nil)
        let resumed = try #require(resume(&machine, replacing: nil))
        machine.observed(KeptSession(.sample(user: "tom")), at: Timestamp(date: Date(), uptime: .zero))
        #expect(machine.session?.user.id == "tom")
        let isCommitted = machine.established(.sample(user: "eve"), by: resumed)
        #expect(!isCommitted)
    }

    /// A newer version of the library has signed a user in, whom this one cannot show.
    @Test func sessionOfANewerVersionIsNotReplaced() throws {
        var machine = machine(signedInAs: nil)
        let now = Timestamp(date: Date(), uptime: .zero)
        let resumed = try #require(resume(&machine, replacing: nil))
        let isCommitted = machine.committed(resumed, .sample(user: "eve"), as: "e", at: now)
        #expect(isCommitted)
        let newer = Data(#"{"version":4,"session":{"id":"n","revision":0,"renewal":0,"edition":0},"ended":[]}"#.utf8)
        let found = RecordSnapshot(StoredRecord(data: newer, version: RecordVersion(rawValue: 9)))
        machine.storage.beginWriting()
        #expect(throws: AuthError.self) { _ = try machine.writeBegan(over: .success(found), at: now).get() }
        #expect(machine.session == nil && machine.storage.pending == nil)
        #expect(machine.operations.established != resumed.id)
    }

    @Test func signInOfThePersonReplacesAnyUser() {
        var machine = machine(signedInAs: "ada")
        let operation = machine.began(.kakao)
        let isCommitted = machine.established(.sample(user: "eve"), by: operation)
        #expect(isCommitted)
    }
}
