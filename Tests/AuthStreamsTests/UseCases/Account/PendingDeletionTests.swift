import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// Deletions that were cut in the middle.
@Suite struct PendingDeletionTests: AccountSuite {
    private let store = MemorySessionStore()

    private var revoking: ScriptedAccount {
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        return account
    }

    /// A deletion that stands still at a request when its process is killed: the store stays as it was then, and nothing that
    /// the dead process does later reaches it.
    private func killed(at standstill: Standstill, _ account: ScriptedAccount) async throws -> MemorySessionStore {
        let (auth, _) = try await signedIn(account, store: store)
        let deleting = Task { await auth.deleteAccount().result }
        _ = await standstill.reached.value()
        let left = MemorySessionStore()
        for key in [SessionStoreKey.session, .notes] {
            if let data = try await store.read(key).data { try await left.write(data, for: key) }
        }
        deleting.cancel()
        standstill.gate.resolve(())
        _ = await deleting.value
        return left
    }

    private func nextLaunch(
        _ account: ScriptedAccount, _ left: any SessionStore, asked: Lock<Int> = Lock(0)
    ) -> (auth: AuthService, repository: ScriptedRepository) {
        let kakao = ScriptedProvider(.kakao) { _ in
            asked.withLock { $0 += 1 }
            return Credential(provider: .kakao, idToken: Secret("token"), userID: "1001", isBound: true)
        }
        return service(account, providers: [kakao], store: left)
    }

    // MARK: Killed at each stage

    @Test func killedWhileThePersonIsAskedNothingWasBegun() async throws {
        let prompt = Standstill()
        var account = revoking
        account.reauthenticate = { session, _ in
            await prompt.pass()
            return session
        }
        let left = try await killed(at: prompt, account)
        let auth = nextLaunch(revoking, left).auth
        #expect(await auth.pendingDeletion == nil)
        #expect(auth.user?.id == "kakao:1001")
    }

