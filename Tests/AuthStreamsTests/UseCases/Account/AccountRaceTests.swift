import AuthStreamsTesting
import Foundation
import TestSupport
import Testing

@testable import AuthStreams

/// What becomes of a change when something else happens meanwhile.
@Suite struct AccountRaceTests: AccountSuite {
    @Test func signOutSupersedesALinkWhileThePersonIsAsked() async throws {
        let naver = StandingProvider(id: .naver)
        let (auth, repository) = try await signedIn(providers: [naver])
        let linking = Task { await auth.link(with: .naver).result }
        _ = await naver.reached.value()
        try await auth.signOut()
        #expect(await linking.value.error?.code == .superseded)
        #expect(auth.state == .signedOut(.user))
        #expect(later(repository) == [.signOut("kakao:1001")])
    }

    @Test func signInSupersedesALinkWhileThePersonIsAsked() async throws {
        let (naver, google) = (StandingProvider(id: .naver), StandingProvider(id: .google))
        let (auth, _) = try await signedIn(providers: [naver, google])
        let linking = Task { await auth.link(with: .naver).result }
        _ = await naver.reached.value()
        let signingIn = Task { await auth.signIn(with: .google).result }
        #expect(await linking.value.error?.code == .superseded)
        #expect(auth.user?.id == "kakao:1001", "Until the other is decided.")
        google.gate.resolve(())
        #expect(try await signingIn.value.get().user.id == "google.com:1001")
    }

    @Test func linkSupersedesTheOperationThatAskedThePersonBefore() async throws {
        let (kakao, naver, google) = (
            StandingProvider(id: .kakao), StandingProvider(id: .naver), StandingProvider(id: .google)
        )
        let (auth, _) = try await signedIn(providers: [kakao, naver, google])
        let signingIn = Task { await auth.signIn(with: .google).result }
        _ = await google.reached.value()
        let proving = Task { await auth.reauthenticate(with: .kakao).result }
        #expect(await signingIn.value.error?.code == .superseded)
        _ = await kakao.reached.value()
        let linking = Task { await auth.link(with: .naver).result }
        #expect(await proving.value.error?.code == .superseded)
        naver.gate.resolve(())
        #expect(await linking.value.error == nil)
        #expect(auth.manager.read { $0.operations.signIn == nil })
    }

    @Test func requestThatWasSentIsNotCutOffByASignInThatOnlyBegins() async throws {
        let link = Standstill()
        var account = ScriptedAccount()
        account.link = { _, session in
            await link.pass()
            return session
        }
        let google = StandingProvider(id: .google)
        let (auth, _) = try await signedIn(account, providers: [ScriptedProvider(.naver), google])
        let linking = Task { await auth.link(with: .naver).result }
        _ = await link.reached.value()
        let signingIn = Task { await auth.signIn(with: .google).result }
        _ = await google.reached.value()
        link.gate.resolve(())
        #expect(await linking.value.error == nil)
        google.gate.resolve(())
        #expect(await signingIn.value.error == nil)
    }

    @Test func answerToALinkThatComesAfterASignOutIsDropped() async throws {
        let link = Standstill()
        var account = ScriptedAccount()
        account.link = { _, session in
            await link.pass()
            return session
        }
        let store = MemorySessionStore()
        let (auth, _) = try await signedIn(account, store: store)
        let linking = Task { await auth.link(with: .naver).result }
        _ = await link.reached.value()
        try await auth.signOut()
        link.gate.resolve(())
        #expect(await linking.value.error?.code == .superseded)
        #expect(auth.state == .signedOut(.user))
        #expect(try await store.session() == nil)
    }

    /// An operation of one person is never applied to the next, even if no caller learns that it is over.
    @Test func accountOfWhoSignedInMeanwhileIsNotDeleted() async throws {
        let revoke = Standstill()
        var account = ScriptedAccount()
        account.revocable = [.kakao]
        account.revokeAccess = { _, _ in await revoke.pass() }
        let (auth, repository) = try await signedIn(account, store: LocklessStore())
        let deleting = Task { await auth.deleteAccount().result }
        _ = await revoke.reached.value()
        let bob = try await auth.signIn(credential: Credential(provider: .naver, userID: "bob", isBound: true)).value
            .user
        revoke.gate.resolve(())
        #expect(await deleting.value.error?.code == .superseded)
        #expect(auth.user == bob)
        #expect(!repository.calls.contains(.deleteAccount(bob.id)))
    }

    @Test func whoSignedInWhileTheServerDeletedStays() async throws {
        let delete = Standstill()
        var account = ScriptedAccount()
        account.deleteAccount = { _ in await delete.pass() }
        let (auth, repository) = try await signedIn(account, store: LocklessStore())
        let deleting = Task { await auth.deleteAccount().result }
        _ = await delete.reached.value()
        let bob = try await auth.signIn(credential: Credential(provider: .naver, userID: "bob", isBound: true)).value
            .user
        delete.gate.resolve(())
        _ = await deleting.value
        #expect(auth.user == bob)
        #expect(!repository.calls.contains(.deleteAccount(bob.id)))
    }

