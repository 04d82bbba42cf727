import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

@Suite struct LinkProviderTests: AccountSuite {
    @Test func linkingAddsAnIdentityAndTheStateStaysSignedIn() async throws {
        let (auth, repository) = try await signedIn()
        var states = auth.states.makeAsyncIterator()
        _ = await states.next()
        let user = try await auth.link(with: .naver).value
        #expect(user.id == "kakao:1001")
        #expect(user.providers.map(\.id) == [.kakao, .naver])
        #expect(later(repository) == [.link(.naver)])
        #expect(await states.next() == .signedIn(user, .verified), "Nothing in between.")
    }

    @Test func whatIsLinkedOutlivesTheProcess() async throws {
        let store = MemorySessionStore()
        let (auth, _) = try await signedIn(store: store)
        let user = try await auth.link(with: .naver).value
        let later = service(store: store).auth
        #expect(await later.states.prefix { $0.user != nil }.last?.user == user)
    }

    @Test func providerIsAskedForALink() async throws {
        let asked = Lock<AuthRequest?>(nil)
        let naver = ScriptedProvider(.naver) { request in
            asked.withLock { $0 = request }
            return Credential(provider: .naver, userID: "7", isBound: true)
        }
        let (auth, _) = try await signedIn(providers: [naver])
        _ = try await auth.link(with: .naver, AuthRequest(prompts: [.consent])).value
        #expect(asked.withLock { $0?.purpose } == .link)
        #expect(asked.withLock { $0?.prompts } == [.consent])
    }