    @Test func killedWhileRevokingItIsRevokedAgainWithAFreshProof() async throws {
        let revoke = Standstill()
        var account = revoking
        account.revokeAccess = { _, _ in await revoke.pass() }
        let left = try await killed(at: revoke, account)
        let asked = Lock(0)
        let (auth, repository) = nextLaunch(revoking, left, asked: asked)
        #expect(await auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: false))
        #expect(repository.calls.isEmpty, "Nothing is deleted without a request.")
        try await auth.deleteAccount().value
        #expect(asked.withLock { $0 } == 1)
        #expect(
            repository.calls == [.reauthenticate(.kakao), .revokeAccess(.kakao), .deleteAccount("kakao:1001")])
        #expect(try await left.note(.deletion) == nil)
    }

    @Test func killedWhileDeletingItGoesOnWithoutAskingAgain() async throws {
        let delete = Standstill()
        var account = revoking
        account.deleteAccount = { _ in await delete.pass() }
        let left = try await killed(at: delete, account)
        let asked = Lock(0)
        let (auth, repository) = nextLaunch(revoking, left, asked: asked)
        #expect(await auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: true))
        try await auth.deleteAccount().value
        #expect(asked.withLock { $0 } == 0)
        #expect(repository.calls == [.deleteAccount("kakao:1001")])
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func killedAfterTheServerDeletedItIsDoneAsSoonAsTheServerSaysSo() async throws {
        let delete = Standstill()
        var account = revoking
        account.deleteAccount = { _ in await delete.pass() }
        let left = try await killed(at: delete, account)
        var later = revoking
        later.deleteAccount = { _ in throw AuthError(.userNotFound, "Gone.") }
        let auth = nextLaunch(later, left).auth
        try await auth.deleteAccount().value
        #expect(auth.state == .signedOut(.deleted))
        #expect(try await left.note(.deletion) == nil)
        #expect(try await left.session() == nil)
    }

    @Test func serverThatWantsAFreshSignInMeanwhileHasAccessRevokedOnceMore() async throws {
        let delete = Standstill()
        var account = revoking
        account.deleteAccount = { _ in await delete.pass() }
        let left = try await killed(at: delete, account)
        let isRecent = Lock(false)
        var later = revoking
        later.reauthenticate = { session, _ in
            isRecent.withLock { $0 = true }
            return session
        }
        later.deleteAccount = { _ in
            if !isRecent.withLock({ $0 }) { throw AuthError(.requiresRecentSignIn, "Too long ago.") }
        }
        let (auth, repository) = nextLaunch(later, left)
        try await auth.deleteAccount().value
        #expect(
            repository.calls == [
                .deleteAccount("kakao:1001"), .reauthenticate(.kakao), .revokeAccess(.kakao),
                .deleteAccount("kakao:1001"),
            ])
    }

    // MARK: Errors in the middle

    @Test func answerThatWasLostIsAskedForAgain() async throws {
        let requests = Lock(0)
        var account = revoking
        account.deleteAccount = { _ in
            let number = requests.withLock {
                $0 += 1
                return $0
            }
            throw number == 1 ? AuthError(.network, "Lost.") : AuthError(.userNotFound, "Gone.")
        }
        let (auth, repository) = try await signedIn(account, store: store)
        #expect(await auth.deleteAccount().result.error?.code == .network)
        #expect(auth.user != nil)
        #expect(await auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: true))
        try await auth.deleteAccount().value
        #expect(repository.calls.count { $0 == .revokeAccess(.kakao) } == 1)
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test(arguments: [AuthError.Code.network, .server, .timedOut])
    func revocationThatMayHaveWorkedStopsItAndIsGoneOnWith(code: AuthError.Code) async throws {
        let requests = Lock(0)
        var account = revoking
        account.revokeAccess = { _, _ in
            let number = requests.withLock {
                $0 += 1
                return $0
            }
            if number == 1 { throw AuthError(code, "Scripted.") }
        }
        let (auth, repository) = try await signedIn(account, store: store)
        #expect(await auth.deleteAccount().result.error?.code == code)
        #expect(!repository.calls.contains(.deleteAccount("kakao:1001")))
        #expect(await auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: false))
        try await auth.deleteAccount().value
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func revocationThatIsRefusedLeavesNothingBegun() async throws {
        var account = revoking
        account.revokeAccess = { _, _ in throw AuthError(.accessDenied, "Another person's.") }
        let (auth, repository) = try await signedIn(account, store: store)
        #expect(await auth.deleteAccount().result.error?.code == .accessDenied)
        #expect(await auth.pendingDeletion == nil)
        #expect(!repository.calls.contains(.deleteAccount("kakao:1001")))
    }

    @Test func revocationForWhichThereTurnsOutToBeNoWayHoldsNothingUp() async throws {
        var account = revoking
        account.revokeAccess = { _, _ in throw AuthError(.unsupportedProvider, "No way.") }
        let (auth, _) = try await signedIn(account, store: store)
        try await auth.deleteAccount().value
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func deletionThatIsRefusedKeepsOnlyWhatWasDone() async throws {
        var account = ScriptedAccount()
        account.deleteAccount = { _ in throw AuthError(.accessDenied, "Not this one.") }
        let (auth, _) = try await signedIn(account, store: store)
        #expect(await auth.deleteAccount().result.error?.code == .accessDenied)
        #expect(await auth.pendingDeletion == nil, "Nothing was revoked, nothing deleted.")

        account.revocable = [.kakao]
        let (other, _) = try await signedIn(account, store: MemorySessionStore())
        #expect(await other.deleteAccount().result.error?.code == .accessDenied)
        #expect(await other.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: true))
    }

    // MARK: Whose it is

    private func interrupted(_ store: any SessionStore) async throws -> AuthService {
        var account = revoking
        account.deleteAccount = { _ in throw AuthError(.network, "Lost.") }
        let auth = try await signedIn(account, store: store).auth
        #expect(await auth.deleteAccount().result.error?.code == .network)
        #expect(await auth.pendingDeletion != nil)
        return auth
    }

    @Test func signingOutForgetsIt() async throws {
        let auth = try await interrupted(store)
        try await auth.signOut()
        #expect(try await store.note(.deletion) == nil)
    }

    @Test func signingInForgetsItEvenAsTheSamePerson() async throws {
        let auth = try await interrupted(store)
        _ = try await auth.signIn(with: .kakao).value
        #expect(try await store.note(.deletion) == nil, "The sign-in renewed the access that was revoked.")
    }

    @Test func anothersIsIgnoredAndCleared() async throws {
        _ = try await signedIn(store: store)
        let entry = DeletionJournal.Entry(userID: "kakao:bob", provider: .kakao, stage: .deleting)
        try await store.setNote(.deletion, to: JSONEncoder().encode(entry))
        let (auth, repository) = service(revoking, store: store)
        #expect(await auth.pendingDeletion == nil)
        #expect(try await store.note(.deletion) == nil)
        try await store.setNote(.deletion, to: JSONEncoder().encode(entry))
        try await auth.deleteAccount().value
        #expect(repository.calls.contains(.revokeAccess(.kakao)), "Not taken for done.")
    }

    @Test func recordThatCannotBeDecodedIsNoDeletion() async throws {
        let auth = try await signedIn(store: store).auth
        try await store.setNote(.deletion, to: Data("{".utf8))
        #expect(await auth.pendingDeletion == nil)
        #expect(try await store.note(.deletion) == nil)
    }

    @Test func whatWasRevokedAtOneProviderSaysNothingOfAnother() async throws {
        var account = revoking
        account.revocable = [.kakao, .naver]
        let (auth, repository) = try await signedIn(account, store: store)
        let entry = DeletionJournal.Entry(userID: "kakao:1001", provider: .kakao, stage: .deleting)
        try await store.setNote(.deletion, to: JSONEncoder().encode(entry))
        try await auth.deleteAccount(with: .naver).value
        #expect(
            later(repository) == [.reauthenticate(.naver), .revokeAccess(.naver), .deleteAccount("kakao:1001")])
    }

    @Test func provingInBetweenGivesBackWhatWasRevoked() async throws {
        let auth = try await interrupted(store)
        _ = try await auth.reauthenticate().value
        #expect(await auth.pendingDeletion == PendingDeletion(provider: .kakao, isRevoked: false))
    }

    @Test func recordHoldsNoSecret() async throws {
        _ = try await interrupted(store)
        let record = String(decoding: try #require(try await store.note(.deletion)), as: UTF8.self)
        #expect(record.contains("kakao:1001"))
        #expect(!record.contains("token"))
    }
}
