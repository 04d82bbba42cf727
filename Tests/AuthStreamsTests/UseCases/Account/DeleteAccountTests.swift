import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct DeleteAccountTests: AccountSuite {
    private var revoking: ScriptedAccount {
        var account = ScriptedAccount()
        account.revocable = [.kakao, .naver]
        return account
    }

    /// A provider whose credentials are told apart, and what it was asked.
    private func provider(
        _ id: ProviderID, codeOnly: Bool = false, _ asked: Lock<[AuthRequest.Purpose]> = Lock([])
    ) -> ScriptedProvider {
        ScriptedProvider(id) { request in
            let number = asked.withLock {
                $0.append(request.purpose)
                return $0.count
            }
            return Credential(
                provider: id, idToken: codeOnly ? nil : Secret("ID token \(number)"),
                authorizationCode: .init(code: Secret("code \(number)")), userID: "1001", isBound: true)
        }
    }

    @Test func accountIsDeletedAndTheStateSaysSoOnce() async throws {
        let store = MemorySessionStore()
        let (auth, repository) = try await signedIn(providers: [unaskedProvider(.kakao)], store: store)
        var states = auth.states.makeAsyncIterator()
        _ = await states.next()
        try await auth.deleteAccount().value
        #expect(later(repository) == [.deleteAccount("kakao:1001")])
        #expect(await states.next() == .signedOut(.deleted))
        #expect(try await store.session() == nil)
        #expect(try await store.note(.deletion) == nil)
        auth.manager.finish()
        #expect(await states.next() == nil)
    }

    @Test func accessIsRevokedBeforeTheAccountGoes() async throws {
        let (auth, repository) = try await signedIn(revoking, providers: [provider(.kakao)])
        try await auth.deleteAccount().value
        #expect(
            later(repository) == [.reauthenticate(.kakao), .revokeAccess(.kakao), .deleteAccount("kakao:1001")])
    }

    /// Another app can answer in the place of a provider's app, so its answer proves nothing.
    @Test func unboundAnswerDeletesNothing() async throws {
        let imitated = ScriptedProvider(.kakao) { _ in
            Credential(provider: .kakao, idToken: Secret("theirs"), userID: "1001", isBound: false)
        }
        let (auth, repository) = try await signedIn(revoking, providers: [imitated])
        #expect(await auth.deleteAccount().result.error?.code == .misconfigured)
        #expect(later(repository).isEmpty && auth.user != nil)
    }

    @Test func codesAreLeftForTheOneWhoRevokes() async throws {
        let (proven, revoked) = (Lock<Credential?>(nil), Lock<Credential?>(nil))
        var account = revoking
        account.reauthenticate = { session, credential in
            proven.withLock { $0 = credential }
            return session
        }
        account.revokeAccess = { credential, _ in revoked.withLock { $0 = credential } }
        let asked = Lock<[AuthRequest.Purpose]>([])
        let (auth, _) = try await signedIn(account, providers: [provider(.kakao, asked)])
        try await auth.deleteAccount().value
        #expect(asked.withLock { $0 } == [.reauthenticate], "Asked once.")
        #expect(proven.withLock { $0?.idToken } == Secret("ID token 1"))
        #expect(proven.withLock { $0?.authorizationCode } == nil)
        #expect(revoked.withLock { $0?.authorizationCode?.code } == Secret("code 1"))
    }

    /// Google issues a code for the server beside its tokens.
    @Test func codeForTheServerIsSentOnce() async throws {
        let sent = Lock<[Credential]>([])
        var account = ScriptedAccount()
        account.revocable = [.google]
        account.reauthenticate = { session, credential in
            sent.withLock { $0.append(credential) }
            return session
        }
        account.revokeAccess = { credential, _ in sent.withLock { $0.append(credential) } }
        let google = ScriptedProvider(.google) { _ in
            Credential(
                provider: .google, idToken: Secret("ID token"), accessToken: Secret("access token"),
                serverAuthCode: Secret("server code"), userID: "1001", isBound: true)
        }
        let (auth, _) = service(account, providers: [google])
        _ = try await auth.signIn(credential: Credential(provider: .google, userID: "1001", isBound: true)).value
        try await auth.deleteAccount().value
        #expect(sent.withLock { $0.map(\.serverAuthCode) } == [nil, Secret("server code")])
        #expect(sent.withLock { $0.map(\.idToken) } == [Secret("ID token"), Secret("ID token")])
    }

    @Test func codeThatIsAllThereIsProvesOnceAndAnotherRevokes() async throws {
        let (proven, revoked) = (Lock<Credential?>(nil), Lock<Credential?>(nil))
        var account = revoking
        account.reauthenticate = { session, credential in
            proven.withLock { $0 = credential }
            return session
        }
        account.revokeAccess = { credential, _ in revoked.withLock { $0 = credential } }
        let asked = Lock<[AuthRequest.Purpose]>([])
        let (auth, _) = try await signedIn(account, providers: [provider(.kakao, codeOnly: true, asked)])
        try await auth.deleteAccount().value
        #expect(asked.withLock { $0 } == [.reauthenticate, .link], "They just logged in.")
        #expect(proven.withLock { $0?.authorizationCode?.code } == Secret("code 1"))
        #expect(revoked.withLock { $0?.authorizationCode?.code } == Secret("code 2"))
    }

    @Test func personIsAskedWhenTheServerWantsAFreshSignIn() async throws {
        let isRecent = Lock(false)
        var account = ScriptedAccount()
        account.reauthenticate = { session, _ in
            isRecent.withLock { $0 = true }
            return session
        }
        account.deleteAccount = { _ in
            if !isRecent.withLock({ $0 }) { throw AuthError(.requiresRecentSignIn, "Too long ago.") }
        }
        let (auth, repository) = try await signedIn(account, providers: [provider(.kakao)])
        try await auth.deleteAccount().value
        #expect(
            later(repository) == [
                .deleteAccount("kakao:1001"), .reauthenticate(.kakao), .deleteAccount("kakao:1001"),
            ])
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func serverThatIsNeverContentIsNotAskedForEver() async throws {
        var account = revoking
        account.deleteAccount = { _ in throw AuthError(.requiresRecentSignIn, "Never.") }
        let (auth, repository) = try await signedIn(account, providers: [provider(.kakao)])
        #expect(await auth.deleteAccount().result.error?.code == .requiresRecentSignIn)
        #expect(repository.calls.count { $0 == .deleteAccount("kakao:1001") } == 2)
        #expect(
            repository.calls.count { $0 == .revokeAccess(.kakao) } == 2,
            "Each proof renews the access that was revoked.")
        #expect(auth.user != nil)
    }

    @Test func accessTokenThatIsRefusedIsRefreshedOnceToRevoke() async throws {
        var account = revoking
        account.refresh = { session in
            var next = session
            next.accessToken = Secret("next")
            return next
        }
        account.revokeAccess = { _, session in
            guard session.accessToken == Secret("next") else {
                throw AuthError(.invalidCredential, "Over.", refusesAccessToken: true)
            }
        }
        let asked = Lock<[AuthRequest.Purpose]>([])
        let (auth, repository) = try await signedIn(account, providers: [provider(.kakao, asked)])
        try await auth.deleteAccount().value
        #expect(
            later(repository) == [
                .reauthenticate(.kakao), .revokeAccess(.kakao), .refresh("kakao:1001"), .revokeAccess(.kakao),
                .deleteAccount("kakao:1001"),
            ])
        #expect(asked.withLock { $0 } == [.reauthenticate], "Asked once.")
    }

    /// What the revocation says of the user may be about the credential's: the server is asked.
    @Test func accountThatTurnsOutToBeGoneWhileRevokingIsDeleted() async throws {
        var account = revoking
        account.revokeAccess = { _, _ in throw AuthError(.userNotFound, "Gone.") }
        account.refresh = { _ in throw AuthError(.userNotFound, "Gone.") }
        let (auth, _) = try await signedIn(account, providers: [provider(.kakao)])
        try await auth.deleteAccount().value
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func turningBackLeavesEverythingAsItWas() async throws {
        let store = FaultySessionStore()
        let (auth, repository) = try await signedIn(
            revoking, providers: [.failing(.kakao, with: .cancelled)] as [ScriptedProvider], store: store)
        let (before, operations) = (auth.state, store.operations.count)
        #expect(await auth.deleteAccount().result.error?.code == .cancelled)
        #expect(auth.state == before)
        #expect(later(repository).isEmpty)
        #expect(await auth.pendingDeletion == nil)
        #expect(!store.operations.dropFirst(operations).contains(.init(.write, .notes)))
    }

    @Test func anonymousUserIsDeletedWithoutBeingAsked() async throws {
        var account = revoking
        account.revocable.insert(.anonymous)
        let (auth, repository) = service(account, providers: [unaskedProvider(.kakao)])
        let user = try await auth.signInAnonymously().value.user
        try await auth.deleteAccount().value
        #expect(later(repository) == [.deleteAccount(user.id)])
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func accountThatTheServerDoesNotKnowAnyMoreIsDeleted() async throws {
        var account = ScriptedAccount()
        account.deleteAccount = { _ in throw AuthError(.userNotFound, "Gone.") }
        let (auth, _) = try await signedIn(account)
        try await auth.deleteAccount().value
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func refreshOnTheWayThatFindsTheAccountGoneIsTheEndThatWasWanted() async throws {
        var account = ScriptedAccount()
        account.deleteAccount = { _ in throw AuthError(.invalidCredential, "Over.") }
        account.refresh = { _ in throw AuthError(.userNotFound, "Gone.") }
        let (auth, _) = try await signedIn(account)
        var states = auth.states.makeAsyncIterator()
        _ = await states.next()
        #expect(await auth.deleteAccount().result.error == nil)
        #expect(await states.next() == .signedOut(.deleted))
        auth.manager.finish()
        #expect(await states.next() == nil)
    }

    /// The refresh interrupts the deletion before the store has removed the session.
    @Test func slowStoreDoesNotHideThatTheAccountIsGone() async throws {
        let store = FaultySessionStore()
        var account = ScriptedAccount()
        account.deleteAccount = { _ in throw AuthError(.invalidCredential, "Over.") }
        account.refresh = { _ in throw AuthError(.userNotFound, "Gone.") }
        let (auth, _) = try await signedIn(account, store: store)
        let mark = store.hold(.write, of: .session)
        let deleting = Task { await auth.deleteAccount().result }
        await mark.reached()
        let hold = store.hold(.write, of: .session)
        mark.release()
        await hold.reached()
        #expect(await deleting.value.error == nil)
        hold.release()
        #expect(auth.state == .signedOut(.deleted))
    }

    @Test func signInUnderWayDoesNotHideThatTheAccountIsGone() async throws {
        let provider = StandingProvider(id: .kakao)
        var account = ScriptedAccount()
        account.deleteAccount = { _ in throw AuthError(.invalidCredential, "Over.") }
        account.refresh = { _ in throw AuthError(.userNotFound, "Gone.") }
        let (auth, _) = try await signedIn(account, providers: [provider])
        let signIn = Task { await auth.signIn(with: .kakao).result }
        _ = await provider.reached.value()
        #expect(await auth.deleteAccount().result.error == nil)
        provider.gate.resolve(())
        _ = await signIn.value
    }

    @Test func tokenThatTheServerRefusesIsRefreshedOnce() async throws {
        var account = ScriptedAccount()
        account.refresh = { session in
            var session = session
            session.accessToken = Secret("next")
            return session
        }
        account.deleteAccount = { session in
            guard session.accessToken == Secret("next") else { throw AuthError(.invalidCredential, "Over.") }
        }
        let (auth, repository) = try await signedIn(account)
        try await auth.deleteAccount().value
        #expect(
            later(repository) == [
                .deleteAccount("kakao:1001"), .refresh("kakao:1001"), .deleteAccount("kakao:1001"),
            ])
    }

    // MARK: Who is asked

    @Test func namedProviderIsAskedAndRevoked() async throws {
        let (auth, repository) = try await signedIn(
            revoking, providers: [unaskedProvider(.kakao), provider(.naver)])
        try await auth.deleteAccount(with: .naver).value
        #expect(
            later(repository) == [.reauthenticate(.naver), .revokeAccess(.naver), .deleteAccount("kakao:1001")])
    }

    @Test func withoutAProviderToAskNothingIsDoneWhereAccessIsToBeRevoked() async throws {
        let (auth, repository) = try await signedIn(revoking, providers: [unaskedProvider(.google)])
        let error = await auth.deleteAccount().result.error
        #expect(error?.code == .unsupportedProvider)
        #expect(error?.provider == .kakao)
        #expect(await auth.deleteAccount(with: .apple).result.error?.code == .unsupportedProvider)
        #expect(later(repository).isEmpty)
    }

    @Test func withoutAProviderToAskTheServerDecidesWhereNothingIsRevoked() async throws {
        let (auth, repository) = try await signedIn(providers: [])
        try await auth.deleteAccount().value
        #expect(later(repository) == [.deleteAccount("kakao:1001")])

        var account = ScriptedAccount()
        account.deleteAccount = { _ in throw AuthError(.requiresRecentSignIn, "Too long ago.") }
        let (other, _) = try await signedIn(account, providers: [])
        #expect(await other.deleteAccount().result.error?.code == .requiresRecentSignIn, "The app has to ask itself.")
    }

    @Test func repositoryThatTakesNoProofRevokesAllTheSame() async throws {
        var account = revoking
        account.reauthenticate = { _, _ in throw AuthError(.unsupportedProvider, "No way.") }
        let asked = Lock<[AuthRequest.Purpose]>([])
        let (auth, repository) = try await signedIn(account, providers: [provider(.kakao, codeOnly: true, asked)])
        try await auth.deleteAccount().value
        #expect(asked.withLock { $0 } == [.reauthenticate], "The code is still good.")
        #expect(repository.calls.contains(.revokeAccess(.kakao)))
    }

    // MARK: Twice at once

    @Test func secondDeletionWaitsForTheFirstAndSharesItsOutcome() async throws {
        let delete = Standstill()
        var account = ScriptedAccount()
        account.deleteAccount = { _ in await delete.pass() }
        let (auth, repository) = try await signedIn(account)
        let first = Task { await auth.deleteAccount().result }
        _ = await delete.reached.value()
        let begun = Promise<Void>()
        let second = Task {
            begun.resolve(())
            return await auth.deleteAccount().result
        }
        let third = Task { await auth.deleteAccount().result }
        third.cancel()
        #expect(await third.value.error?.code == .cancelled, "Only its own waiting.")
        _ = await begun.value()
        delete.gate.resolve(())
        #expect(await first.value.error == nil)
        // In either order: it shares the outcome, or finds no user signed in.
        #expect([nil, .userNotFound].contains(await second.value.error?.code))
        #expect(repository.calls.count { $0 == .deleteAccount("kakao:1001") } == 1)
    }

    @Test func cancelThatComesAfterTheDeletionChangesNothing() async throws {
        let store = FaultySessionStore()
        let (auth, _) = try await signedIn(store: store)
        let hold = store.hold(.write, of: .session)
        let deleting = Task { await auth.deleteAccount().result }
        await hold.reached()
        deleting.cancel()
        hold.release()
        #expect(await deleting.value.error == nil)
        #expect(try await store.session() == nil)
    }

    @Test func signOutMeanwhileSupersedesAndForgetsIt() async throws {
        let delete = Standstill()
        var account = ScriptedAccount()
        account.deleteAccount = { _ in await delete.pass() }
        let store = MemorySessionStore()
        let (auth, _) = try await signedIn(account, store: store)
        let deleting = Task { await auth.deleteAccount().result }
        _ = await delete.reached.value()
        try await auth.signOut()
        delete.gate.resolve(())
        _ = await deleting.value
        #expect(auth.state == .signedOut(.user))
        #expect(try await store.note(.deletion) == nil)
    }

    @Test func deletionOfAnotherAccountIsNotTheEndThatWasWanted() async throws {
        let store = FaultySessionStore()
        let (auth, repository) = try await signedIn(store: store)
        let hold = store.hold(.write, of: .notes)
        let first = Task { await auth.deleteAccount().result }
        await hold.reached()
        _ = try await auth.signIn(credential: Credential(provider: .kakao, userID: "1002", isBound: true)).value
        let second = Task { await auth.deleteAccount().result }
        try await wait(for: "the second deletion to sign the user out") { auth.user == nil }
        hold.release()
        #expect(await first.value.error?.code == .superseded)
        #expect(await second.value.error == nil)
        #expect(auth.state == .signedOut(.deleted))
        #expect(!repository.calls.contains(.deleteAccount("kakao:1001")))
    }

    @Test func storeThatFailsCostsNoDeletion() async throws {
        let store = FaultySessionStore()
        let (auth, repository) = try await signedIn(revoking, providers: [provider(.kakao)], store: store)
        store.fail(.write)
        #expect(await auth.deleteAccount().result.error == nil)
        #expect(repository.calls.contains(.deleteAccount("kakao:1001")))
        #expect(auth.state == .signedOut(.deleted))
    }
}