    @Test func identityIsNotLinkedToWhoSignedInMeanwhile() async throws {
        let prompt = Standstill()
        let google = ScriptedProvider(.google) { _ in
            await prompt.pass()
            return Credential(provider: .google, userID: "ada", isBound: true)
        }
        let (auth, repository) = try await signedIn(
            providers: [ScriptedProvider(.kakao), google], store: LocklessStore())
        let linking = Task { await auth.link(with: .google).result }
        _ = await prompt.reached.value()
        let bob = try await auth.signIn(credential: Credential(provider: .naver, userID: "bob", isBound: true)).value
            .user
        prompt.gate.resolve(())
        #expect(await linking.value.error?.code == .superseded)
        #expect(auth.user == bob)
        #expect(!repository.calls.contains(.link(.google)))
    }

    @Test func whoSignedInMeanwhileIsNotTakenForWhoProves() async throws {
        let prompt = Standstill()
        let kakao = ScriptedProvider(.kakao) { _ in
            await prompt.pass()
            return Credential(provider: .kakao, userID: "1001", isBound: true)
        }
        let (auth, repository) = try await signedIn(providers: [kakao], store: LocklessStore())
        let proving = Task { await auth.reauthenticate().result }
        _ = await prompt.reached.value()
        _ = try await auth.signIn(credential: Credential(provider: .naver, userID: "bob", isBound: true)).value
        prompt.gate.resolve(())
        #expect(await proving.value.error?.code == .superseded)
        #expect(!repository.calls.contains(.reauthenticate(.kakao)))
    }

    @Test func cancellingTheTaskEndsALink() async throws {
        let naver = StandingProvider(id: .naver)
        let (auth, _) = try await signedIn(providers: [naver])
        let events = auth.events
        async let seen = kinds(events, through: .changeFailed)
        try await wait(for: "the reader of the events") { events.waitingReaders > 0 }
        let linking = Task { await auth.link(with: .naver).result }
        _ = await naver.reached.value()
        linking.cancel()
        #expect(await linking.value.error?.code == .cancelled)
        #expect(auth.user?.id == "kakao:1001")
        #expect(await seen.last?.failure?.code == .cancelled)
    }

    @Test func linkThatIsCommittedWinsOverACancel() async throws {
        let store = FaultySessionStore()
        let (auth, _) = try await signedIn(store: store)
        let hold = store.hold(.write)
        let linking = Task { await auth.link(with: .naver).result }
        await hold.reached()
        linking.cancel()
        hold.release()
        #expect(await linking.value.error == nil)
        #expect(auth.user?.providers.map(\.id) == [.kakao, .naver])
    }

    @Test func sessionThatTheServerEndsEndsALinkWithWhatItSaid() async throws {
        var account = ScriptedAccount()
        account.refresh = { _ in throw AuthError(.userDisabled, "Scripted.") }
        let naver = StandingProvider(id: .naver)
        let (auth, _) = try await signedIn(account, providers: [naver])
        let linking = Task { await auth.link(with: .naver).result }
        _ = await naver.reached.value()
        await #expect(throws: AuthError.self) { try await auth.accessToken(forceRefresh: true) }
        #expect(await linking.value.error?.code == .userDisabled)
        #expect(auth.state == .signedOut(.disabled))
    }

    /// Words like these may be about the credential, so the server is asked about the session itself.
    @Test(arguments: [
        (AuthError.Code.userDisabled, SignOutReason.disabled), (.userNotFound, .deleted), (.sessionExpired, .expired),
    ])
    func definiteNoToAChangeIsConfirmedAndEndsTheSessionOnce(code: AuthError.Code, reason: SignOutReason) async throws {
        var account = ScriptedAccount()
        account.link = { _, _ in throw AuthError(code, "Scripted.") }
        account.refresh = { _ in throw AuthError(code, "Scripted.") }
        let (auth, _) = try await signedIn(account)
        var states = auth.states.makeAsyncIterator()
        _ = await states.next()
        #expect(await auth.link(with: .naver).result.error?.code == code)
        #expect(await states.next() == .signedOut(reason))
        auth.manager.finish()
        #expect(await states.next() == nil)
    }

    @Test func noAboutTheCredentialAloneEndsNothing() async throws {
        var account = ScriptedAccount()
        account.reauthenticate = { _, _ in throw AuthError(.userNotFound, "No such user with that identity.") }
        let (auth, repository) = try await signedIn(account)
        #expect(await auth.reauthenticate().result.error?.code == .userNotFound)
        #expect(auth.user?.id == "kakao:1001")
        #expect(later(repository) == [.reauthenticate(.kakao), .refresh("kakao:1001")])
    }

    @Test func aChangeUnderWayKeepsTheServiceAliveUntilItEnds() async throws {
        let naver = StandingProvider(id: .naver)
        var auth: AuthService? = try await signedIn(providers: [naver]).auth
        weak let gone = auth
        guard let stream = auth?.link(with: .naver) else { return }
        let linking = Task { await stream.result }
        _ = await naver.reached.value()
        auth = nil
        #expect(gone != nil)
        naver.gate.resolve(())
        #expect(await linking.value.error == nil)
        #expect(gone == nil)
        withExtendedLifetime(stream) {}
    }
}
