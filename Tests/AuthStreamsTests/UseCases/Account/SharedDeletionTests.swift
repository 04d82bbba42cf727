import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Callers that delete one account at the same time share one deletion.
@Suite struct SharedDeletionTests: AccountSuite {
    private let store = FaultySessionStore()

    private func adaIsStored() async throws {
        try await store.write(SessionRecord(.sample(user: "ada")).data(), for: .session)
    }

    @Test func onesThatBeginBeforeStorageIsReadShareItToo() async throws {
        try await adaIsStored()
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        var account = ScriptedAccount()
        account.deleteAccount = { _ in
            asked.resolve(())
            _ = await answer.value()
        }
        let hold = store.hold(.read)
        let (auth, repository) = service(account, providers: [], store: store)
        await hold.reached()
        let early = (0..<2).map { _ in Task { await outcome(of: auth.deleteAccount()) } }
        hold.release()
        _ = await asked.value()
        let late = Task { await outcome(of: auth.deleteAccount()) }
        try await wait(for: "the two other callers to wait for the deletion") {
            auth.manager.transition { machine, _ in machine.operations.sharedDeletion(of: "ada") }.waiting == 2
        }
        answer.resolve(())
        for call in early + [late] { #expect(await call.value?.error == nil) }
        #expect(repository.calls.count { $0 == .deleteAccount("ada") } == 1)
    }

    @Test func whatTheFirstCallerCancelsTheSecondGoesOnWith() async throws {
        try await adaIsStored()
        let asked = Promise<Void>()
        var account = ScriptedAccount()
        account.deleteAccount = { _ in
            // Only the first request does not end until it is cancelled.
            guard asked.resolve(()) else { return }
            _ = await Promise<Never>().value()
            throw CancellationError()
        }
        let (auth, repository) = service(account, providers: [], store: store)
        _ = await auth.states.prefix { $0.user != nil }
        let first = Task { await outcome(of: auth.deleteAccount()) }
        _ = await asked.value()
        let second = Task { await outcome(of: auth.deleteAccount()) }
        try await wait(for: "the second caller to wait for the deletion") {
            auth.manager.transition { machine, _ in machine.operations.sharedDeletion(of: "ada") }.waiting == 1
        }
        first.cancel()
        #expect(await first.value?.error?.code == .cancelled)
        #expect(await second.value?.error == nil)
        #expect(auth.state == .signedOut(.deleted))
        #expect(repository.calls.count { $0 == .deleteAccount("ada") } == 2)
    }

    @Test func profilesThatTheServerNeverGotGoWithTheAccount() async throws {
        let refused = Lock(true)
        let repository = ScriptedRepository(establish: {
            if refused.withLock({ $0 }) { throw AuthError(.invalidCredential, "Scripted.") }
            return ScriptedRepository.session(of: $0)
        })
        let auth = AuthService(
            repository: repository, providers: [ScriptedProvider(.kakao)], store: store, callbacks: CallbackRouter())
        var credential = Credential(provider: .apple, userID: "2", isBound: true)
        credential.profile = Credential.Profile(name: PersonName(givenName: "Ada"))
        #expect(await outcome(of: auth.signIn(credential: credential))?.error?.code == .invalidCredential)
        #expect(try await store.note(.profiles) != nil)
        refused.withLock { $0 = false }
        _ = try await auth.signIn(with: .kakao).value
        #expect(await outcome(of: auth.deleteAccount())?.error == nil)
        #expect(try await store.note(.profiles) == nil)
    }

    /// Two processes note something about one deletion: each changes what the other wrote.
    @Test func notesOfTwoProcessesAreNotMixedUp() async throws {
        let shared = MemorySessionStore()
        let slow = FaultySessionStore(shared)
        let (one, two) = (SessionManager(store: slow), SessionManager(store: shared))
        let deleting = DeletionJournal.Entry(userID: "ada", provider: .kakao, stage: .deleting)
        await DeletionJournal(manager: two).note(deleting)
        let hold = slow.hold(.write)
        let renewal = Task { await DeletionJournal(manager: one).accessRenewed(at: .kakao, by: "ada") }
        await hold.reached()
        // The deletion is done in the other process.
        await DeletionJournal(manager: two).note(nil)
        hold.release()
        await renewal.value
        #expect(try await shared.note(.deletion) == nil)
    }

    /// The server deletes the account while another user's sign-in is being written.
    @Test func deletionEndsNoSignInOfAnotherUser() async throws {
        try await adaIsStored()
        let (asked, answer) = (Promise<Void>(), Promise<Void>())
        var account = ScriptedAccount()
        account.deleteAccount = { _ in
            asked.resolve(())
            _ = await answer.value()
        }
        let (auth, _) = service(account, providers: [], store: store)
        _ = await auth.states.prefix { $0.user != nil }
        let deletion = Task { await outcome(of: auth.deleteAccount()) }
        _ = await asked.value()
        let hold = store.hold(.write, .after, of: .session)
        let signIn = Task {
            await outcome(of: auth.signIn(credential: Credential(provider: .naver, userID: "2", isBound: true)))
        }
        await hold.reached()
        answer.resolve(())
        _ = await auth.states.prefix { $0.user == nil }
        hold.release()
        #expect(await signIn.value?.error == nil)
        #expect(await deletion.value?.error == nil)
        #expect(auth.user?.id == "naver:2")
        #expect(try await store.read(.session).data.flatMap(SessionRecord.session(in:))?.user.id == "naver:2")
    }

    /// The first caller is cancelled, and another user signs in before the second one resumes it.
    @Test func deletionThatWaitedDeletesNoOtherUsersAccount() async throws {
        try await adaIsStored()
        let (asked, leaves) = (Promise<Void>(), Promise<Void>())
        var account = ScriptedAccount()
        account.deleteAccount = { _ in
            asked.resolve(())
            // Ends only once the other user is there, although its caller was cancelled before.
            await Task { _ = await leaves.value() }.value
            throw CancellationError()
        }
        let (auth, repository) = service(account, providers: [], store: store)
        _ = await auth.states.prefix { $0.user != nil }
        let first = Task { await outcome(of: auth.deleteAccount()) }
        _ = await asked.value()
        let second = Task { await outcome(of: auth.deleteAccount()) }
        try await wait(for: "the second caller to wait for the deletion") {
            auth.manager.transition { machine, _ in machine.operations.sharedDeletion(of: "ada") }.waiting == 1
        }
        first.cancel()
        _ = try await auth.signIn(credential: Credential(provider: .naver, userID: "2", isBound: true)).value
        leaves.resolve(())
        _ = await first.value
        #expect(await second.value?.error?.code == .superseded)
        #expect(auth.user?.id == "naver:2")
        #expect(repository.calls.count { $0 == .deleteAccount("naver:2") } == 0)
    }
}