    @Test func progressGoesToTheEvents() async throws {
        let naver = ScriptedProvider(.naver) { request in
            request.onStep(.presenting)
            request.onStep(.exchanging)
            return Credential(provider: .naver, userID: "7", isBound: true)
        }
        let (auth, _) = try await signedIn(providers: [naver])
        let events = auth.events
        async let seen = kinds(events, through: .changeSucceeded)
        try await wait(for: "the reader of the events") { events.waitingReaders > 0 }
        _ = try await auth.link(with: .naver).value
        let story = await seen.filter { $0.attempt != nil }
        #expect(story.map(\.kind) == [.changeStarted, .changeStep, .changeStep, .changeStep, .changeSucceeded])
        #expect(story.map(\.attempt?.step) == [nil, .presenting, .exchanging, .establishingSession, nil])
        #expect(
            story.allSatisfy {
                $0.provider == .naver && $0.attempt?.operation == .link && $0.attempt?.number == 2 && $0.elapsed != nil
            })
    }

    // MARK: No user, nothing to link

    @Test func withoutAUserNothingIsShownOrSent() async throws {
        let (auth, repository) = service(providers: [unaskedProvider(.kakao)])
        let events = auth.events
        #expect(await auth.link(with: .kakao).result.error?.code == .notSignedIn)
        #expect(
            await auth.link(credential: Credential(provider: .kakao, isBound: true)).result.error?.code == .notSignedIn)
        #expect(await auth.reauthenticate().result.error?.code == .notSignedIn)
        #expect(await auth.unlink(.kakao).result.error?.code == .notSignedIn)
        #expect(await auth.deleteAccount().result.error?.code == .notSignedIn)
        #expect(repository.calls.isEmpty)
        #expect(auth.state == .signedOut(nil))
        auth.manager.finish()
        #expect(await kinds(events, through: .changeFailed).filter { $0.attempt != nil }.isEmpty)
    }

    /// At launch the user is not known yet, and 'not read' is not 'signed out'.
    @Test func linkingWaitsForTheStoreToBeRead() async throws {
        let store = FaultySessionStore()
        _ = try await signedIn(store: store)
        store.lock()
        let (auth, repository) = service(store: store)
        #expect(await auth.states.prefix { $0 == .restoring(.waitingForUnlock) }.isEmpty == false)
        let linking = Task { await auth.link(with: .naver).result }
        store.unlock()
        #expect(try await linking.value.get().providers.map(\.id) == [.kakao, .naver])
        #expect(repository.calls == [.link(.naver)])
    }

    @Test func whatCannotBeDoneIsSaidBeforeAnythingIsShown() async throws {
        let (auth, repository) = try await signedIn(
            providers: [unaskedProvider(.google), unaskedProvider(.naver)], accepting: [.kakao, .naver])
        #expect(await auth.link(with: .apple).result.error?.code == .unsupportedProvider)
        #expect(await auth.link(with: .google).result.error?.code == .unsupportedProvider)
        #expect(await auth.link(with: .naver, using: .sheet).result.error?.code == .unsupportedProvider)
        #expect(
            await auth.link(credential: Credential(provider: .google, isBound: true)).result.error?.code
                == .unsupportedProvider)
        #expect(later(repository).isEmpty)
    }

    // MARK: Conflicts

    @Test func conflictCarriesWhatIsNeededToGoOnAsTheOtherUser() async throws {
        let naver = Credential(provider: .naver, userID: "7", isBound: true)
        var account = ScriptedAccount()
        account.link = { credential, _ in
            throw AuthError(.credentialInUse, "Another's.", conflict: AuthConflict(credential: credential))
        }
        let (auth, repository) = try await signedIn(
            account, providers: [ScriptedProvider(.naver) { _ in naver }])
        let error = await auth.link(with: .naver).result.error
        #expect(error?.code == .credentialInUse)
        #expect(error?.provider == .naver)
        #expect(error?.step == .establishingSession)
        #expect(auth.user?.id == "kakao:1001", "Still signed in.")
        let credential = try #require(error?.conflict?.credential)
        #expect(try await auth.signIn(credential: credential).value.user.id == "naver:7")
        #expect(later(repository) == [.link(.naver), .signIn(.naver)])
    }

    @Test func credentialOfAnAccountThatExistsIsLinkedAfterSigningInThere() async throws {
        let brought = Credential(provider: .naver, userID: "7", isBound: true)
        let repository = ScriptedRepository { credential in
            guard credential.provider == .kakao else {
                throw AuthError(
                    .accountExists, "Known.", conflict: AuthConflict(providers: [.kakao], credential: credential))
            }
            return ScriptedRepository.session(of: credential)
        }
        let auth = AuthService(
            repository: repository,
            providers: [ScriptedProvider(.kakao), ScriptedProvider(.naver) { _ in brought }],
            store: MemorySessionStore(), callbacks: CallbackRouter())
        let conflict = try #require(await auth.signIn(with: .naver).result.error?.conflict)
        _ = try await auth.signIn(with: #require(conflict.providers.first)).value
        let user = try await auth.link(credential: #require(conflict.credential)).value
        #expect(user.providers.map(\.id) == [.naver])
        #expect(repository.calls == [.signIn(.naver), .signIn(.kakao), .link(.naver)])
    }

    @Test func anonymousUserBecomesALastingOneAndStaysTheSame() async throws {
        let (auth, _) = service()
        let guest = try await auth.signInAnonymously().value.user
        #expect(guest.isAnonymous)
        let user = try await auth.link(with: .kakao).value
        #expect(user.id == guest.id)
        #expect(!user.isAnonymous)
    }

    @Test func answerOfAnotherUserIsNotKept() async throws {
        var account = ScriptedAccount()
        account.link = { _, _ in ScriptedAccount.anonymous("somebody") }
        let (auth, _) = try await signedIn(account)
        #expect(await auth.link(with: .naver).result.error?.code == .invalidResponse)
        #expect(auth.user?.id == "kakao:1001")
    }

    // MARK: Access tokens that are over

    @Test func accessTokenThatIsNotTakenIsRefreshedOnceAndTheLinkRepeatedOnce() async throws {
        let (auth, repository) = try await signedIn(account(refusing: Secret("scripted-access-token")))
        #expect(try await auth.link(with: .naver).value.providers.map(\.id) == [.kakao, .naver])
        #expect(try await auth.reauthenticate(with: .kakao).value.id == "kakao:1001")
        #expect(
            later(repository) == [
                .link(.naver), .refresh("kakao:1001"), .link(.naver), .reauthenticate(.kakao),
            ])
        let (other, others) = try await signedIn(account(refusing: Secret("scripted-access-token")))
        _ = try await other.reauthenticate(with: .kakao).value
        #expect(later(others) == [.reauthenticate(.kakao), .refresh("kakao:1001"), .reauthenticate(.kakao)])
    }

    @Test func accessTokenThatIsRefusedForEverIsNotTriedForEver() async throws {
        let (auth, repository) = try await signedIn(account(refusing: nil))
        #expect(await auth.link(with: .naver).result.error?.code == .invalidCredential)
        #expect(later(repository) == [.link(.naver), .refresh("kakao:1001"), .link(.naver)])
        #expect(auth.user != nil)
    }

    @Test func sessionThatIsOverEndsWithTheRefresh() async throws {
        var account = account(refusing: nil)
        account.refresh = { _ in throw AuthError(.sessionExpired, "Revoked.", endsSession: .revoked) }
        let (auth, repository) = try await signedIn(account)
        #expect(await auth.link(with: .naver).result.error?.code == .sessionExpired)
        #expect(auth.state == .signedOut(.revoked))
        #expect(later(repository) == [.link(.naver), .refresh("kakao:1001")])
    }

    @Test func credentialThatIsRefusedIsNotShownTwice() async throws {
        var account = ScriptedAccount()
        account.link = { _, _ in throw AuthError(.invalidCredential, "No.", serverCode: "INVALID_IDP_RESPONSE") }
        let (auth, repository) = try await signedIn(account)
        #expect(await auth.link(with: .naver).result.error?.code == .invalidCredential)
        #expect(later(repository) == [.link(.naver)])
    }

    /// A server that does not take an access token, or none, and says so.
    private func account(refusing refused: Secret?) -> ScriptedAccount {
        @Sendable func check(_ session: AuthSession) throws {
            guard refused != nil, session.accessToken != refused else {
                throw AuthError(.invalidCredential, "Not taken.", refusesAccessToken: true)
            }
        }
        var account = ScriptedAccount()
        account.refresh = { session in
            var session = session
            session.accessToken = Secret("next")
            return session
        }
        let link = account.link
        account.link = { credential, session in
            try check(session)
            return try await link(credential, session)
        }
        account.reauthenticate = { session, _ in
            try check(session)
            return session
        }
        return account
    }

    // MARK: Who was told once

    @Test func nameThatAppleTellsOnceIsKeptUntilItIsLinked() async throws {
        let profile = Credential.Profile(name: PersonName(givenName: "Ada"))
        let (received, answers) = (Lock<[Credential.Profile?]>([]), Lock(0))
        var account = ScriptedAccount()
        account.link = { credential, session in
            received.withLock { $0.append(credential.profile) }
            answers.withLock { $0 += 1 }
            if answers.withLock({ $0 }) == 1 { throw AuthError(.network, "Offline.") }
            return session
        }
        let told = Lock(profile as Credential.Profile?)
        let apple = ScriptedProvider(.apple) { _ in
            Credential(provider: .apple, userID: "001.ada", profile: told.withLock { $0.take() }, isBound: true)
        }
        let store = MemorySessionStore()
        let (auth, _) = try await signedIn(account, providers: [apple], store: store)
        #expect(await auth.link(with: .apple).result.error?.code == .network)
        _ = try await auth.link(with: .apple).value
        #expect(received.withLock { $0 } == [profile, profile])
        #expect(try await store.note(.profiles) == nil)
    }
}
